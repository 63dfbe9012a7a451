"""Is a measure the same in two parts of a run, or in two systems? Tests of the measure itself, not of exchangeability.

Two systems on the same sentences, or two groups of sentences about the same occupations, share their clusters: random
signs of the clusters' differences, or Student's t with Satterthwaite's degrees of freedom where clusters cross or are
fewer than eight. Groups of different occupations share none: a likelihood ratio of shares (inversion.py), or drawn
compositions for formulas of more than two outcomes (effective.py). The chosen test also makes the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.statistics import inversion
from evenhand.statistics.effective import PSEUDO_DIFFERENCE, DesignEffect, Draws, Evaluate, draw
from evenhand.statistics.intervals import normal_quantile
from evenhand.statistics.measure import Floats, Measure
from evenhand.statistics.variation import Linearised, Variation, counted, slopes, variation

MANY = 1e9  # renderings: so many that constants in formulas (the half of log_ratio) have no effect
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(16)
_PLACE = (_NODE + 1) / 2
# nodes between 0 and 1 and their weights, denser at the ends, where a root may have an infinite slope
_WAY = (_PLACE**2 * (3 - 2 * _PLACE), 3 * _PLACE * (1 - _PLACE) * _WEIGHT)
STEEP = 3.0  # a slope this many times that after half a rendering more in every cell
FLIPPED = 8  # shared clusters from which signs are flipped; fewer have too few combinations


@dataclass(frozen=True)
class Tested:
    """A value or difference with the one test that gives its p and its interval. The pivot works on the measure's
    smooth scale; `middle` is the mean of two parts there (None: the same scale)."""

    pivot: inversion.Pivot
    value: float
    measure: Measure
    parts: int
    middle: float | None = None

    @property
    def p(self) -> float:
        """The p-value of no difference."""
        return self.pivot.p(0.0)

    def interval(self, level: float) -> tuple[float, float]:
        """What the test does not reject at this level."""
        low, high = self.measure.bounds
        ends = (low - high, high - low) if self.parts == 2 else (low, high)
        inner = inversion.inverted(self.pivot, level, ends)
        return inner if self.middle is None else (self._own(inner[0]), self._own(inner[1]))

    def _own(self, amount: float) -> float:
        """A difference on the smooth scale as one on the measure's scale, the mean of the two parts fixed."""
        assert self.middle is not None
        low, high = self.measure.bounds
        one, two = self.measure.unsmooth(np.clip(self.middle + np.array([amount, -amount]) / 2, low, high))
        return float(one - two)

    def tipping(self, alpha: float) -> tuple[int, float] | None:
        """For a significant difference: the group, and the correlation within its clusters at which it no longer is."""
        if not isinstance(self.pivot, inversion.LikelihoodRatio) or self.p >= alpha:
            return None
        return self.pivot.tipping(alpha)


def unchanged(part: Linearised, *, seed: int, draws: int) -> Tested:
    """The test that a value (a change, a balance) is 0."""
    return Tested(_shared((part,), variation(part), seed=seed, draws=draws), part.job.point(), part.job.measure, 1)


def difference(first: Linearised, second: Linearised, *, seed: int, draws: int) -> Tested | None:
    """The test of first minus second; None where one of them is undefined."""
    measure, value = first.job.measure, first.job.point() - second.job.point()
    if not np.isfinite(first.value - second.value):
        return None
    over = variation(first, second)
    pivot: inversion.Pivot | None = None
    if over.nested and not (counted(first.job) and counted(second.job)):
        # clusters of one part alone: signs of their values, which are no differences, would add the mean's square
        clusters = len(first.clusters(over.leading)) + len(second.clusters(over.leading))
        pivot = inversion.StudentT.of(value, over, clusters=clusters)
    elif over.nested:
        pivot = _likelihoods(first, second, over)
    elif not (_steep(first) or _steep(second)):
        smooth = (first.value + second.value) / 2 if type(measure).unsmooth is not Measure.unsmooth else None
        return Tested(_shared((first, second), over, seed=seed, draws=draws), value, measure, 2, smooth)
    return Tested(pivot or drawn(first, second, over, seed=seed, draws=draws), value, measure, 2)


def _steep(part: Linearised) -> bool:
    """No slope describes the measure: one more rendering would change it much (a set of the TGBI without a woman)."""
    if not counted(part.job):
        return False
    totals = part.job.statistics.summed
    here, near = (np.abs(slopes(part.job.measure, at)).max() for at in (totals, totals + 0.5))
    return bool(here > STEEP * near)


def _shared(parts: tuple[Linearised, ...], over: Variation, *, seed: int, draws: int) -> inversion.Pivot:
    """Clusters shared by the parts: signs of their differences over one axis, Student's t over several or few."""
    present = np.unique(np.concatenate([part.clusters(over.leading) for part in parts]))
    floor, crossed = inversion.Floor.of(parts), any(len(part.axes()) > 1 for part in parts)
    if crossed or len(present) < FLIPPED:
        value = parts[0].value - (parts[1].value if len(parts) > 1 else 0.0)
        return inversion.StudentT.of(value, over, clusters=len(present), floor=floor)
    count = 1 + max(int(part.codes[:, over.leading].max()) for part in parts)  # undecided clusters have codes too
    differences, shares = np.zeros(count), np.zeros(count)
    between = _between(parts)
    for sign, part in zip((1.0, -1.0), parts, strict=False):
        own, codes = part.sizes / part.n, part.codes[:, over.leading]
        adds = part.moves + own * part.value if between is None else part.job.statistics.cells @ between / part.n
        differences += sign * np.bincount(codes, adds, minlength=count)
        shares += np.bincount(codes, own, minlength=count) / len(parts)
    return inversion.SignFlips(differences[present], shares[present], seed=seed, draws=draws, floor=floor)


