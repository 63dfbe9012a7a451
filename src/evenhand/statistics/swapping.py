"""Paired permutation tests of systems: swap two systems' answers cluster by cluster.

If two systems treat people alike, it does not matter which of them gave the answers about an occupation. Every
permutation swaps all answers of a random half of the clusters; a difference is surprising if few swaps give one as
large. All pairs of systems and all measures are swapped alike, so that their tests stay as dependent as they are, and
the correction for their number (Westfall & Young 1993, step-down max-T) loses nothing to that dependence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.statistics.bootstrap import BLOCK, Job, cluster_sums
from evenhand.statistics.measure import Floats

PERMUTATIONS = 2_000


@dataclass(frozen=True)
class Pair:
    """The same measure on the same part of two runs; rows of both statistics belong to the same clusters."""

    first: Job
    second: Job

    def badness(self, values: Floats) -> Floats:
        """Values turned so that smaller is better: by the measure's own direction."""
        measure = self.first.measure
        if measure.better == "nearer":
            return np.abs(values - measure.neutral)
        return -values if measure.better == "higher" else values


def swapped(
    pairs: Sequence[Pair], axis: int, size: int, *, seed: int, permutations: int = PERMUTATIONS
) -> tuple[Floats, Floats]:
    """Differences (first minus second) of values and of badness under swaps: pairs x permutations each."""
    sums = [
        (cluster_sums(p.first.statistics, axis, size), cluster_sums(p.second.statistics, axis, size)) for p in pairs
    ]
    values, badness = np.empty((len(pairs), permutations)), np.empty((len(pairs), permutations))
    blocks = np.random.SeedSequence([seed, axis]).spawn(-(-permutations // BLOCK))
    for number, sequence in enumerate(blocks):
        start = number * BLOCK
        count = min(BLOCK, permutations - start)
        swap = np.random.default_rng(sequence).integers(0, 2, size=(count, size)).astype(np.float64)
        for row, (pair, (one, two)) in enumerate(zip(pairs, sums, strict=True)):
            moved = swap @ (two - one)
            first, second = (
                pair.first.of_totals(one.sum(axis=0) + moved),
                pair.second.of_totals(two.sum(axis=0) - moved),
            )
            values[row, start : start + count] = first - second
            badness[row, start : start + count] = pair.badness(first) - pair.badness(second)
    return values, badness


def spread_of(permuted: Floats) -> Floats:
    """How far swaps move each difference: the root of the mean square. NaN where no swap gives a value."""
    usable = np.isfinite(permuted)
    squares, n = np.where(usable, permuted, 0.0) ** 2, usable.sum(axis=1)
    mean: Floats = np.divide(squares.sum(axis=1), n, out=np.full(len(n), np.nan), where=n > 0)
    return np.sqrt(mean)


def p_values(observed: Floats, permuted: Floats) -> Floats:
    """Two-sided p of each difference: (1 + swaps at least as large) / (1 + swaps). NaN where undefined."""
    usable = np.isfinite(permuted)
    larger = (np.abs(permuted) >= np.abs(observed)[:, None] - 1e-12) & usable
    p = (1 + larger.sum(axis=1)) / (1 + usable.sum(axis=1))
    return np.where(np.isfinite(observed), p, np.nan)


def step_down(observed: Floats, permuted: Floats) -> Floats:
    """P-values corrected for the whole family by the largest statistic of each permutation, stepping down.

    Differences are put on one scale by their spread over the swaps. The chance that any true null hypothesis of the
    family is rejected at 5 % is 5 %, however the tests depend on one another.
    """
    spread = spread_of(permuted)
    usable = np.isfinite(observed) & (spread > 0)
    adjusted = np.where(np.isfinite(observed), 1.0, np.nan)
    if not usable.any():
        return adjusted
    statistic = np.abs(observed[usable]) / spread[usable]
    swaps = np.nan_to_num(np.abs(permuted[usable]) / spread[usable][:, None])
    order = np.argsort(-statistic, kind="stable")
    largest = np.maximum.accumulate(swaps[order][::-1], axis=0)[::-1]
    p = (1 + (largest >= statistic[order][:, None] - 1e-12).sum(axis=1)) / (1 + swaps.shape[1])
    stepped = np.empty(len(order))
    stepped[order] = np.maximum.accumulate(p)
    adjusted[usable] = stepped
    return adjusted
