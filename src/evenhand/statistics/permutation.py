"""Permutation tests of sums and means: over splits of all values, and over swaps within pairs.

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

from evenhand.errors import BadInput

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
    """Test over splits of all values (or rows of values) into the first n and the rest, on sums of the two parts.

    A side must be fixed before looking at the data; two-sided counts statistics at least as far from 0.
    """
    total = s.sum(axis=0)

    def extremity(chosen: Array, rest: Array) -> Array:
        values = statistic(chosen, rest)
        if alternative == "two-sided":
            return np.abs(values)
        return values if alternative == "greater" else -values

    observed = float(extremity(s[:n].sum(axis=0)[None], s[n:].sum(axis=0)[None])[0])
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
        order = rng.permuted(np.broadcast_to(np.arange(len(s)), (size, len(s))), axis=1)
        sums = s[order[:, :n]].sum(axis=1)
        hits += int(np.sum(extremity(sums, total - sums) >= limit))
        left -= size
    return Permutation((1 + hits) / (1 + permutations), alternative, hits, permutations, False, seed)


def studentised_split_test(
    s: Array, n: int, *, permutations: int, seed: int, alternative: Side = "greater"
) -> Permutation:
    """`split_test` of the difference of the two means over its standard error in every split.

    It keeps its level where the two sets differ in size and in spread but not in their means, which the plain test
    does not (Janssen 1997, Statistics & Probability Letters 36; Chung & Romano 2013, Annals of Statistics 41).
    """
    m = len(s) - n
    centred = s - s.mean()

    def statistic(chosen: Array, rest: Array) -> Array:
        gap, variance = chosen[..., 0] / n - rest[..., 0] / m, np.zeros(chosen.shape[:-1])
        for sums, count in ((chosen, n), (rest, m)):
            squares = np.maximum(sums[..., 1] - sums[..., 0] ** 2 / count, 0.0)
            variance = variance + squares / max(count - 1, 1) / count
        least = 1e-12 * float(centred @ centred + 1e-300)
        studentised: Array = gap / np.sqrt(np.maximum(variance, least))
        return studentised

    columns = np.column_stack([centred, centred**2])
    return split_test(columns, n, statistic, permutations=permutations, seed=seed, alternative=alternative)


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
