"""Which interval an estimate gets: the cluster bootstrap, or Wilson's where that has nothing to work with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from evenhand.statistics import boundary
from evenhand.statistics.bootstrap import Job, bca, cluster_sums, influence, leave_one_out, percentiles, standard_error
from evenhand.statistics.measure import Floats

SIDED = 0.42  # a bootstrap distribution with less than this share on one side of the estimate is folded over
FEW = 10  # below this many clusters a bootstrap says too little
CARRY, CARRY_DIFFERENCE = 5, 3  # the same for the number of clusters that an estimate, or a difference, hangs on


@dataclass(frozen=True)
class Interval:
    """A value with its interval and, in words, how the interval was made."""

    value: float
    low: float
    high: float
    method: str

    @property
    def width(self) -> float:
        return self.high - self.low


Regions = dict[tuple[str, bytes, float | None], tuple[float, float]]


def interval(
    job: Job,
    values: Floats,
    axes: Sequence[int],
    sizes: Sequence[int],
    *,
    over: str,
    level: float,
    known: Regions | None = None,
) -> Interval:
    """The interval of one job from its resampled values.

    Four cases, named in `method`. The bootstrap (BCa) in general. Wilson's on the probes below 10 clusters on any axis,
    or when all renderings agree. When the estimate hangs on fewer than 5 clusters that differ from the rest, Wilson's
    on the effective number of probes: the clustering that can be seen is taken into account. The same at a turning
    point of the formula (P_S at half female, half male), where every resample lies on one side of the estimate. Never
    an interval of no width unless the measure is undefined. `known` keeps the regions found so far: words with the
    same counts have the same one.
    """
    known = {} if known is None else known
    estimate = job.point()
    if not np.isfinite(estimate):
        return Interval(estimate, np.nan, np.nan, "undefined")
    clusters = min(len(np.unique(job.statistics.codes[:, a])) for a in axes)
    if clusters < FEW:
        return _wilson(job, estimate, f"Wilson on the probes ({clusters} clusters)", level=level, known=known)
    if job.measure.resampled_only:
        low, high = percentiles(values, clusters=clusters, level=level)
        if low == high:  # every resample alike says nothing about how sure the estimate is
            return Interval(estimate, np.nan, np.nan, "none: all clusters alike")
        return Interval(
            estimate, min(low, estimate), max(high, estimate), f"cluster bootstrap over {over}, percentiles"
        )
    pulls = [influence(leave_one_out(job, a, sizes[a]), estimate) for a in axes]
    if not any(np.abs(p).max() > 1e-12 for p in pulls):
        return _wilson(job, estimate, "Wilson on the probes (boundary: all alike)", level=level, known=known)
    counts = counted(job)
    if counts and min(carried(p) / limit(int(np.count_nonzero(p))) for p in pulls if np.any(p)) < 1:
        size = effective_size(job, standard_error(pulls))
        method = f"Wilson on {size:.0f} effective probes (few clusters differ)"
        return _wilson(job, estimate, method, n=size, level=level, known=known)
    below = float((values < estimate).mean() + (values == estimate).mean() / 2)
    if counts and not SIDED < below < 1 - SIDED:
        size = effective_size_of_shares(job, axes, sizes)
        method = f"Wilson on {size:.0f} effective probes (turning point of the formula)"
        return _wilson(job, estimate, method, n=size, level=level, known=known)
    low, high = bca(estimate, values, pulls, clusters=clusters, level=level)
    if counts and job.measure.proportion is None:  # a share never turns
        size = effective_size_of_shares(job, axes, sizes)
        bottom, top = boundary.peaks(job.of_totals, job.statistics.cells.sum(axis=0), n=size, level=level)
        low, high = float(np.fmin(low, bottom)), float(np.fmax(high, top))
    return Interval(estimate, min(low, estimate), max(high, estimate), f"cluster bootstrap over {over}")


def carried(pull: Floats) -> float:
    """On how many clusters the estimate hangs: (sum u^2)^2 / sum u^4, the number of equal pulls it amounts to."""
    return float((pull**2).sum() ** 2 / (pull**4).sum())


def limit(clusters: int, least: int = CARRY) -> float:
    """Fewest clusters an estimate may hang on: 5 (a difference: 3), less where there are few clusters at all."""
    return min(least, clusters / 5)


def effective_size(job: Job, error: float) -> float:
    """Number of independent renderings that would give this standard error (never more than there are)."""
    totals = job.statistics.cells.sum(axis=0)
    n = float(totals.sum())
    slope = boundary.gradient(job.of_totals, totals / n, n)
    share = totals / n
    variance = float((slope**2 * share).sum() - (slope * share).sum() ** 2)
    return float(np.clip(variance / error**2, 1.0, n)) if error > 0 and variance > 0 else n


def effective_size_of_shares(job: Job, axes: Sequence[int], sizes: Sequence[int]) -> float:
    """The same from the cells' shares themselves, for where the measure's own slope vanishes."""
    cells = job.statistics.cells
    totals = cells.sum(axis=0)
    n = float(totals.sum())
    share = totals / n
    expected, seen = float((share * (1 - share)).sum()), 0.0
    for axis in axes:
        sums = cluster_sums(job.statistics, axis, sizes[axis])
        seen += float(((sums - share * sums.sum(axis=1, keepdims=True)) ** 2).sum()) / n**2
    return float(np.clip(expected / seen, 1.0, n)) if seen > 0 else n


def counted(job: Job) -> bool:
    """The cells are counts of renderings that exclude one another, so that Wilson's region applies."""
    cells = job.statistics.cells
    return job.measure.additive and bool((cells >= 0).all()) and float(cells.sum()) <= job.statistics.n + 1e-9


