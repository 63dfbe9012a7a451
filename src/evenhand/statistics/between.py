"""Groups of different occupations, which share no cluster: is their difference more than chance?

Two answers are weighed. Clusters change places between the groups, and the difference, divided by its standard error
in every arrangement, is compared with those of all arrangements. That is exact where the groups' clusters are alike,
however few or however one-sided they are (a group that is all male), and right for many clusters where they are not
(Janssen 1997, Statistics & Probability Letters 36; Chung & Romano 2013, Annals of Statistics 41). And each group's
composition is drawn by its own rule, with its own design effect (effective.py), as for the interval of the difference:
that holds where sentences of one group are all alike and those of the other are not. The more the data speak against
one correlation within clusters in both groups, the less the arrangements count; and hardly at all where a group shows
few women, for it cannot speak against it. A group that shows one or none has a rule of its own (unseen.py). Ties count
half (mid-p: Lancaster 1961).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evenhand.statistics.design_effect import Seen
from evenhand.statistics.effective import PSEUDO_DIFFERENCE, draw, effects
from evenhand.statistics.linearised import Codes, Linearised
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import Variation, variation

PRIOR = 2.0  # weight, in clusters, of the variance under equality beside a group's own
MOST = 0.1  # weight of the arrangements (fixed by simulation: docs/validation.md) where a group ...
SILENT = 3.0  # ... has fewer effective renderings than this that move the measure
BLOCK = 500


def arranged(first: Linearised, second: Linearised, over: Variation, *, seed: int, arrangements: int) -> float:
    """The p-value of no difference between two groups that share no cluster of the leading axis, by arrangements."""
    parts, axis = (first, second), over.leading
    centre = sum(p.n * p.value for p in parts) / sum(p.n for p in parts)
    moved, sizes, owner = [], [], []
    for number, part in enumerate(parts):
        present, index = np.unique(part.codes[:, axis], return_inverse=True)
        size = np.bincount(index, part.sizes, minlength=len(present))
        move = np.bincount(index, part.moves, minlength=len(present))
        moved.append((part.n * move + size * (part.value - centre))[size > 0])
        sizes.append(size[size > 0])
        owner.append(np.full(int((size > 0).sum()), number, dtype=np.int64))
    clusters = Clusters(np.concatenate(moved), np.concatenate(sizes), np.concatenate(owner), correlation(over, *parts))
    p, _ = rearranged(clusters, [over], seed=seed, arrangements=arrangements)
    return float(p[0])


def weighed(p: float, first: Linearised, second: Linearised, scores: Floats, *, seed: int, draws: int) -> float:
    """The p of the arrangements and that of the groups' own design effects, by how alike their clusters are.

    `scores` are what a rendering in each cell adds. Over crossed axes the first alone.
    """
    if len(first.axes()) > 1 or len(second.axes()) > 1:
        return p
    parts = (first, second)
    overs = [variation(part) for part in parts]
    seen = [Seen.of(over, part) for over, part in zip(overs, parts, strict=True)]
    drawn = [effects(own, seed=seed + number, draws=draws) for number, own in enumerate(seen)]
    alone = [
        unseen(part, other, scores, effect, correlation(over, other), seed=seed)
        for part, other, effect, over in zip(parts, parts[::-1], drawn[::-1], overs[::-1], strict=True)
    ]
    chances = [chance for chance in alone if chance is not None]
    if chances:
        return max(chances)

    def score(totals: Floats) -> Floats:
        mean: Floats = totals @ scores / totals.sum(axis=-1)
        return mean

    one, two = (
        draw(part.job, effect, seed=seed, pseudo=PSEUDO_DIFFERENCE, formula=score, stream=number)
        for number, (part, effect) in enumerate(zip(parts, drawn, strict=True), start=1)
    )
    weight = min(seen[0].alike(seen[1]), MOST if any(own.movers < SILENT for own in seen) else 1.0)
    return weight * p + (1 - weight) * (one - two).beyond(0.0)


def correlation(over: Variation, *parts: Linearised) -> float:
    """The correlation within clusters that the variance amounts to, between 0 and 1."""
    independent = sum(p.independent for p in parts)
    if independent <= 0 or over.largest <= 1:
        return 0.0
    return float(np.clip((over.variance / independent - 1) / (over.largest - 1), 0.0, 1.0))


class Clusters:
    """Clusters of one run by the group that owns them: effects on the measure under equality, sizes, correlation."""

    def __init__(self, effects: Floats, sizes: Floats, owner: Codes, icc: float) -> None:
        expected = sizes * (1 + (sizes - 1) * icc)
        self.scale = float((effects**2).sum() / expected.sum()) if expected.sum() > 0 else 0.0
        self.owner = owner
        self.columns = np.column_stack(
            [np.ones_like(effects), effects, sizes, effects**2, effects * sizes, sizes**2, expected]
        )

    def statistics(self, owners: Codes, group: int, inflated: float) -> Floats:
        """Studentised difference of a group from all others, for each arrangement of owners (arrangements x clusters).

        Each side's variance is its own, steadied by the one expected under equality with a weight of two clusters.
        """
        inside = (owners == group).astype(np.float64) @ self.columns
        gap, variance = np.zeros(len(owners)), np.zeros(len(owners))
        for sign, side in ((1.0, inside), (-1.0, self.columns.sum(axis=0) - inside)):
            count, effect, n, square, cross, sizes, expected = side.T
            mean = effect / n
            spread = np.maximum(square - 2 * mean * cross + mean**2 * sizes, 0.0) * count / np.maximum(count - 1, 1.0)
            steadied = ((count - 1) * spread + PRIOR * self.scale * expected) / (count - 1 + PRIOR)
            gap += sign * mean
            variance += steadied / n**2
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(np.abs(gap) / np.sqrt(inflated * variance), posinf=0.0)


def rearranged(
    clusters: Clusters, groups: Sequence[Variation], *, seed: int, arrangements: int
) -> tuple[Floats, Floats]:
    """P-values of every group against all other clusters, alone and corrected for their number.

    `groups` is the variation of each group's difference from the others, in the order of the owners' numbers: a second
    axis that raises it counts against what was observed. The correction compares each p with the smallest of the same
    arrangement, stepping down (Westfall & Young 1993, min-p): it knows how the tests depend on one another and that
    small groups cannot reach small p-values.
    """
    rng = np.random.default_rng([seed, 0xE9])
    values = np.empty((arrangements + 1, len(groups)))
    for group, over in enumerate(groups):
        inflated = over.variance / over.single if over.single > 0 else 1.0
        values[0, group] = clusters.statistics(clusters.owner[None, :], group, inflated)[0]
    for start in range(1, arrangements + 1, BLOCK):
        count = min(BLOCK, arrangements + 1 - start)
        owners = rng.permuted(np.broadcast_to(clusters.owner, (count, len(clusters.owner))), axis=1)
        for group in range(len(groups)):
            values[start : start + count, group] = clusters.statistics(owners, group, 1.0)
    ranks = np.column_stack([_shared_ranks(column) for column in -np.round(values, 9).T])  # ties count half
    p = (ranks - 0.5) / (arrangements + 1)
    p[0, values[0] == 0] = 1.0  # no difference at all is no surprise; half of all ties would make it .5
    return p[0], _smallest(p)


def _shared_ranks(values: Floats) -> Floats:
    """Ranks from 1 on, the smallest first; equal values share the mean of theirs. SciPy's takes a second to import."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return ranks


