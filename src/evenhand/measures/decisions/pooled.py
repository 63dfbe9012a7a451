"""One row per system and measure over several languages or suites: a random-effects mean (statistics/pooling.py).

Languages and suites are a sample of those a system may be asked in. Sentences about one concept go together across
them: the errors of two runs covary by the clusters they share by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import EvenhandError
from evenhand.level import tails
from evenhand.measures.estimate import resolve
from evenhand.measures.sampling import Sampler, prepare
from evenhand.statistics.linearised import STEP
from evenhand.statistics.measure import Job, Measure
from evenhand.statistics.pooling import pooled_mean
from evenhand.statistics.quantiles import normal_quantile
from evenhand.suites.suite import Grouping

POOLED: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "system": pl.String(),
    "runs": pl.Int64(),
    "value": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "spread": pl.Float64(),
    "another_low": pl.Float64(),
    "another_high": pl.Float64(),
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
    seed: int,
    resamples: int,
    level: float,
) -> RunValue | None:
    """The value of a run (joined table) for pooling; None where the data carry no interval of it."""
    try:
        coded, axes, sizes = prepare(table, clusters)
        (bound,) = resolve([measure], groupings, coded)
    except EvenhandError:
        return None
    sampler = Sampler(axes, sizes, tuple(clusters), seed, resamples, level)
    found = sampler.estimate(Job(bound, bound.statistics(coded, axes)))
    part, interval = found.linearised, found.interval
    if part is None or not np.isfinite(interval.low):
        return None
    # where a measure is flat (P_S of as many women as men) its slope says nothing, and the interval does
    error = (interval.high - interval.low) / (2 * float(normal_quantile(tails(level)[1])))
    label = clusters[0] if clusters else "id"
    names = coded.group_by(axes[0]).agg(pl.col(label).first().cast(pl.String)).drop_nulls().sort(axes[0])
    step = np.array([part.value - STEP, part.value + STEP])
    slope = float(np.diff(measure.unsmooth(step))[0]) / (2 * STEP)
    sums = slope * np.bincount(part.codes[:, 0], part.moves, minlength=sizes[0])
    return RunValue(interval.value, error**2, {str(name): float(sums[code]) for code, name in names.iter_rows()})


def pool(values: Sequence[RunValue], measure: Measure, level: float) -> PooledRow:
    """The columns of POOLED without measure and system."""
    names = sorted(set().union(*(one.moves for one in values)))
    moves = np.array([[one.moves.get(name, 0.0) for name in names] for one in values])
    covariance = moves @ moves.T
    lacking = np.array([one.variance for one in values]) - np.diag(covariance)
    covariance[np.diag_indices(len(values))] += np.maximum(lacking, 0.0)
    found = pooled_mean(np.array([one.value for one in values]), covariance, level)
    low, high, *ends = (float(end) for end in np.clip([found.low, found.high, *found.predicted], *measure.bounds))
    another = [end if np.isfinite(end) else None for end in ends]
    return {
        "runs": len(values),
        "value": found.value,
        "low": low,
        "high": high,
        "spread": found.spread,
        "another_low": another[0],
        "another_high": another[1],
    }
