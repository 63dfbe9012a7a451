"""How far each rendering and each cluster moves a measure, and the variance of an estimate that follows.

A measure of sums is linearised: the influence of a rendering is the slope of the measure in the cell it falls into
(Binder 1983, International Statistical Review 51). Measures that are no counts of renderings use the jackknife instead.

Sentences of one cluster vary together, so the variance is the sum of squares of the clusters' influences, each
divided by one minus the cluster's share of the sentences (CR2: Bell & McCaffrey 2002, Survey Methodology 28; a cluster
pulls the estimate towards itself), with Satterthwaite's degrees of freedom under a common correlation within clusters
(Imbens & Kolesar 2016, Review of Economics and Statistics 98). Where clusters cross, variances over the axes are added
and that over their intersections subtracted, never below the largest single one (Cameron, Gelbach & Miller 2011,
Journal of Business & Economic Statistics 29; MacKinnon, Nielsen & Webb 2021, ibid. 39). statsmodels has CR1 for
regressions but neither CR2 with these degrees of freedom nor formulas of counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np
import numpy.typing as npt

from evenhand.statistics.measure import Floats, Job, Measure

STEP = 1e-5  # of all renderings: how far a cell is moved to find a slope
ENOUGH = 3  # clusters below which an axis says nothing about its own variance

Codes = npt.NDArray[np.int64]


def slopes(measure: Measure, totals: Floats) -> Floats:
    """What one more rendering in each cell adds to the measure, on its smooth scale; zero on average over renderings. A
    cell in which the measure is undefined nearby counts as flat."""
    n = float(totals.sum())
    step = STEP * max(n, 1.0)
    moves = step * np.eye(len(totals))
    here = measure.smooth(totals[None, :])[0]
    above, below = measure.smooth(totals + moves), measure.smooth(np.maximum(totals - moves, 0.0))
    central = totals >= step
    slope = np.where(central, (above - below) / (2 * step), (above - here) / step)
    slope = np.where(np.isfinite(slope), slope, 0.0)
    return np.asarray(slope - (slope @ totals) / n)


def counted(job: Job) -> bool:
    """The cells are counts of renderings that exclude one another: together they are a composition."""
    cells, total = job.statistics.cells, float(job.statistics.summed.sum())
    counts = job.measure.estimated_counts or bool((cells >= 0).all())
    return job.measure.additive and counts and 0 < total <= job.statistics.n + 1e-9


@dataclass(frozen=True)
class Linearised:
    """A measure on one part of a run, linearised. `moves` is what the renderings of each row of the statistics add to
    the value, `sizes` how many they are. `independent` and `fourth` are the sums of the second and fourth powers over
    single renderings: the variance if no two sentences were alike, and how few of them carry it. `unseen` is variance
    that no cluster shows."""

    job: Job
    moves: Floats
    sizes: Floats
    independent: float
    fourth: float
    value: float
    unseen: float = 0.0

    @classmethod
    def of(cls, job: Job) -> Self:
        """By the slopes of a measure of counts; of any other (chrF, B) by the jackknife, one row left out at a time."""
        statistics = job.statistics
        if counted(job):
            totals, unseen = statistics.summed, statistics.unseen
            slope = slopes(job.measure, totals)
            unseen_variance = 0.0 if unseen is None else max(float(slope @ unseen @ slope), 0.0)
            return cls._by_slope(job, slope, float(job.measure.smooth(totals[None, :])[0]), unseen_variance)
        rows, value = len(statistics.codes), job.point()
        if job.measure.additive and statistics.times is None:
            pull = value - job.measure.of_totals(statistics.summed - statistics.cells)
        else:
            pull = value - job.measure.value(statistics, 1.0 - np.eye(rows))
        moves = np.where(np.isfinite(pull), pull, 0.0)
        return cls.by_moves(job, (moves - moves.mean()) * (rows - 1) / rows, np.ones(rows), value)

    @classmethod
    def by_moves(cls, job: Job, moves: Floats, sizes: Floats, value: float) -> Self:
        """Each row of the statistics counts as one rendering."""
        return cls(job, moves, sizes, float((moves**2).sum()), float((moves**4).sum()), value)

    @classmethod
    def _by_slope(cls, job: Job, slope: Floats, value: float, unseen: float) -> Self:
        cells, totals = job.statistics.cells, job.statistics.summed
        squares, fourth = float(totals @ slope**2), float(totals @ slope**4)
        return cls(job, cells @ slope, cells.sum(axis=1), squares, fourth, value, unseen)

    def along(self, scores: Floats) -> Self:
        """The mean of a score for each cell on the same renderings, instead of the measure itself."""
        totals = self.job.statistics.summed
        value = float(totals @ scores / totals.sum())
        away = scores - value
        # of renderings with one score, the mean may differ from it in the last digit: that is no spread
        away[np.abs(away) <= 1e-12 * np.abs(scores).max()] = 0.0
        return self._by_slope(self.job, away / float(totals.sum()), value, self.unseen)

    @property
    def codes(self) -> Codes:
        """The cluster of each row on each axis."""
        return self.job.statistics.codes

    @property
    def n(self) -> float:
        return float((self.job.statistics.copies * self.sizes).sum())

    def count(self) -> int:
        """How many clusters of the first axis hold a rendering which counts."""
        times = self.job.statistics.times
        return len(self.clusters(0)) if times is None else int(times[self.sizes > 0].sum())

    def clusters(self, axis: int) -> Codes:
        """The clusters of an axis that hold a rendering which counts."""
        return np.unique(self.codes[self.sizes > 0, axis])

    def axes(self) -> tuple[int, ...]:
        """The axes that are sampled here: the first, and every other with at least three clusters in this part. A part
        with one verb says nothing about other verbs: it is about that verb."""
        further = range(1, self.codes.shape[1])
        return (0, *(a for a in further if len(self.clusters(a)) >= ENOUGH))


@dataclass(frozen=True)
class Variation:
    """The variance of an estimate or difference: `freedom` for a t, `carried` the clusters that carry the variance.

    `largest` is the design effect if all sentences of a cluster were alike. `leading` is the axis with the largest
    variance; `nested` says whether no cluster of it lies in both parts.
    """

    variance: float
    freedom: float
    carried: float
    largest: float
    leading: int
    nested: bool


def variation(*parts: Linearised) -> Variation:
    """Variance of the first part's value, or of the first minus the second, over all axes that are sampled."""
    chosen = tuple(sorted(set.intersection(*(set(p.axes()) for p in parts))))
    by_axis = {axis: _along(Sums.of(parts, (axis,)), axis) for axis in chosen}
    total, largest = (sum(getattr(v, name) for v in by_axis.values()) for name in ("variance", "largest"))
    for count in range(2, len(chosen) + 1):
        for group in combinations(chosen, count):
            sums = Sums.of(parts, group)
            total += (-1) ** (count + 1) * sums.variance
            largest += (-1) ** (count + 1) * sums.largest
    leading = max(chosen, key=lambda a: by_axis[a].variance)
    total, summed = max(total, by_axis[leading].variance), sum(v.variance for v in by_axis.values())
    # Satterthwaite: each axis has its own degrees of freedom. What axes share is taken off the variance, not off its
    # doubt; the interval of a count adds that of the design effect
    freedom, carried = (
        amount**2 / sum(v.variance**2 / max(getattr(v, name), 1e-9) for v in by_axis.values())
        if summed > 0
        else min(getattr(v, name) for v in by_axis.values())
        for name, amount in (("freedom", total), ("carried", summed))
    )
    variance = total + sum(part.unseen for part in parts)
    return Variation(variance, freedom, carried, max(largest, 1.0), leading, by_axis[leading].nested)


