"""Permutation tests of sums: over splits of all values, and over swaps within pairs.

Exact where there are at most 200,000 arrangements (p = hits / n, the observed one among the n), otherwise sampled:
p = (1 + hits) / (1 + n).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice

import numpy as np

from evenhand.errors import BadInput
from evenhand.statistics.intervals import Array

Split = Callable[[Array, Array], Array]  # the sums of the two parts in, the statistic out
EXACT_UP_TO = 200_000
BLOCK = 1 << 22


@dataclass(frozen=True)
class Permutation:
    """A two-sided permutation p; hits: arrangements at least as far from 0 as the one seen."""

    p: float
    hits: int
    permutations: int
    exact: bool
    seed: int | None


def split_test(s: Array, n: int, statistic: Split, *, permutations: int, seed: int) -> Permutation:
    """Test over splits of all values into the first n and the rest, on sums of the two parts."""
    total = s.sum(axis=0)

    def extremity(chosen: Array) -> Array:
        return np.abs(statistic(chosen, total - chosen))

    observed = float(extremity(s[:n].sum(axis=0)[None])[0])
    limit = observed - 1e-9 * (1.0 + abs(observed))  # equal splits must not be lost to rounding
    splits, hits = math.comb(len(s), n), 0
    if splits <= EXACT_UP_TO:
        chosen = combinations(range(len(s)), n)
        while block := list(islice(chosen, max(1, BLOCK // max(1, n)))):
            hits += int(np.sum(extremity(s[np.array(block, dtype=np.intp)].sum(axis=1)) >= limit))
        return Permutation(hits / splits, hits, splits, True, None)
    if permutations < 1:
        raise BadInput("a sampled permutation test needs at least one permutation")
    rng, left = np.random.default_rng(seed), permutations
    while left:
        size = min(left, max(1, BLOCK // len(s)))
        order = rng.permuted(np.broadcast_to(np.arange(len(s)), (size, len(s))), axis=1)
        hits += int(np.sum(extremity(s[order[:, :n]].sum(axis=1)) >= limit))
        left -= size
    return Permutation((1 + hits) / (1 + permutations), hits, permutations, False, seed)


@dataclass(frozen=True)
class Swaps:
    """Sign flips of paired differences: a two-sided test of every amount their sum may be; exact up to 17 pairs."""

    differences: Array
    permutations: int
    seed: int
    method: str = "swaps"

    @property
    def value(self) -> float:
        return float(self.differences.sum())

    def test(self, null: float = 0.0) -> Permutation:
        """The test that the sum is `null`."""
        n = len(self.differences)
        exact = 2**n <= EXACT_UP_TO
        signs = _signs(n, 0 if exact else self.permutations, self.seed)
        moved = self.differences - null / n
        observed = abs(float(moved.sum()))
        hits = int(np.sum(np.abs(signs @ moved) >= observed - 1e-9 * (1.0 + observed)))
        p = hits / len(signs) if exact else (1 + hits) / (1 + self.permutations)
        return Permutation(p, hits, len(signs), exact, None if exact else self.seed)

    def p(self, null: float) -> float:
        return self.test(null).p


@lru_cache(maxsize=2)  # an interval asks for the same ones a hundred times
def _signs(n: int, permutations: int, seed: int) -> Array:
    """A row of signs per random arrangement; of all arrangements where `permutations` is 0."""
    if permutations:
        return np.random.default_rng(seed).integers(0, 2, size=(permutations, n)).astype(np.float64) * 2.0 - 1.0
    return 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(np.float64)
