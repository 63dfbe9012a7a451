"""Is a measure the same in two parts of a run, or in two systems? Tests of the measure itself, not of exchangeability.

Two systems on the same sentences, or two groups of sentences about the same occupations, share their clusters: the
clusters' differences change their signs (the wild cluster bootstrap without an estimated variance: Cameron, Gelbach &
Miller 2008, Review of Economics and Statistics 90), or are compared with their own spread by Student's t with
Satterthwaite's degrees of freedom where clusters cross or are fewer than eight (variation.py). Two groups of different
occupations share none (between.py). A formula (P_S) may be the same in groups whose compositions are not (40 and 60 %
female): a difference has to surprise both where the compositions are the same and where they lie on either side of a
turning point.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from evenhand.statistics.between import Clusters, arranged, correlation, rearranged, weighed
from evenhand.statistics.classical import adjust
from evenhand.statistics.linearised import Linearised, counted, slopes
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import student_above
from evenhand.statistics.variation import Variation, variation

FLIPPED = 8  # shared clusters from which on differences change sign; fewer have too few signs between them
LARGEST = 400  # differences whose signs are drawn one by one; the rest of many is normal


def equality(first: Linearised, second: Linearised, *, seed: int, arrangements: int) -> float:
    """The p-value of no difference between two parts. 1 where neither part nor their difference varies at all."""
    over = variation(first, second)
    if not np.isfinite(first.value - second.value):
        return float("nan")
    if not over.nested:
        return _shared(first, second, over, seed=seed, arrangements=arrangements)
    if not (counted(first.job) and counted(second.job)):
        return arranged(first, second, over, seed=seed, arrangements=arrangements)
    p = _composition(first, second, seed=seed, arrangements=arrangements)
    return p if first.job.measure.proportion is not None else max(p, _either_side(first, second))


def t_test(gap: float, over: Variation, *, clusters: int) -> float:
    """Student's t with the cluster-robust variance, two-sided.

    Where every cluster shows exactly the same difference there is no variance, and the sign test is left: 2^-clusters.
    """
    if over.variance <= 0 or abs(gap) > 1e8 * np.sqrt(over.variance):
        return 1.0 if abs(gap) < 1e-12 else 0.5**clusters
    return 2 * student_above(float(abs(gap) / np.sqrt(over.variance)), over.freedom)


def _shared(first: Linearised, second: Linearised, over: Variation, *, seed: int, arrangements: int) -> float:
    """Parts that share clusters: signs of the clusters' differences over one axis, Student's t over several or few."""
    present = np.union1d(first.clusters(over.leading), second.clusters(over.leading))
    gap = first.value - second.value
    crossed = len(first.axes()) > 1 or len(second.axes()) > 1
    if crossed or len(present) < FLIPPED or over.variance <= 0:
        return t_test(gap, over, clusters=len(present))
    count = 1 + max(int(part.codes[:, 0].max()) for part in (first, second))  # undecided clusters have codes too
    differences = np.zeros(count)
    for sign, part in ((1.0, first), (-1.0, second)):
        weight = part.moves + part.sizes / part.n * part.value
        differences += sign * np.bincount(part.codes[:, 0], weight, minlength=count)
    return sign_flips(differences[present], seed=seed, draws=arrangements)


def sign_flips(differences: Floats, *, seed: int, draws: int) -> float:
    """How often a sum of differences with random signs is as far from 0 as the one seen: ties count half.

    Draws cannot show less than their own number allows, and in a family of hundreds of tests (ten systems) that is too
    much: where Hoeffding's bound, 2 exp(-seen^2 / 2 sum of squares), which no such p exceeds, is smaller, it counts.
    """
    order = np.argsort(-np.abs(differences), kind="stable")
    large, small = differences[order[:LARGEST]], differences[order[LARGEST:]]
    signs, normal = _signs(seed, draws, len(large))
    sums = signs @ large
    seen = abs(float(differences.sum()))
    if len(small):
        sums += np.sqrt(float(small @ small)) * normal
        sums[0] = seen
    sums = np.abs(sums)
    tie = 1e-9 * float(np.abs(differences).max() + seen)
    drawn = float((sums > seen + tie).mean() + (np.abs(sums - seen) <= tie).mean() / 2)
    squares = float(differences @ differences)
    return min(drawn, 2 * float(np.exp(-(seen**2) / (2 * squares)))) if squares else drawn


@lru_cache(maxsize=4)  # planning asks a thousand times for the same
def _signs(seed: int, draws: int, differences: int) -> tuple[Floats, Floats]:
    """Random signs, a row a draw, the first all positive (every combination once, where they are fewer than draws);
    and a normal number for each row."""
    rng = np.random.default_rng([seed, 0xE7])
    if 2**differences <= draws:
        negative = (np.arange(2**differences)[:, None] >> np.arange(differences)) & 1
        signs = 1.0 - 2.0 * negative.astype(np.float64)
    else:
        signs = rng.integers(0, 2, size=(draws + 1, differences)).astype(np.float64) * 2.0 - 1.0
        signs[0] = 1.0
    normal = rng.standard_normal(len(signs))
    for drawn in (signs, normal):
        drawn.flags.writeable = False
    return signs, normal


def _composition(first: Linearised, second: Linearised, *, seed: int, arrangements: int) -> float:
    """P of this difference if both groups had the same composition, in the direction that moves the measure there."""
    totals = first.job.statistics.cells.sum(axis=0) + second.job.statistics.cells.sum(axis=0)
    scores = slopes(first.job.measure, totals) * float(totals.sum())
    one, two = first.along(scores), second.along(scores)
    over = variation(one, two)
    if not over.nested:
        clusters = np.union1d(one.clusters(over.leading), two.clusters(over.leading))
        return t_test(one.value - two.value, over, clusters=len(clusters))
    p = arranged(one, two, over, seed=seed, arrangements=arrangements)
    return weighed(p, one, two, scores, seed=seed, draws=arrangements)


def _either_side(first: Linearised, second: Linearised) -> float:
    """P of this difference if the groups' compositions lay on either side of a turning point of the formula.

    A quadratic formula differs by its slope in the middle between two compositions times their distance: it is the
    same where the distance is zero, or the slope. This tests the slope, which moves with the sum of the compositions;
    both must be rejected (intersection-union test: Berger 1982, Technometrics 24).
    """
    ends = [slopes(p.job.measure, p.job.statistics.cells.sum(axis=0)) * p.n for p in (first, second)]
    bend = (ends[0] - ends[1]) / 2
    one, two = first.along(bend), second.along(bend)
    over = variation(one, two)
    clusters = np.union1d(first.clusters(over.leading), second.clusters(over.leading))
    return t_test(first.value - second.value, over, clusters=len(clusters))


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
    alone, adjusted = rearranged(clusters, overs, seed=seed, arrangements=arrangements)
    scores = slopes(whole.job.measure, whole.job.statistics.cells.sum(axis=0)) * whole.n
    p = np.array(
        [
            weighed(float(one), group.along(scores), rest.along(scores), scores, seed=seed, draws=arrangements)
            for one, (group, rest) in zip(alone, groups, strict=True)
        ]
    )
    # the correction is the arrangements': it multiplies p by as many tests as the groups amount to
    return p, np.minimum(p * adjusted / alone, 1.0)
