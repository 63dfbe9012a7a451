"""Which interval an estimate gets: the cluster bootstrap, or Wilson's where that has nothing to work with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.measures import boundary
from evenhand.measures.bootstrap import Job, bca, influence, leave_one_out, standard_error
from evenhand.measures.protocol import Floats

FEW = 10  # below this many clusters (or clusters that differ at all) a bootstrap says too little


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval and, in words, how the interval was made."""

    value: float
    low: float
    high: float
    method: str

    @property
    def width(self) -> float:
        return self.high - self.low


def interval(job: Job, values: Floats, axes: Sequence[int], sizes: Sequence[int], *, over: str) -> Interval:
    """The interval of one job from its resampled values.

    Three cases, named in `method`. The bootstrap (BCa) when at least 10 clusters carry the estimate. Wilson's on the
    probes below 10 clusters on any axis, or when all renderings agree. In between, when the estimate hangs on fewer
    than 10 clusters that differ from the rest, Wilson's on the effective number of probes: the clustering that can be
    seen is taken into account. Never an interval of no width unless the measure is undefined (NaN).
    """
    estimate = job.point()
    if not np.isfinite(estimate):
        return Interval(estimate, np.nan, np.nan, "undefined")
    clusters = min(len(np.unique(job.statistics.codes[:, a])) for a in axes)
    if clusters < FEW:
        return _wilson(job, estimate, None, f"Wilson on the probes ({clusters} clusters)")
    pulls = [influence(leave_one_out(job, a, sizes[a]), estimate) for a in axes]
    if not any(np.abs(p).max() > 1e-12 for p in pulls):
        return _wilson(job, estimate, None, "Wilson on the probes (boundary: all alike)")
    if min(carried(p) / limit(int(np.count_nonzero(p))) for p in pulls if np.any(p)) < 1:
        size = effective_size(job, standard_error(pulls))
        return _wilson(job, estimate, size, f"Wilson on {size:.0f} effective probes (few clusters differ)")
    low, high = bca(estimate, values, pulls, clusters=clusters)
    return Interval(estimate, min(low, estimate), max(high, estimate), f"cluster bootstrap over {over}")


def carried(pull: Floats) -> float:
    """On how many clusters the estimate hangs: (sum u^2)^2 / sum u^4, the number of equal pulls it amounts to."""
    return float((pull**2).sum() ** 2 / (pull**4).sum())


def limit(clusters: int) -> float:
    """Fewest clusters an estimate may hang on: 10, less where there are few clusters at all."""
    return min(FEW, clusters / 5)


def effective_size(job: Job, error: float) -> float:
    """Number of independent renderings that would give this standard error (never more than there are)."""
    totals = job.statistics.cells.sum(axis=0)
    n = float(totals.sum())
    slope = boundary.gradient(job.of_totals, totals / n, n)
    share = totals / n
    variance = float((slope**2 * share).sum() - (slope * share).sum() ** 2)
    return float(np.clip(variance / error**2, 1.0, n)) if error > 0 and variance > 0 else n


def _wilson(job: Job, estimate: float, n: float | None, method: str) -> Interval:
    cells = job.statistics.cells
    counts = job.additive and bool((cells >= 0).all()) and float(cells.sum()) <= job.statistics.n + 1e-9
    if not counts:
        return Interval(estimate, np.nan, np.nan, "none: too few clusters")
    low, high = boundary.region(job.of_totals, cells.sum(axis=0), n=n)
    return Interval(estimate, min(low, estimate), max(high, estimate), method)
