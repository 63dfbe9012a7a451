"""A group that shows nothing, or one rendering, which moves a measure (all male): how likely is that by chance?

Such a group does not say how far the sentences of one cluster go together, and a design effect would be no more than a
guess. With beta distributed chances, mean q and correlation r within clusters, a cluster of n sentences shows none with
the chance of the product of 1 - q s / (s + i) over i < n, where s = (1 - r) / r, and one with the chance of that times
n q s / ((1 - q) s + n - 1) (the beta-binomial: Skellam 1948, Journal of the Royal Statistical Society B 10). Few are
the likelier the larger r is, so r is taken as large as can be reckoned with: one half, or what the other group shows
where that is more (the largest p over what a nuisance parameter may be: Berger & Boos 1994, Journal of the American
Statistical Association 89). q is drawn from the other group.
"""

from __future__ import annotations

import numpy as np

from evenhand.statistics.effective import PSEUDO_DIFFERENCE, draw
from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Floats

CORRELATED = 0.5  # within clusters, reckoned with in a group that does not show its own
DRAWS = 200  # of what the other group may be
EQUAL = 1e-9  # of the largest score: scores that differ by less are the same


def unseen(
    part: Linearised, other: Linearised, scores: Floats, effect: Floats, correlation: float, *, seed: int
) -> float | None:
    """The two-sided p (mid-p) of a part in which at most one rendering moves, if it were composed like the other part.

    `scores` are what a rendering in each cell adds; those that move differ from that of most renderings of the part.
    `effect` are drawn design effects of the other part, `correlation` is the one within its clusters. None where
    more renderings move, or where they move the measure to both sides: its mean then says nothing about their number.
    1 where nothing moves in either part.
    """
    own, others = part.job.statistics.summed, other.job.statistics.summed
    away = scores - scores[int(np.argmax(own))]
    moving = np.abs(away) > EQUAL * np.abs(scores).max()
    sides = np.sign(away[moving & (own + others > 0)])
    count = float(own[moving].sum())
    if not len(sides):
        return 1.0
    if count > 1 or np.ptp(sides) > 0:
        return None

    def share(totals: Floats) -> Floats:
        shares: Floats = totals[..., moving].sum(axis=-1) / totals.sum(axis=-1)
        return shares

    drawn = draw(other.job, effect[:DRAWS], seed=seed, pseudo=PSEUDO_DIFFERENCE, formula=share)
    alike = min(max(correlation, CORRELATED), 1 - EQUAL)
    sizes = np.bincount(part.codes[:, 0], part.sizes)
    fewer = count / part.n < others[moving].sum() / other.n
    none, one = few_of(np.rint(sizes[sizes > 0]), drawn.low if fewer else drawn.high, alike)
    below = float((none / 2 if count == 0 else none + one / 2).mean())  # half of the chance of just this
    return min(2 * (below if fewer else 1 - below), 1.0)


def few_of(sizes: Floats, chance: Floats, correlation: float) -> tuple[Floats, Floats]:
    """The chances that clusters of these sizes show none and just one, for each mean chance.

    The correlation within clusters lies between 0 and 1, both left out.
    """
    chance = np.minimum(chance, 1 - 1e-12)[:, None]
    strength = (1 - correlation) / correlation
    clustered = np.log1p(-chance * strength / (strength + np.arange(int(sizes.max()))))
    none: Floats = np.exp(np.cumsum(clustered, axis=1)[:, sizes.astype(np.int64) - 1].sum(axis=1))
    one: Floats = none * (sizes * chance * strength / ((1 - chance) * strength + sizes - 1)).sum(axis=1)
    return none, one