def _smallest(p: Floats) -> npt.NDArray[np.float64]:
    order = np.argsort(p[0], kind="stable")
    remaining = np.minimum.accumulate(p[:, order][:, ::-1], axis=1)[:, ::-1]
    seen = p[0, order]
    below = (remaining < seen - 1e-12).mean(axis=0) + (np.abs(remaining - seen) <= 1e-12).mean(axis=0) / 2
    stepped = np.empty(len(order))
    stepped[order] = np.maximum.accumulate(np.maximum(below, seen))
    return np.minimum(stepped, 1.0)


# A group that shows nothing, or one rendering, which moves a measure (all male): how likely is that by chance?
# Such a group does not say how far the sentences of one cluster go together, and a design effect would be no more than
# a guess. With beta distributed chances, mean q and correlation r within clusters, a cluster of n sentences shows none
# with the chance of the product of 1 - q s / (s + i) over i < n, where s = (1 - r) / r, and one with the chance of
# that times n q s / ((1 - q) s + n - 1) (the beta-binomial: Skellam 1948, Journal of the Royal Statistical Society B
# 10). Few are the likelier the larger r is, so r is taken as large as can be reckoned with: one half, or what the
# other group shows where that is more (the largest p over what a nuisance parameter may be: Berger & Boos 1994,
# Journal of the American Statistical Association 89). q is drawn from the other group.

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
