"""Permutation tests of sums: over splits of all values, and over swaps within pairs.

Exact where there are at most 200,000 arrangements (p = hits / n, the observed one among the n), otherwise sampled:
p = (1 + hits) / (1 + n).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from evenhand.errors import BadInput
from evenhand.level import LEVEL, tails
from evenhand.statistics.intervals import Interval

Array = npt.NDArray[np.float64]
Split = Callable[[Array, Array], Array]  # the sums of the two parts in, the statistic out
Side = Literal["greater", "less", "two-sided"]
EXACT_UP_TO = 200_000
BLOCK = 1 << 22


@dataclass(frozen=True)
class Permutation:
    """A permutation p. alternative: which side counts as extreme; hits: splits at least as extreme as the one seen."""

    p: float
    alternative: Side
    hits: int
    permutations: int
    exact: bool
    seed: int | None


def split_test(
    s: Array, n: int, statistic: Split, *, permutations: int, seed: int, alternative: Side = "greater"
) -> Permutation:
    """Test over splits of all values into the first n and the rest, on sums of the two parts.

    A side must be fixed before looking at the data; two-sided counts statistics at least as far from 0.
    """
    total = float(s.sum())

    def extremity(chosen: Array, rest: Array) -> Array:
        values = statistic(chosen, rest)
        if alternative == "two-sided":
            return np.abs(values)
        return values if alternative == "greater" else -values

    observed = float(extremity(np.array([s[:n].sum()]), np.array([s[n:].sum()]))[0])
    limit = observed - 1e-9 * (1.0 + abs(observed))  # equal splits must not be lost to rounding
    splits = math.comb(len(s), n)
    hits = 0
    if splits <= EXACT_UP_TO:
        chosen = combinations(range(len(s)), n)
        while block := list(islice(chosen, max(1, BLOCK // max(1, n)))):
            sums = s[np.array(block, dtype=np.intp)].sum(axis=1)
            hits += int(np.sum(extremity(sums, total - sums) >= limit))
        return Permutation(hits / splits, alternative, hits, splits, True, None)
    if permutations < 1:
        raise BadInput("a sampled permutation test needs at least one permutation")
    rng = np.random.default_rng(seed)
    left = permutations
    while left:
        size = min(left, max(1, BLOCK // len(s)))
        order = rng.permuted(np.broadcast_to(s, (size, len(s))), axis=1)
        sums = order[:, :n].sum(axis=1)
        hits += int(np.sum(extremity(sums, total - sums) >= limit))
        left -= size
    return Permutation((1 + hits) / (1 + permutations), alternative, hits, permutations, False, seed)


def swap_test(differences: Array, *, permutations: int, seed: int) -> Permutation:
    """Two-sided sign-flip test of a mean of paired differences; exact up to 17 pairs."""
    n = len(differences)
    observed = abs(float(differences.sum()))
    limit = observed - 1e-9 * (1.0 + observed)
    if 2**n <= EXACT_UP_TO:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        hits = int(np.sum(np.abs(signs @ differences) >= limit))
        return Permutation(hits / 2**n, "two-sided", hits, 2**n, True, None)
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2, size=(permutations, n)) * 2.0 - 1.0
    hits = int(np.sum(np.abs(signs @ differences) >= limit))
    return Permutation((1 + hits) / (1 + permutations), "two-sided", hits, permutations, False, seed)


# The difference of two means over the standard deviation of all values, with an interval.
# This is WEAT's effect size (Caliskan et al. 2017), the point-biserial correlation rescaled: with n and m values and v
# = n m / (n + m)^2 it lies between -1/sqrt(v) and 1/sqrt(v), -2 and 2 for sets of equal size. 0: equal means.

METHOD = "noncentral t"


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
