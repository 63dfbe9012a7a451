"""The one cluster bootstrap behind every interval.

Clusters are drawn with replacement (multinomial weights); where clusters cross (occupation and verb), each axis is
drawn by itself and a sentence's weight is the product (the pigeonhole bootstrap, Owen 2007, Annals of Applied
Statistics 1: never too narrow, and too wide where the sentences hardly share anything with their row and column).
Weights are drawn in blocks of 50 resamples, each with a seed spawned from one root, so memory stays small and the
numbers depend on nothing but the seed. All measures, groups and systems see the same weights: any two of them can be
compared resample by resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import ndtr, ndtri
from scipy.stats import t as student

from evenhand.level import tails
from evenhand.statistics.measure import Floats, Measure, Statistics

BLOCK = 50
RESAMPLES = 2_000
AT_ONCE = 2_000_000  # sums of cells kept before the formulas are applied


@dataclass(frozen=True)
class Job:
    """A measure and its statistics on one part of a table."""

    measure: Measure
    statistics: Statistics

    def of_totals(self, totals: Floats) -> Floats:
        """Values of sums of cells (an additive measure only)."""
        cells = totals.shape[-1]
        unit = Statistics(
            codes=np.zeros((cells, 1), dtype=np.int64),
            cells=np.eye(cells),
            names=self.statistics.names,
            n=self.statistics.n,
            decided=self.statistics.decided,
        )
        return self.measure.value(unit, totals)

    def point(self) -> float:
        """The estimate itself: every cluster counts once."""
        return float(self.measure.value(self.statistics, np.ones((1, len(self.statistics.codes))))[0])


def draws(sizes: Sequence[int], *, seed: int, resamples: int) -> Iterator[list[Floats]]:
    """Multinomial weights for each axis, block by block: (resamples in the block) x (clusters of the axis)."""
    blocks = -(-resamples // BLOCK)
    for number, sequence in enumerate(np.random.SeedSequence(seed).spawn(blocks)):
        count = min(BLOCK, resamples - number * BLOCK)
        axes = sequence.spawn(len(sizes))
        yield [_multinomial(np.random.default_rng(s), size, count) for s, size in zip(axes, sizes, strict=True)]


def _multinomial(rng: np.random.Generator, size: int, count: int) -> Floats:
    picked = rng.integers(0, size, size=(count, size)) + np.arange(count)[:, None] * size
    return np.bincount(picked.ravel(), minlength=count * size).reshape(count, size).astype(np.float64)


def resample(
    jobs: Sequence[Job],
    sizes: Sequence[int],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    axes: Sequence[int] | None = None,
    sums: bool = False,
) -> list[Floats]:
    """Values of every job under the same resampled weights, one array of `resamples` each.

    With `sums` the weighted sums of the cells instead of the values (additive jobs only). `sizes` are the numbers of
    clusters on each axis, over the whole table; `axes` picks the axes that are resampled (all of them by default, the
    others keep weight 1).
    """
    axes = tuple(range(len(sizes))) if axes is None else tuple(axes)
    if not jobs:
        return []
    strides = np.array([int(np.prod([sizes[a] for a in axes[i + 1 :]])) for i in range(len(axes))])
    keys = [job.statistics.codes[:, list(axes)] @ strides for job in jobs]
    combinations, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    rows = np.split(inverse, np.cumsum([len(k) for k in keys])[:-1])
    codes = [(combinations // stride) % sizes[a] for a, stride in zip(axes, strides, strict=True)]
    matrix, columns = _stack(jobs, rows, len(combinations))
    collected: list[list[Floats]] = [[] for _ in jobs]
    pending: list[Floats] = []

    def settle() -> None:
        # one call of a formula on many resamples costs little more than on a few
        totals = np.concatenate(pending)
        pending.clear()
        for job, column, values in zip(jobs, columns, collected, strict=True):
            if column is not None:
                part = np.ascontiguousarray(totals[:, column])
                values.append(part if sums else job.of_totals(part))

    for block in draws(sizes, seed=seed, resamples=resamples):
        weights = block[axes[0]][:, codes[0]]
        for axis, code in zip(axes[1:], codes[1:], strict=True):
            weights = weights * block[axis][:, code]
        pending.append(np.asarray((matrix @ weights.T).T))
        for job, row, column, values in zip(jobs, rows, columns, collected, strict=True):
            if column is None:
                values.append(job.measure.value(job.statistics, weights[:, row]))
        if sum(p.size for p in pending) > AT_ONCE:
            settle()
    if pending:
        settle()
    return [np.concatenate(values) for values in collected]


def _stack(
    jobs: Sequence[Job], rows: Sequence[np.ndarray], height: int
) -> tuple[sparse.csr_matrix, list[slice | None]]:
    """All additive cells side by side as one sparse matrix (cells x combinations); equal blocks are kept once."""
    parts: list[sparse.csr_matrix] = []
    columns: list[slice | None] = []
    known: dict[bytes, slice] = {}
    width = 0
    for job, row in zip(jobs, rows, strict=True):
        if not job.measure.additive:
            columns.append(None)
            continue
        cells = job.statistics.cells
        key = row.tobytes() + cells.tobytes()
        if key not in known:
            entries = sparse.coo_matrix(cells)
            parts.append(
                sparse.csr_matrix((entries.data, (entries.col, row[entries.row])), shape=(cells.shape[1], height))
            )
            known[key] = slice(width, width + cells.shape[1])
            width += cells.shape[1]
        columns.append(known[key])
    stacked = sparse.vstack(parts, format="csr") if parts else sparse.csr_matrix((0, height))
    return stacked, columns


def leave_one_out(job: Job, axis: int, size: int) -> Floats:
    """The value without each cluster of an axis in turn; clusters that are not in this part leave it as it is."""
    code = job.statistics.codes[:, axis]
    if job.measure.additive:
        sums = cluster_sums(job.statistics, axis, size)
        return job.of_totals(job.statistics.cells.sum(axis=0) - sums)
    present = np.unique(code)
    values = np.full(size, job.point())
    for part in np.array_split(present, max(1, len(present) // 200)):
        values[part] = job.measure.value(job.statistics, (code[None, :] != part[:, None]).astype(np.float64))
    return values


def cluster_sums(statistics: Statistics, axis: int, size: int) -> Floats:
    """Cells summed by the clusters of one axis: clusters x cells."""
    code = statistics.codes[:, axis]
    return np.column_stack([np.bincount(code, weights=cell, minlength=size) for cell in statistics.cells.T])


def influence(left_out: Floats, estimate: float) -> Floats:
    """How far each cluster pulls the estimate: estimate minus the value without it (0 where undefined)."""
    pull = estimate - left_out
    return np.where(np.isfinite(pull), pull, 0.0)


def standard_error(pulls: Sequence[Floats]) -> float:
    """Jackknife standard error, axes added up (crossed axes: too large rather than too small)."""
    variance = 0.0
    for pull in pulls:
        clusters = max(int(np.count_nonzero(pull)), 2)
        variance += float((pull**2).sum()) * (clusters - 1) / clusters
    return float(np.sqrt(variance))


def bca(
    estimate: float, values: Floats, pulls: Sequence[Floats], *, clusters: int, level: float
) -> tuple[float, float]:
    """Bias-corrected, accelerated percentiles (Efron 1987), widened for few clusters.

    The widening replaces the normal quantile by Student's t with clusters - 1 degrees of freedom times
    sqrt(k / (k - 1)) (Hesterberg 2015, The American Statistician 69): percentiles of few clusters are too narrow.
    """
    finite = np.sort(values[np.isfinite(values)])
    if not len(finite):
        return np.nan, np.nan
    below = (np.searchsorted(finite, estimate, "left") + np.searchsorted(finite, estimate, "right")) / 2 / len(finite)
    shift = float(ndtri(np.clip(below, 1 / len(finite), 1 - 1 / len(finite))))
    squares = sum(float((p**2).sum()) for p in pulls)
    cubes = sum(float((p**3).sum()) for p in pulls)
    # the pull of a cluster is minus the change when it is left out, so skewness keeps its sign
    bend = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    wide = _wide(clusters, level)
    ends = []
    for quantile in (-wide, wide):
        moved = shift + quantile
        ends.append(float(ndtr(shift + moved / max(1 - bend * moved, 1e-6))))
    low, high = np.quantile(finite, ends)
    return float(low), float(high)


def percentiles(values: Floats, *, clusters: int | None, level: float) -> tuple[float, float]:
    """Plain percentiles of resampled values, widened for few clusters where their number is given."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return np.nan, np.nan
    wide = float(ndtri(tails(level)[1])) if clusters is None else _wide(clusters, level)
    low, high = np.quantile(finite, [ndtr(-wide), ndtr(wide)])
    return float(low), float(high)


def _wide(clusters: int, level: float) -> float:
    return float(student.ppf(tails(level)[1], clusters - 1)) * float(np.sqrt(clusters / (clusters - 1)))
