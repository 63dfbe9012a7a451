"""Is a measure the same in two parts of a run, or in two systems? Tests of the measure itself, not of exchangeability.

Two systems on the same sentences, or two groups of sentences about the same occupations, share their clusters: the
clusters' differences change their signs, or are compared with their own spread by Student's t with Satterthwaite's
degrees of freedom where clusters cross or are fewer than eight (inversion.py). Two groups of different occupations
share none: each has a likelihood of its own for its share (likelihood.py). A formula of more than two outcomes in such
groups (P_S with neutral renderings) has compositions drawn instead (effective.py). The test that is chosen also makes
the interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.statistics.design_effect import Seen
from evenhand.statistics.effective import PSEUDO_DIFFERENCE, Evaluate, draw, effects
from evenhand.statistics.inversion import Drawn, Floor, Pivot, SignFlips, StudentT, inverted
from evenhand.statistics.likelihood import Curve, LikelihoodRatio, ShareLikelihood, by_cluster
from evenhand.statistics.linearised import Linearised, counted, slopes
from evenhand.statistics.measure import Floats, Measure
from evenhand.statistics.variation import Variation, variation

MANY = 1e9  # renderings: formulas with constants of their own (log_ratio's half) no longer feel them
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(16)
_PLACE = (_NODE + 1) / 2
# places on a way from 0 to 1 and their weights, denser at its ends, where a root may have an infinite slope
_WAY = (_PLACE**2 * (3 - 2 * _PLACE), 3 * _PLACE * (1 - _PLACE) * _WEIGHT)
STEEP = 3.0  # times: a slope here against that of half a rendering more in every cell
FLIPPED = 8  # shared clusters from which on differences change sign; fewer have too few signs between them


@dataclass(frozen=True)
class Tested:
    """A value or difference with the one test that gives its p and its interval.

    The pivot works on the measure's smooth scale; `middle` is the mean of two parts there (None: that is its own).
    """

    pivot: Pivot
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
        inner = inverted(self.pivot, level, ends)
        return inner if self.middle is None else (self._own(inner[0]), self._own(inner[1]))

    def _own(self, amount: float) -> float:
        """A difference on the smooth scale on the measure's own, the mean of the two parts fixed."""
        assert self.middle is not None
        low, high = self.measure.bounds
        one, two = self.measure.unsmooth(np.clip(self.middle + np.array([amount, -amount]) / 2, low, high))
        return float(one - two)

    def tipping(self, alpha: float) -> tuple[int, float] | None:
        """Where a difference is shown: the group, and the correlation within its clusters from which on it is not."""
        if not isinstance(self.pivot, LikelihoodRatio) or self.p >= alpha:
            return None
        return self.pivot.tipping(alpha)


def unchanged(part: Linearised, *, seed: int, draws: int) -> Tested:
    """The test that a value (a change, a balance) is 0."""
    over = variation(part)
    pivot = _shared((part,), over, seed=seed, draws=draws)
    return Tested(pivot, part.job.point(), part.job.measure, 1)


def difference(first: Linearised, second: Linearised, *, seed: int, draws: int) -> Tested | None:
    """The test of first minus second; None where one of them is undefined."""
    measure, value = first.job.measure, first.job.point() - second.job.point()
    if not np.isfinite(first.value - second.value):
        return None
    over = variation(first, second)
    if over.nested and counted(first.job) and counted(second.job):
        pivot = _likelihoods(first, second, over) or drawn(first, second, over, seed=seed, draws=draws)
        return Tested(pivot, value, measure, 2)
    if _steep(first) or _steep(second):
        return Tested(drawn(first, second, over, seed=seed, draws=draws), value, measure, 2)
    smooth = (first.value + second.value) / 2 if type(measure).unsmooth is not Measure.unsmooth else None
    return Tested(_shared((first, second), over, seed=seed, draws=draws), value, measure, 2, smooth)


def _steep(part: Linearised) -> bool:
    """No slope stands for the measure: one rendering more would change it much (a set of the TGBI without a woman)."""
    if not counted(part.job):
        return False
    totals = part.job.statistics.summed
    here, near = (np.abs(slopes(part.job.measure, at)).max() for at in (totals, totals + 0.5))
    return bool(here > STEEP * near)


def t_test(gap: float, over: Variation, *, clusters: int) -> float:
    """Student's t with the cluster-robust variance, two-sided."""
    return StudentT.of(gap, over, clusters=clusters).p(0.0)