def _wilson(
    job: Job, estimate: float, method: str, *, n: float | None = None, level: float, known: Regions
) -> Interval:
    if not counted(job):
        return Interval(estimate, np.nan, np.nan, "none: too few clusters")
    cells = job.statistics.cells
    totals = cells.sum(axis=0)
    column = job.measure.proportion
    if column is None:
        key = (job.measure.name, totals.tobytes(), n)
        if key not in known:
            known[key] = boundary.region(job.of_totals, totals, n=n, level=level)
        low, high = known[key]
    else:
        total = float(totals.sum())
        share, size = float(totals[column]) / total, total if n is None else n
        ends = boundary.wilson(share * size, size, level=level)
        low, high = (estimate + end - share for end in ends)
    return Interval(estimate, min(low, estimate), max(high, estimate), method)


@dataclass(frozen=True)
class Sampled:
    """A job with its resampled values over some axes, and the interval made from them."""

    job: Job
    values: Floats
    interval: Interval
    axes: tuple[int, ...]

    def clusters(self, axis: int) -> set[int]:
        """The clusters of an axis that occur in this part."""
        return set(np.unique(self.job.statistics.codes[:, axis]).tolist())


def interval_of_difference(
    first: Sampled, second: Sampled, sizes: Sequence[int], *, over: str, level: float
) -> tuple[Interval, float]:
    """First minus second under the same resampled clusters: the interval, and the p-value of no difference.

    Percentiles of the resampled differences (what is skewed in the parts mostly cancels), widened for few clusters
    where one axis is resampled (over several the bootstrap is wide as it is). With fewer than 10 clusters, or a
    difference that hangs on fewer than 3: the two parts' own intervals put together with the correlation of their
    resamples (Zou & Donner 2008). The p-value is a Wald test with the jackknife
    standard error over clusters and Student's t: robust to sentences that share a cluster. NaN where undefined.
    """
    axes = first.axes
    gap = first.interval.value - second.interval.value
    if not np.isfinite(gap):
        return Interval(gap, np.nan, np.nan, "undefined"), np.nan
    pulls = []
    for axis in axes:
        without = leave_one_out(first.job, axis, sizes[axis]) - leave_one_out(second.job, axis, sizes[axis])
        pulls.append(influence(without, gap))
    clusters = min(len(first.clusters(a) | second.clusters(a)) for a in axes)
    error = standard_error(pulls)
    p = float(2 * student.sf(abs(gap) / error, clusters - 1)) if error > 0 and clusters > 1 else np.nan
    enough = clusters >= FEW and all(
        np.any(u) and carried(u) >= limit(int(np.count_nonzero(u)), CARRY_DIFFERENCE) for u in pulls
    )
    if enough:
        few = clusters if len(axes) == 1 else None
        low, high = percentiles(first.values - second.values, clusters=few, level=level)
        return Interval(gap, min(low, gap), max(high, gap), f"cluster bootstrap over {over}"), p
    return _put_together(first, second), p


def _put_together(first: Sampled, second: Sampled) -> Interval:
    one, two = first.interval, second.interval
    gap = one.value - two.value
    usable = np.isfinite(first.values) & np.isfinite(second.values)
    together = 0.0
    if usable.sum() > 2 and np.ptp(first.values[usable]) > 0 and np.ptp(second.values[usable]) > 0:
        together = float(np.corrcoef(first.values[usable], second.values[usable])[0, 1])

    def reach(a: float, b: float) -> float:
        return float(np.sqrt(max(a * a + b * b - 2 * together * a * b, 0.0)))

    low = gap - reach(one.value - one.low, two.high - two.value)
    high = gap + reach(one.high - one.value, two.value - two.low)
    return Interval(gap, low, high, f"from both intervals: {one.method}; {two.method}")