@dataclass(frozen=True)
class Sums:
    """Influences and sizes of one or two parts summed by the clusters of an axis, or by intersections of several.
    `sizes` has one row per part; `independent` is the variance if no two sentences were alike, of each part. `times` is
    how many clusters have the same sums."""

    moves: Floats
    sizes: Floats
    independent: Floats
    times: Floats

    @classmethod
    def of(cls, parts: Sequence[Linearised], group: tuple[int, ...]) -> Self:
        independent = np.array([p.independent for p in parts])
        if len(parts) == 1 and len(group) == parts[0].codes.shape[1]:  # rows are the intersections themselves
            return cls(parts[0].moves, parts[0].sizes[None, :], independent, parts[0].job.statistics.copies)
        if any(p.job.statistics.times is not None for p in parts):
            raise ValueError("clusters that share a row have one axis and no second part")
        index = _numbered(np.concatenate([p.codes[:, list(group)] for p in parts]))
        rows = np.split(index, np.cumsum([len(p.moves) for p in parts])[:-1])
        count = int(index.max()) + 1
        moves, sizes = np.zeros(count), np.zeros((len(parts), count))
        for number, (sign, row, part) in enumerate(zip((1.0, -1.0), rows, parts, strict=False)):
            moves += sign * np.bincount(row, part.moves, minlength=count)
            sizes[number] = np.bincount(row, part.sizes, minlength=count)
        present = sizes.any(axis=0)
        return cls(moves[present], sizes[:, present], independent, np.ones(int(present.sum())))

    @property
    def shares(self) -> Floats:
        return np.asarray(self.sizes / (self.times * self.sizes).sum(axis=1, keepdims=True))

    @property
    def pulls(self) -> Floats:
        return np.asarray(self.moves**2 / np.maximum(1 - self.shares.max(axis=0), 1e-9))

    @property
    def variance(self) -> float:
        return float((self.times * self.pulls).sum())

    @property
    def largest(self) -> float:
        """The design effect of clusters that are all alike; of two parts the mean, by their share of the variance."""
        total = self.independent.sum()
        weight = self.independent / total if total > 0 else np.full(len(self.sizes), 1 / len(self.sizes))
        times = self.times
        return float(weight @ ((times * self.sizes**2).sum(axis=1) / (times * self.sizes).sum(axis=1)))


