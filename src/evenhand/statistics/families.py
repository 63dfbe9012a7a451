"""P-values corrected for a family of tests that depend on one another: systems, pairs, measures on the same clusters.

Measures of one run say nearly the same (more female is less male), so Bonferroni's or Holm's correction would take the
tests for more than they are. Their joint distribution follows from the covariance of their influences over clusters;
the chance that the largest of the remaining statistics reaches the one at hand, stepping down, is the corrected p
(Westfall & Young 1993; Hothorn, Bretz & Westfall 2008, Biometrical Journal 50).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import normal_quantile

TestedParts = tuple[Linearised] | tuple[Linearised, Linearised]  # a value against 0, or first minus second


def influences(tests: Sequence[TestedParts], sizes: Sequence[int]) -> Floats:
    """What moves each test (a column), cluster by cluster, the axes below one another (sizes: clusters on each axis).

    The tests' covariance is the product of this with itself.
    """
    by_axis = []
    for axis, size in enumerate(sizes):
        moves = np.zeros((size, len(tests)))
        for number, parts in enumerate(tests):
            for sign, part in zip((1.0, -1.0), parts, strict=False):
                moves[:, number] += sign * np.bincount(part.codes[:, axis], part.moves, minlength=size)
        by_axis.append(moves)
    return np.concatenate(by_axis)


def step_down(p_values: Floats, moves: Floats, *, seed: int, draws: int) -> Floats:
    """P-values corrected for the whole family, from the tests' influences.

    NaN (no test was possible) stays NaN and does not count; nor does a difference that nothing moves (never neutral in
    either system): it could not have been found.
    """
    adjusted = p_values.copy()
    tested = np.flatnonzero(np.isfinite(p_values) & ((moves**2).sum(axis=0) > 0) & (p_values < 1))
    if not len(tested):
        return adjusted
    moves = moves[:, tested]
    scale = np.sqrt((moves**2).sum(axis=0))
    if len(tested) <= len(moves):
        together = moves.T @ moves / np.outer(scale, scale)
        np.fill_diagonal(together, 1.0)
        strength, direction = np.linalg.eigh(together)
        root = direction * np.sqrt(np.maximum(strength, 0.0))
    else:  # all pairs of forty systems are thousands of tests, but move in no more directions than there are clusters
        root = (moves / scale).T
    drawn = np.abs(np.random.default_rng([seed, 0xFA]).standard_normal((draws, root.shape[1])) @ root.T)
    seen = -normal_quantile(np.clip(p_values[tested], 1e-300, 1.0) / 2)
    order = np.argsort(-seen, kind="stable")
    largest = np.maximum.accumulate(drawn[:, order][:, ::-1], axis=1)[:, ::-1]
    p = (1 + (largest >= seen[order]).sum(axis=0)) / (1 + draws)
    stepped = np.empty(len(order))
    stepped[order] = np.maximum.accumulate(np.maximum(p, p_values[tested][order]))
    adjusted[tested] = np.minimum(stepped, 1.0)
    return adjusted