def _shared(parts: tuple[Linearised, ...], over: Variation, *, seed: int, draws: int) -> Pivot:
    """Clusters shared by the parts: signs of their differences over one axis, Student's t over several or few."""
    present = np.unique(np.concatenate([part.clusters(over.leading) for part in parts]))
    count = 1 + max(int(part.codes[:, over.leading].max()) for part in parts)  # undecided clusters have codes too
    differences, shares = np.zeros(count), np.zeros(count)
    between = _between(parts)
    for sign, part in zip((1.0, -1.0), parts, strict=False):
        own, codes = part.sizes / part.n, part.codes[:, over.leading]
        adds = part.moves + own * part.value if between is None else part.job.statistics.cells @ between / part.n
        differences += sign * np.bincount(codes, adds, minlength=count)
        shares += np.bincount(codes, own, minlength=count) / len(parts)
    floor = Floor.of(parts)
    crossed = any(len(part.axes()) > 1 for part in parts)
    if crossed or len(present) < FLIPPED:
        value = parts[0].value - (parts[1].value if len(parts) > 1 else 0.0)
        return StudentT.of(value, over, clusters=len(present), floor=floor)
    return SignFlips(differences[present], shares[present], seed=seed, draws=draws, floor=floor)


def _between(parts: tuple[Linearised, ...]) -> Floats | None:
    """Slopes in the shares of the cells, averaged on the way from one part to the other: they make up the difference.

    Two systems' answers about a cluster can then be exchanged without another change, as signs that are flipped
    require; slopes of each part alone would let every cluster of a part in which P_S is 0 speak for the other.
    """
    if len(parts) < 2 or not all(counted(part.job) for part in parts):
        return None
    measure = parts[0].job.measure
    one, two = (part.job.statistics.summed / part.job.statistics.summed.sum() for part in parts)
    seen = one + two > 0
    turned = (own[seen] - own[seen].mean() for own in (slopes(measure, MANY * one), slopes(measure, MANY * two)))
    if float(np.dot(*turned)) < 0:  # from .4 to .6 a balance rises and falls again: on average nothing would count
        return None
    ways = [slopes(measure, MANY * (two + at * (one - two))) for at in _WAY[0]]
    slope: Floats = MANY * _WAY[1] @ np.array(ways)
    made, gap = float(slope @ (one - two)), parts[0].value - parts[1].value
    if abs(made - gap) <= 1e-9:
        return slope
    return slope * (gap / made) if abs(made - gap) <= 0.02 * abs(gap) else None


def _likelihoods(first: Linearised, second: Linearised, over: Variation) -> LikelihoodRatio | None:
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
    one, two = (ShareLikelihood.of(*by_cluster(part, over.leading, cell)) for part in (first, second))
    return LikelihoodRatio(one, two, variation(first.along(scores), second.along(scores)).variance, curve)


def _curve(measure: Measure, cell: int, other: int, cells: int) -> Curve:
    """The measure of ever so many renderings by their share of one cell, the others in another."""

    def curve(shares: Floats) -> Floats:
        totals = np.zeros((len(shares), cells))
        totals[:, other] = MANY * (1 - shares)
        totals[:, cell] = MANY * (shares if cell != other else 1.0)
        return measure.of_totals(totals)

    return curve


def drawn(
    first: Linearised,
    second: Linearised,
    over: Variation,
    *,
    seed: int,
    draws: int,
    evaluate: tuple[Evaluate | None, Evaluate | None] = (None, None),
) -> Drawn:
    """Differences of drawn compositions: each part has its own design effect where one axis is sampled.

    `evaluate` replaces the parts' formulas where there is more to draw (a calibration).
    """
    parts = (first, second)
    if over.nested and all(len(part.axes()) == 1 for part in parts):
        # sentences of one group may be all alike, those of the other not
        seen = [Seen.of(variation(part), part) for part in parts]
        effect = [effects(own, seed=seed + number, draws=draws) for number, own in enumerate(seen)]
    else:
        effect = [effects(Seen.of(over, *parts), seed=seed, draws=draws)] * 2
    one, two = (
        draw(part.job, own, seed=seed, pseudo=PSEUDO_DIFFERENCE, evaluate=formula, stream=number)
        for number, (part, own, formula) in enumerate(zip(parts, effect, evaluate, strict=True), start=1)
    )
    return Drawn(first.job.point() - second.job.point(), one - two)
