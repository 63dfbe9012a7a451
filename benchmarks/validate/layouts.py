"""Simulated runs whose truth is known, in layouts that are unkind to a statistic.

Clusters' chances come from a beta or a logistic-normal distribution; `icc` is the correlation between two sentences of
one cluster, `spread` the standard deviation of log-odds. Tables are what `evenhand.measures` takes, a row a rendering.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.optimize import brentq
from scipy.special import expit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Generator = np.random.Generator
GENDERS = np.array(["female", "male", "neutral", "both", "unknown"])


def beta(rng: Generator, share: float, icc: float, count: int) -> Floats:
    """Chances of clusters with this mean and this correlation within."""
    if icc == 0:
        return np.full(count, share)
    scale = (1 - icc) / icc
    return rng.beta(share * scale, (1 - share) * scale, size=count)


def compositions(rng: Generator, shares: tuple[float, ...], icc: float, count: int) -> Floats:
    """The same for female, male, neutral, both: one composition a cluster."""
    mean = np.array(shares)
    drawn = np.zeros((count, len(mean)))
    seen = mean > 0
    drawn[:, seen] = rng.dirichlet(mean[seen] * (1 - icc) / icc, size=count) if icc else mean[seen]
    return drawn


@cache
def centre(share: float, spread: float) -> float:
    """The log-odds whose chances, spread normally, average to this share."""
    points, weights = np.polynomial.hermite_e.hermegauss(100)
    weights = weights / weights.sum()
    return float(brentq(lambda c: float((expit(c + spread * points) * weights).sum()) - share, -60, 60))


def sizes(rng: Generator, kind: str, count: int, mean: int) -> Ints:
    """Sentences a cluster: all equal, lognormal (drawn anew), or like 1, 1/2, 1/3, ... (Zipf)."""
    if kind == "lognormal":
        drawn = np.exp(rng.normal(0, 1, count))
        return whole(drawn / np.exp(0.5) * mean)
    if kind == "zipf":
        drawn = 1 / np.arange(1, count + 1)
        return whole(drawn / drawn.mean() * mean)
    return np.full(count, mean, dtype=np.int64)


def whole(drawn: Floats) -> Ints:
    rounded: Ints = np.maximum(1, np.round(drawn)).astype(np.int64)
    return rounded


def table(occupation: Ints, gender: Ints, **columns: npt.NDArray[np.str_] | Ints) -> pl.DataFrame:
    """One row a rendering; genders by number (female, male, neutral, both, unknown)."""
    return pl.DataFrame({"occupation": occupation, "gender": GENDERS[gender], **columns}).with_columns(
        pl.col("occupation").cast(pl.String), id=pl.int_range(pl.len()).cast(pl.String)
    )


def by_counts(counts: Ints, **columns: npt.NDArray[np.str_] | Ints) -> pl.DataFrame:
    """A table of one axis from counts of the genders by cluster; further columns by cluster."""
    clusters, kinds = counts.shape
    occupation = np.repeat(np.arange(clusters), counts.sum(axis=1))
    gender = np.repeat(np.tile(np.arange(kinds), clusters), counts.ravel())
    return table(occupation, gender, **{name: values[occupation] for name, values in columns.items()})


def female_and_male(rng: Generator, chances: Floats, each: Ints) -> Ints:
    """Counts of female and male renderings by cluster."""
    female = rng.binomial(each, chances)
    return np.column_stack([female, each - female])


def crossed(rng: Generator, leaning: Floats) -> tuple[pl.DataFrame, Floats]:
    """One rendering for each occupation and verb with these log-odds of female: the table, and female as 0 and 1."""
    female = rng.random(leaning.shape) < expit(leaning)
    occupation, verb = (axis.ravel() for axis in np.indices(leaning.shape))
    frame = table(occupation, (~female).ravel().astype(np.int64), verb=np.char.add("v", verb.astype(str)))
    return frame, female.astype(np.float64)
