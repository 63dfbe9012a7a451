"""Intervals, and the distributions behind them. SciPy loads its parts when they are first used."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from evenhand.level import LEVEL, tails

Array = npt.NDArray[np.float64]
Bounds = tuple[float, float]
ANY: Bounds = (-np.inf, np.inf)
SAMPLES = 2_000  # of a bootstrap


def normal_quantile(chance: float | Array) -> Array:
    """z with P(Z <= z) = `chance`; -inf at 0, inf at 1."""
    return np.asarray(scipy.special.ndtri(chance))


def normal_below(z: float | Array) -> Array:
    """P(Z <= z)."""
    return np.asarray(scipy.special.ndtr(z))


def student_quantile(chance: float, freedom: float) -> float:
    """t with P(T <= t) = `chance`."""
    return float(scipy.special.stdtrit(freedom, chance))


def student_above(t: float, freedom: float) -> float:
    """P(T > t)."""
    return float(scipy.special.stdtr(freedom, -t))


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


def none(value: float, method: str, n: int = 0) -> Interval:
    """A value that has no interval; the method says why."""
    return Interval(value, np.nan, np.nan, n, method)


def student(
    value: float, error: float, freedom: float, n: int, method: str, *, level: float, bounds: Bounds = ANY
) -> Interval:
    """A value with this standard error: Student's t, cut at the bounds."""
    reach = student_quantile(tails(level)[1], freedom) * error
    return Interval(value, max(value - reach, bounds[0]), min(value + reach, bounds[1]), n, method)


def wilson(hits: int, n: int, level: float = LEVEL) -> Interval:
    """A share with Wilson's score interval; NaN for n = 0."""
    if n == 0:
        return none(np.nan, "wilson")
    bounds = scipy.stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    return Interval(hits / n, float(bounds.low), float(bounds.high), n, "wilson")


def bootstrap(
    statistic: Callable[[Array], Array], n: int, value: float, *, seed: int = 0, level: float = LEVEL
) -> Interval:
    """Percentile interval of a statistic of n units; `statistic` takes weights (SAMPLES x n), returns one value each.
    Below 3 units there is no interval (NaN bounds)."""
    method = f"bootstrap over {n} units, {SAMPLES} samples, seed {seed}"
    if n < 3:
        return none(value, method, n)
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=SAMPLES).astype(np.float64)
    low, high = np.nanquantile(statistic(weights), tails(level))
    return Interval(value, float(low), float(high), n, method)


def within(mean: float, reach: float, bounds: Bounds) -> tuple[float, float]:
    """A mean with this reach to either side, on the log-odds of its range where that has two bounds. It never leaves
    the range, and near a bound it reaches further to the middle, as shares do."""
    least, most = bounds
    if not (np.isfinite(most - least) and least < mean < most):
        return max(mean - reach, least), min(mean + reach, most)
    odds = (mean - least) / (most - mean)
    factor = float(np.exp(min(reach * (most - least) / ((mean - least) * (most - mean)), 700.0)))
    low, high = (one / (1 + one) for one in (odds / factor, min(odds * factor, 1e300)))
    return least + low * (most - least), least + high * (most - least)


def mean_interval(values: Array, *, level: float = LEVEL, bounds: Bounds = ANY) -> Interval:
    """The mean of independent units with Student's t interval, within bounds; no interval (NaN) below 3 units. A
    percentile bootstrap of few units is too short (it covers 85 % with six)."""
    n = len(values)
    value = float(values.mean()) if n else np.nan
    if n < 3:
        return none(value, f"none: {n} units", n)
    reach = student_quantile(tails(level)[1], n - 1) * float(values.std(ddof=1) / np.sqrt(n))
    return Interval(value, *within(value, reach, bounds), n, f"t over {n} units")


def correlation_interval(x: Array, y: Array, *, spearman: bool = False, level: float = LEVEL) -> tuple[Interval, float]:
    """Pearson's or Spearman's correlation with its interval and two-sided p; of fewer than four points none of both.
    Both come from Fisher's transform; Spearman's with Bonett and Wright's (2000) variance."""
    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return none(np.nan, "undefined", n), np.nan
    r = float((scipy.stats.spearmanr(x, y) if spearman else scipy.stats.pearsonr(x, y)).statistic)
    method = "fisher z (Bonett-Wright)" if spearman else "fisher z"
    if n == 3 or not np.isfinite(r):
        return none(r, method, n), np.nan
    clipped = float(np.clip(r, -0.999999, 0.999999))
    spread = float(np.sqrt((1 + clipped**2 / 2 * spearman) / (n - 3)))
    half, centre = float(normal_quantile(tails(level)[1])) * spread, float(np.arctanh(clipped))
    p = 2 * float(normal_below(-abs(centre) / spread))
    return Interval(r, float(np.tanh(centre - half)), float(np.tanh(centre + half)), n, method), p
