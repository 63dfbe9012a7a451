"""How far each rendering and each cluster moves a measure.

A measure of sums is linearised: the influence of a rendering is the slope of the measure in the cell it falls into
(Binder 1983, International Statistical Review 51). Measures that are no counts of renderings have
the jackknife instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evenhand.statistics.measure import Floats, Job, Measure

STEP = 1e-5  # of all renderings: how far a cell is moved to find a slope
ENOUGH = 3  # clusters below which an axis says nothing about its own variance

Codes = npt.NDArray[np.int64]


def slopes(measure: Measure, totals: Floats) -> Floats:
    """What one more rendering in each cell adds to the measure, on its smooth scale; zero on average over renderings.

    A cell in which the measure is undefined nearby counts as flat.
    """
    n = float(totals.sum())
    step = STEP * max(n, 1.0)
    moves = step * np.eye(len(totals))
    here = measure.smooth(totals[None, :])[0]
    above, below = measure.smooth(totals + moves), measure.smooth(np.maximum(totals - moves, 0.0))
    central = totals >= step
    slope = np.where(central, (above - below) / (2 * step), (above - here) / step)
    slope = np.where(np.isfinite(slope), slope, 0.0)
    centred: Floats = slope - (slope @ totals) / n
    return centred


def counted(job: Job) -> bool:
    """The cells are counts of renderings that exclude one another: together they are a composition."""
    cells, total = job.statistics.cells, float(job.statistics.summed.sum())
    counts = job.measure.estimated_counts or bool((cells >= 0).all())
    return job.measure.additive and counts and 0 < total <= job.statistics.n + 1e-9


@dataclass(frozen=True)
class Linearised:
    """A measure on one part of a run, linearised.

    `moves` is what the renderings of each row of the statistics add to the value, `sizes` how many they are.
    `independent` and `fourth` are the sums of the second and fourth powers over single renderings: the variance if no
    two sentences were alike, and how few of them carry it. `unseen` is variance that no cluster shows.
    """

    job: Job
    codes: Codes
    moves: Floats
    sizes: Floats
    independent: float
    fourth: float
    value: float
    unseen: float = 0.0

    @classmethod
    def of(cls, job: Job) -> Linearised:
        if not counted(job):
            return cls._left_out(job)
        totals = job.statistics.summed
        slope = slopes(job.measure, totals)
        unseen = job.statistics.unseen
        return cls(
            job=job,
            codes=job.statistics.codes,
            moves=job.statistics.cells @ slope,
            sizes=job.statistics.cells.sum(axis=1),
            independent=float(totals @ slope**2),
            fourth=float(totals @ slope**4),
            value=float(job.measure.smooth(totals[None, :])[0]),
            unseen=0.0 if unseen is None else max(float(slope @ unseen @ slope), 0.0),
        )

    @classmethod
    def _left_out(cls, job: Job) -> Linearised:
        """For measures that are not counts of renderings (chrF, B): the jackknife, leaving out one row at a time."""
        rows = len(job.statistics.codes)
        value = job.point()
        parts = np.array_split(np.arange(rows), max(1, rows // 200))
        without = [job.measure.value(job.statistics, 1.0 - np.eye(rows)[part]) for part in parts]
        pull = value - np.concatenate(without)
        moves = np.where(np.isfinite(pull), pull, 0.0)
        centred = (moves - moves.mean()) * (rows - 1) / rows
        ones = np.ones(rows)
        return cls(
            job, job.statistics.codes, centred, ones, float((centred**2).sum()), float((centred**4).sum()), value
        )

    def along(self, scores: Floats) -> Linearised:
        """The mean of a score for each cell on the same renderings, instead of the measure itself."""
        cells = self.job.statistics.cells
        totals = self.job.statistics.summed
        value = float(totals @ scores / totals.sum())
        away = scores - value
        # of renderings with one score, the mean may differ from it in the last digit: that is no spread
        away[np.abs(away) <= 1e-12 * np.abs(scores).max()] = 0.0
        slope = away / float(totals.sum())
        return replace(
            self,
            moves=cells @ slope,
            independent=float(totals @ slope**2),
            fourth=float(totals @ slope**4),
            value=value,
        )

    @property
    def n(self) -> float:
        return float((self.job.statistics.copies * self.sizes).sum())

    def count(self) -> int:
        """How many clusters of the first axis hold a rendering which counts."""
        times = self.job.statistics.times
        return len(self.clusters(0)) if times is None else int(times[self.sizes > 0].sum())

    def clusters(self, axis: int) -> Codes:
        """The clusters of an axis that hold a rendering which counts."""
        present: Codes = np.unique(self.codes[self.sizes > 0, axis])
        return present

    def axes(self) -> tuple[int, ...]:
        """The axes that are sampled here: the first, and every other with at least three clusters in this part.

        A part with one verb says nothing about other verbs: it is about that verb.
        """
        further = range(1, self.codes.shape[1])
        return (0, *(a for a in further if len(self.clusters(a)) >= ENOUGH))
