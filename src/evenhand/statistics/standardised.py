"""The difference of two means over the standard deviation of all values, with an interval.

This is WEAT's effect size (Caliskan et al. 2017), the point-biserial correlation rescaled: with n and m values and
v = n m / (n + m)^2 it lies between -1/sqrt(v) and 1/sqrt(v), -2 and 2 for sets of equal size. 0: equal means.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from evenhand.level import LEVEL, tails
from evenhand.statistics.intervals import Interval

METHOD = "noncentral t"
Array = npt.NDArray[np.float64]


def standardised_difference(x: Array, y: Array, *, level: float = LEVEL) -> Interval:
    """(mean x - mean y) / standard deviation of all (population formula), with its interval.

    The interval inverts the noncentral t distribution of Student's statistic (Steiger & Fouladi 1997) and so takes
    the values of both sets for normal with one variance. Without two values a set, or where nothing varies within the
    sets, there is none (NaN); where nothing varies at all there is no value either.
    """
    n, m = len(x), len(y)
    spread = float(np.concatenate([x, y]).std())
    value = float((x.mean() - y.mean()) / spread) if spread > 0 else math.nan
    within = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
    if min(n, m) < 2 or not within > 0:
        return Interval(value, math.nan, math.nan, n + m, "")
    scale = math.sqrt(1 / n + 1 / m)
    t = float(x.mean() - y.mean()) / (math.sqrt(within / (n + m - 2)) * scale)
    low, high = (_of_all(_noncentrality(t, n + m - 2, side) * scale, n, m) for side in reversed(tails(level)))
    return Interval(value, low, high, n + m, METHOD)


def _noncentrality(t: float, freedom: int, chance: float) -> float:
    """The noncentrality under which Student's statistic is at most `t` with this chance."""
    if t < 0:  # the inverse is exact for positive statistics only
        return -_noncentrality(-t, freedom, 1 - chance)
    return float(special.nctdtrinc(freedom, chance, t))


def _of_all(within: float, n: int, m: int) -> float:
    """A difference in standard deviations within the sets as one in those of all values."""
    return within / math.sqrt(1 + within**2 * n * m / (n + m) ** 2)
