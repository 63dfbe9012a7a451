"""Is a measure the same in two parts of a run, or in two systems? Tests of the measure itself, not of exchangeability.

Two systems on the same sentences, or two groups of sentences about the same occupations, share their clusters: the
differences of the clusters' influences are compared with their own spread, by Student's t with Satterthwaite's degrees
of freedom, over both axes where clusters cross (variation.py). Two groups of different occupations share none: clusters
change places between the groups, and the difference, divided by its standard error in every arrangement, is compared
with those of all arrangements. That is exact where the groups' clusters are alike, however few or however one-sided
they are (a group that is all male), and right for many clusters where they are not (Janssen 1997, Statistics &
Probability Letters 36; Chung & Romano 2013, Annals of Statistics 41). A formula (P_S) may be the same in groups whose
compositions are not (40 and 60 % female): there the t test has to agree. Ties count half (mid-p: Lancaster 1961).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata
from scipy.stats import t as student

from evenhand.statistics.classical import adjust
from evenhand.statistics.linearised import Codes, Linearised, counted
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import Variation, variation

PRIOR = 2.0  # weight, in clusters, of the variance under equality beside a group's own
BLOCK = 500


def equality(first: Linearised, second: Linearised, *, seed: int, arrangements: int) -> float:
    """The p-value of no difference between two parts. 1 where neither part nor their difference varies at all."""
    over = variation(first, second)
    gap = first.value - second.value
    if not np.isfinite(gap):
        return float("nan")
    by_t = t_test(gap, over, clusters=len(np.union1d(first.clusters(over.leading), second.clusters(over.leading))))
    if not over.nested:
        return by_t
    if first.job.measure.proportion is None and counted(first.job) and counted(second.job):
        # formulas may be equal where compositions are not: neither test may be surprised alone
        return max(by_t, _exchanged(first, second, over.leading, seed=seed, arrangements=arrangements))
    return _between(first, second, over, seed=seed, arrangements=arrangements)


def t_test(gap: float, over: Variation, *, clusters: int) -> float:
    """Student's t with the cluster-robust variance, two-sided.

    Where every cluster shows exactly the same difference there is no variance, and the sign test is left: 2^-clusters.
    """
    if over.variance <= 0 or abs(gap) > 1e8 * np.sqrt(over.variance):
        return 1.0 if abs(gap) < 1e-12 else 0.5**clusters
    return float(2 * student.sf(abs(gap) / np.sqrt(over.variance), over.freedom))


def against_rest(
    whole: Linearised, groups: Sequence[tuple[Linearised, Linearised]], *, seed: int, arrangements: int
) -> tuple[Floats, Floats]:
    """P-values of each group of a run against the rest of it (group, rest), alone and corrected for their number.

    Where no occupation lies in two groups, all groups are tested in the same arrangements; otherwise one by one, and
    corrected by Holm's method.
    """
    overs = [variation(group, rest) for group, rest in groups]
    owned = np.concatenate([group.clusters(0) for group, _ in groups])
    if not all(o.nested and o.leading == 0 for o in overs) or len(np.unique(owned)) < len(owned):
        p = np.array([equality(g, r, seed=seed, arrangements=arrangements) for g, r in groups])
        return p, adjust(p, "holm")
    present, index = np.unique(whole.codes[:, 0], return_inverse=True)
    effects = np.bincount(index, whole.n * whole.moves, minlength=len(present)).astype(np.float64)
    sizes = np.bincount(index, whole.sizes, minlength=len(present)).astype(np.float64)
    owner = np.full(len(present), -1, dtype=np.int64)
    for number, (group, _) in enumerate(groups):
        owner[np.isin(present, group.clusters(0))] = number
    kept = sizes > 0
    clusters = Clusters(effects[kept], sizes[kept], owner[kept], correlation(variation(whole), whole))
    return rearranged(clusters, overs, seed=seed, arrangements=arrangements)


def _between(first: Linearised, second: Linearised, over: Variation, *, seed: int, arrangements: int) -> float:
    parts, axis = (first, second), over.leading
    centre = sum(p.n * p.value for p in parts) / sum(p.n for p in parts)
    effects, sizes, owner = [], [], []
    for number, part in enumerate(parts):
        present, index = np.unique(part.codes[:, axis], return_inverse=True)
        size = np.bincount(index, part.sizes, minlength=len(present))
        move = np.bincount(index, part.moves, minlength=len(present))
        effects.append((part.n * move + size * (part.value - centre))[size > 0])
        sizes.append(size[size > 0])
        owner.append(np.full(int((size > 0).sum()), number, dtype=np.int64))
    clusters = Clusters(
        np.concatenate(effects), np.concatenate(sizes), np.concatenate(owner), correlation(over, *parts)
    )
    p, _ = rearranged(clusters, [over], seed=seed, arrangements=arrangements)
    return float(p[0])


def _exchanged(first: Linearised, second: Linearised, axis: int, *, seed: int, arrangements: int) -> float:
    """P of a difference of formulas as large as this one if the clusters' counts were dealt out to the groups anew."""
    parts = (first, second)
    sums, owner = [], []
    for number, part in enumerate(parts):
        present, index = np.unique(part.codes[:, axis], return_inverse=True)
        cells = np.zeros((len(present), part.job.statistics.cells.shape[1]))
        np.add.at(cells, index.reshape(-1), part.job.statistics.cells)
        sums.append(cells)
        owner.append(np.full(len(present), number, dtype=np.int64))
    cells, owners = np.concatenate(sums), np.concatenate(owner)
    total, smooth = cells.sum(axis=0), first.job.measure.smooth
    rng = np.random.default_rng([seed, 0xE8])
    dealt = rng.permuted(np.broadcast_to(owners, (arrangements, len(owners))), axis=1)
    inside = (np.vstack([owners[None, :], dealt]) == 0).astype(np.float64) @ cells
    gaps = np.nan_to_num(np.abs(smooth(inside) - smooth(total - inside)))
    seen = gaps[0]
    tie = 1e-9 * (1 + seen)
    return float((gaps > seen + tie).mean() + (np.abs(gaps - seen) <= tie).mean() / 2)


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
    ranks = rankdata(-np.round(values, 9), axis=0)  # equal statistics share their ranks: ties count half
    p = (ranks - 0.5) / (arrangements + 1)
    return p[0], _smallest(p)


def _smallest(p: Floats) -> npt.NDArray[np.float64]:
    order = np.argsort(p[0], kind="stable")
    remaining = np.minimum.accumulate(p[:, order][:, ::-1], axis=1)[:, ::-1]
    seen = p[0, order]
    below = (remaining < seen - 1e-12).mean(axis=0) + (np.abs(remaining - seen) <= 1e-12).mean(axis=0) / 2
    stepped = np.empty(len(order))
    stepped[order] = np.maximum.accumulate(np.maximum(below, seen))
    return np.minimum(stepped, 1.0)