def _between(parts: tuple[Linearised, ...]) -> Floats | None:
    """Slopes in the shares of the cells, averaged between the two parts, so that they add up to the difference. Flipped
    signs require that two systems' answers about a cluster can be exchanged without another change. None where no slope
    does (the measure rises and falls again between the parts)."""
    if len(parts) < 2 or not all(counted(part.job) for part in parts):
        return None
    measure = parts[0].job.measure
    one, two = (part.job.statistics.summed / part.job.statistics.summed.sum() for part in parts)
    seen = one + two > 0
    turned = (own[seen] - own[seen].mean() for own in (slopes(measure, MANY * one), slopes(measure, MANY * two)))
    if float(np.dot(*turned)) < 0:  # P_S from .4 to .6 female: the average slope is 0
        return None
    ways = [slopes(measure, MANY * (two + at * (one - two))) for at in _WAY[0]]
    slope: Floats = MANY * _WAY[1] @ np.array(ways)
    made, gap = float(slope @ (one - two)), parts[0].value - parts[1].value
    if abs(made - gap) <= 1e-9:
        return slope
    return slope * (gap / made) if abs(made - gap) <= 0.02 * abs(gap) else None


def _likelihoods(first: Linearised, second: Linearised, over: Variation) -> inversion.LikelihoodRatio | None:
    """The likelihood ratio of two groups in a measure of one share, over the axis they do not share; else None."""
    measure, totals = first.job.measure, first.job.statistics.summed + second.job.statistics.summed
    cell, curve = measure.proportion, None
    if cell is None:
        seen = np.flatnonzero(totals > 0)
        if len(seen) > 2:
            return None
        cell = int(seen[0])
        curve = _curve(measure, cell, int(seen[-1]), len(totals))
    scores = np.zeros(len(totals))
    scores[cell] = 1.0
    one, two = (inversion.ShareLikelihood.of(part, over.leading, cell) for part in (first, second))
    return inversion.LikelihoodRatio(one, two, variation(first.along(scores), second.along(scores)).variance, curve)


def _curve(measure: Measure, cell: int, other: int, cells: int) -> inversion.Curve:
    """The measure of many renderings by their share of one cell, the rest in another."""

    def curve(shares: Floats) -> Floats:
        totals = np.zeros((len(shares), cells))
        totals[:, other] = MANY * (1 - shares)
        totals[:, cell] = MANY * (shares if cell != other else 1.0)
        return measure.of_totals(totals)

    return curve


Formulas = tuple[Evaluate | None, Evaluate | None]  # of two parts; None: the measure's own


def drawn(
    first: Linearised, second: Linearised, over: Variation, *, seed: int, draws: int, evaluate: Formulas = (None, None)
) -> Draws:
    """Differences of drawn compositions: each part has its own design effect where one axis is sampled. `evaluate`
    replaces the parts' formulas where more is drawn (a calibration)."""
    parts = (first, second)
    if over.nested and all(len(part.axes()) == 1 for part in parts):
        # sentences of one group may be all alike, those of the other not
        seen = [DesignEffect.of(variation(part), part) for part in parts]
        effect = [own.drawn(seed=seed + number, draws=draws) for number, own in enumerate(seen)]
    else:
        effect = [DesignEffect.of(over, *parts).drawn(seed=seed, draws=draws)] * 2
    one, two = (
        draw(part.job, own, seed=seed, pseudo=PSEUDO_DIFFERENCE, evaluate=formula, stream=number)
        for number, (part, own, formula) in enumerate(zip(parts, effect, evaluate, strict=True), start=1)
    )
    return one - two


# P-values corrected for a family of tests that depend on one another: systems, pairs, measures on the same clusters.
# Measures of one run are highly correlated (more female is less male), so Bonferroni's or Holm's correction would be
# too strict. The tests' joint distribution follows from the covariance of their influences over clusters; the corrected
# p is the chance that the largest of the remaining statistics reaches this one, stepping down (Westfall & Young 1993;
# Hothorn, Bretz & Westfall 2008, Biometrical Journal 50).


def influences(tests: Sequence[Sequence[Linearised]], sizes: Sequence[int]) -> Floats:
    """What moves each test (a column) by cluster, the axes below one another (sizes: clusters on each axis). A test is
    of one part against 0, or of a first minus a second."""
    by_axis = []
    for axis, size in enumerate(sizes):
        moves = np.zeros((size, len(tests)))
        for number, parts in enumerate(tests):
            for sign, part in zip((1.0, -1.0), parts, strict=False):
                moves[:, number] += sign * np.bincount(part.codes[:, axis], part.moves, minlength=size)
        by_axis.append(moves)
    return np.concatenate(by_axis)


def step_down(p_values: Floats, moves: Floats, *, seed: int, draws: int) -> Floats:
    """P-values corrected for the whole family, from the tests' influences. NaN (no test was possible) stays NaN and
    does not count; nor does a difference that nothing moves (never neutral in either system)."""
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
    else:  # all pairs of forty systems are thousands of tests, but have no more directions than there are clusters
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
