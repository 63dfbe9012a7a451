"""Intervals for the numbers of this room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evenhand.level import LEVEL, tails
from evenhand.statistics.quantiles import normal_quantile, student_quantile

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A value with its interval, the method, and the number of things it rests on. NaN bounds: not defined."""

    value: float
    low: float
    high: float
    n: int
    method: str

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


def wilson(hits: int, n: int, level: float = LEVEL) -> Interval:
    """A share with Wilson's score interval; NaN for n = 0."""
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0, "wilson")
    from scipy.stats import binomtest

    bounds = binomtest(hits, n).proportion_ci(level, method="wilson")
    return Interval(hits / n, float(bounds.low), float(bounds.high), n, "wilson")


def fisher_z(r: float, n: int, level: float = LEVEL, *, spearman: bool = False) -> Interval:
    """A correlation with the interval from Fisher's transform; for Spearman with Bonett and Wright's (2000) variance.

    Needs n > 3; the bounds are NaN otherwise.
    """
    method = "fisher z (Bonett-Wright)" if spearman else "fisher z"
    if n <= 3 or not np.isfinite(r):
        return Interval(r, float("nan"), float("nan"), n, method)
    clipped = float(np.clip(r, -0.999999, 0.999999))
    spread = np.sqrt((1 + clipped**2 / 2) / (n - 3)) if spearman else 1 / np.sqrt(n - 3)
    half = float(normal_quantile(tails(level)[1])) * float(spread)
    centre = float(np.arctanh(clipped))
    return Interval(r, float(np.tanh(centre - half)), float(np.tanh(centre + half)), n, method)


def bootstrap(
    statistic: Callable[[Array], Array],
    n: int,
    value: float,
    *,
    samples: int = 2_000,
    seed: int = 0,
    level: float = LEVEL,
) -> Interval:
    """Percentile interval of a statistic of n units; `statistic` takes weights (samples x n), returns one value each.

    Below 3 units there is no interval (NaN bounds).
    """
    method = f"bootstrap over {n} units, {samples} samples, seed {seed}"
    if n < 3:
        return Interval(value, float("nan"), float("nan"), n, method)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=samples).astype(np.float64)
    drawn = statistic(weights)
    low, high = np.nanquantile(drawn, tails(level))
    return Interval(value, float(low), float(high), n, method)


def mean_interval(values: Array, *, level: float = LEVEL) -> Interval:
    """The mean of independent units with Student's t interval; no interval (NaN) below 3 units.

    A percentile bootstrap of few units is too short (it covers 85 % with six).
    """
    n = len(values)
    value = float(values.mean()) if n else float("nan")
    if n < 3:
        return Interval(value, float("nan"), float("nan"), n, f"none: {n} units")
    reach = student_quantile(tails(level)[1], n - 1) * float(values.std(ddof=1) / np.sqrt(n))
    return Interval(value, value - reach, value + reach, n, f"t over {n} units")


def correlation_interval(x: Array, y: Array, *, spearman: bool = False, level: float = LEVEL) -> tuple[Interval, float]:
    """Pearson's or Spearman's correlation with interval, and the two-sided p; NaN below three points."""
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Interval(float("nan"), float("nan"), float("nan"), len(x), "undefined"), float("nan")
    from scipy.stats import pearsonr, spearmanr

    tested = spearmanr(x, y) if spearman else pearsonr(x, y)
    return fisher_z(float(tested.statistic), len(x), level, spearman=spearman), float(tested.pvalue)
