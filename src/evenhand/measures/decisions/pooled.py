"""One row per system and measure over several languages or suites: a random-effects mean.

Languages and suites are a sample of those a system may be asked in. Sentences about one concept go together across
them: the errors of two runs covary by the clusters they share by name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import polars as pl
import scipy

from evenhand.errors import EvenhandError
from evenhand.level import Resampling, tails
from evenhand.measures.estimate import resolve
from evenhand.measures.sampling import Sampler
from evenhand.statistics.intervals import ANY, Bounds, normal_quantile, student_quantile, within
from evenhand.statistics.measure import Floats, Measure
from evenhand.statistics.variation import STEP
from evenhand.storage.tables import schema
from evenhand.suites.suite import Grouping

POOLED = {
    **schema(pl.String, "measure", "system"),
    **schema(pl.Int64, "runs"),
    **schema(pl.Float64, "value", "low", "high", "spread", "another_low", "another_high"),
}
PooledRow = dict[str, str | float | int | None]


@dataclass(frozen=True)
class RunValue:
    """A measure's value on one run, its variance, and what each cluster adds to its error."""

    value: float
    variance: float
    moves: Mapping[str, float]


def run_value(
    table: pl.DataFrame,
    measure: Measure,
    *,
    clusters: Sequence[str],
    groupings: Sequence[Grouping],
    **how: Unpack[Resampling],
) -> RunValue | None:
    """The value of a run (joined table) for pooling; None where the data carry no interval of it."""
    try:
        coded, sampler = Sampler.over(table, clusters, **how)
        (bound,) = resolve([measure], groupings, coded)
    except EvenhandError:
        return None
    estimated = sampler.measured(bound, coded)
    part, interval = estimated.linearised, estimated.interval
    if part is None or not np.isfinite(interval.low):
        return None
    # where a measure is flat (P_S of as many women as men) its slope says nothing, and the interval does
    error = (interval.high - interval.low) / (2 * float(normal_quantile(tails(sampler.level)[1])))
    label = clusters[0] if clusters else "id"
    axis = sampler.axes[0]
    names = coded.group_by(axis).agg(pl.col(label).first().cast(pl.String)).drop_nulls().sort(axis)
    step = np.array([part.value - STEP, part.value + STEP])
    slope = float(np.diff(measure.unsmooth(step))[0]) / (2 * STEP)
    sums = slope * np.bincount(part.codes[:, 0], part.moves, minlength=sampler.sizes[0])
    return RunValue(interval.value, error**2, {str(name): float(sums[code]) for code, name in names.iter_rows()})


def pool(values: Sequence[RunValue], measure: Measure, level: float) -> PooledRow:
    """The columns of POOLED without measure and system. Each run has the variance that its number of clusters lets
    expect from all runs' variances. A share's own variance depends on the share: weights by it favour the runs nearest
    to 0 or 1 and bias the mean (Bakbergenuly, Hoaglin & Kulinskaya 2020, Statistics in Medicine 39)."""
    names = sorted(set().union(*(one.moves for one in values)))
    moves = np.array([[one.moves.get(name, 0.0) for name in names] for one in values])
    covariance = moves @ moves.T
    lacking = np.array([one.variance for one in values]) - np.diag(covariance)
    covariance[np.diag_indices(len(values))] += np.maximum(lacking, 0.0)
    sizes = np.array([len(one.moves) for one in values])
    own = np.diag(covariance)
    scale = np.sqrt(float((own * sizes).mean()) / sizes / np.maximum(own, 1e-15))
    means = np.array([one.value for one in values])
    mean = pooled_mean(means, covariance * np.outer(scale, scale), level, measure.bounds)
    low, high = (end if np.isfinite(end) else None for end in mean.predicted)
    row: PooledRow = {"runs": len(values), "value": mean.value, "low": mean.low, "high": mean.high}
    return row | {"spread": mean.spread, "another_low": low, "another_high": high}


# The mean of a random-effects model. Each value has a sampling error, and its truth differs from the mean by a spread
# that is estimated by restricted maximum likelihood (Viechtbauer 2005, Journal of Educational and Behavioral Statistics
# 30). The interval is that of Hartung and Knapp (2001, Statistics in Medicine 20), never narrower than without their
# factor (Roever, Knapp & Friede 2015, BMC Medical Research Methodology 15). The covariance of values that share
# clusters is known from the samples; only the rest of the variance is estimated from k - 1 differences (Satterthwaite).


@dataclass(frozen=True)
class PooledMean:
    """The mean with its interval, the standard deviation between the truths, and where that of another would lie.
    `predicted` needs three values, and is NaN for two."""

    value: float
    low: float
    high: float
    spread: float
    predicted: tuple[float, float]


def pooled_mean(values: Floats, covariance: Floats, level: float, bounds: Bounds = ANY) -> PooledMean:
    """The mean of two or more values with errors of this covariance; intervals keep within the bounds."""
    own, axes = np.linalg.eigh(covariance)
    own, ones, seen = np.maximum(own, 0.0), axes.sum(axis=0), axes.T @ values
    between = _reml(own, ones, seen)
    each = 1 / np.maximum(own + between, 1e-15)
    information = float((each * ones**2).sum())
    weights = axes @ (each * ones) / information
    mean = float(weights @ values)
    freedom = len(values) - 1
    variance = max(float((each * (seen - mean * ones) ** 2).sum()) / freedom, 1.0) / information
    pairs = np.outer(weights, weights) * (1 - np.eye(len(values)))
    shared = float((pairs * covariance).sum() / max(pairs.sum(), 1e-15))
    unsure = max(1 - max(shared, 0.0) / variance, 0.1)  # the part of the variance that the differences estimate
    edge = student_quantile(tails(level)[1], freedom / unsure**2)
    low, high = within(mean, edge * float(np.sqrt(variance)), bounds)
    further = edge * float(np.sqrt(between + variance)) if freedom > 1 else float("nan")
    return PooledMean(mean, low, high, float(np.sqrt(between)), within(mean, further, bounds))


def _reml(own: Floats, ones: Floats, seen: Floats) -> float:
    """The variance between truths with the largest restricted likelihood, everything along the covariance's axes."""

    def loss(between: float) -> float:
        total = np.maximum(own + between, 1e-15)
        information = (ones**2 / total).sum()
        mean = (ones * seen / total).sum() / information
        return float(np.log(total).sum() + np.log(information) + ((seen - mean * ones) ** 2 / total).sum())

    most = 10 * float(np.var(seen)) + 1e-12
    best = scipy.optimize.minimize_scalar(loss, bounds=(0.0, most), method="bounded", options={"xatol": 1e-9 * most})
    return float(best.x) if best.fun < loss(0.0) else 0.0