def _along(sums: Sums, axis: int) -> Variation:
    """The variance over one axis."""
    pulls, shares, largest, times = sums.times * sums.pulls, sums.shares, sums.largest, sums.times
    variance, independent = float(pulls.sum()), float(sums.independent.sum())
    excess = (variance / independent - 1) / (largest - 1) if independent > 0 and largest > 1 else 0.0
    icc = float(np.clip(excess, 0.0, 1.0))
    nested = not (shares > 0).all(axis=0).any() if len(shares) > 1 else True
    if nested:
        own = [(float(pulls[s > 0].sum()), satterthwaite(s[s > 0], icc, times[s > 0])) for s in sums.sizes]
        freedom = variance**2 / sum(v**2 / f for v, f in own) if variance > 0 else min(f for _, f in own)
    else:
        freedom = satterthwaite(shares.mean(axis=0) * sums.sizes.sum(), icc, times)
    return Variation(variance, freedom, _carried(sums.moves, freedom, times), largest, axis, nested)


def _numbered(codes: Codes) -> Codes:
    """One number for each combination of codes in a row."""
    if codes.shape[1] == 1:
        return codes[:, 0]
    key = codes[:, 0]
    for axis in codes.T[1:]:
        key = key * (int(axis.max()) + 1) + axis
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def satterthwaite(sizes: Floats, icc: float, times: Floats | None = None) -> float:
    """Degrees of freedom of the CR2 variance of a mean over clusters of these sizes with this correlation within.
    Clusters - 1 where all are of one size, fewer the more unequal they are. `times`: how many clusters have each
    size."""
    times = np.ones(len(sizes)) if times is None else times
    if times.sum() < 2:
        return 1e-9
    n = float((times * sizes).sum())
    weight = 1 / (1 - sizes / n)
    own = sizes * (1 + (sizes - 1) * icc)
    # the residual of a cluster subtracts its share of the sum of all: a diagonal matrix plus two rank-one terms
    diagonal = weight * own
    left, right = np.sqrt(weight) * sizes, np.sqrt(weight) * (sizes * (times * own).sum() / (2 * n * n) - own / n)
    cross = float((times * left) @ right)
    trace = float((times * diagonal).sum()) + 2 * cross
    square = float((times * diagonal**2).sum() + 4 * (times * diagonal * left * right).sum()) + 2 * cross**2
    square += 2 * float((times * left) @ left) * float((times * right) @ right)
    return max(trace**2 / square, 1e-9)


def _carried(moves: Floats, freedom: float, times: Floats) -> float:
    """Degrees of freedom of the variance seen in its own tails: k / (1 - k / clusters), at most `freedom`. k = (sum
    u^2)^2 / sum u^4 is the number of equal clusters the variance amounts to. It is half of what the fourth moment says
    under Satterthwaite's formula, because few clusters show too little of their own tails."""
    second, fourth = float((times * moves**2).sum()), float((times * moves**4).sum())
    if fourth <= 0:
        return freedom
    rest = fourth - second**2 / float(times.sum())
    return min(freedom, second**2 / rest) if rest > 1e-12 * fourth else freedom
