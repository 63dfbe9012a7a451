"""Any counted measure, corrected for the detector's error.

A cell of a measure depends on the verdict and on the probe (its gold gender, its sets). Probes for which every verdict
leads to the same cells form one context; within a context the counts of the verdicts are corrected, then put into the
cells they belong to. Undecided renderings stay where they were.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.measures.calibration import Calibration, invert
from evenhand.measures.counts import Counted, is_gender
from evenhand.statistics.bootstrap import Job, percentiles, resample
from evenhand.statistics.cluster_intervals import FEW, Interval, Sampled
from evenhand.statistics.measure import Floats


class Corrected(Counted):
    """A counted measure on corrected counts; name, range and direction are those of the measure itself."""

    def __init__(self, measure: Counted, calibration: Calibration, patterns: Floats) -> None:
        self.name, self.better, self.neutral = measure.name, measure.better, measure.neutral
        self.bounds, self.needs = measure.bounds, measure.needs
        self.against_base = measure.against_base
        self.whole = measure.whole
        self._measure, self._confusion, self._patterns = measure, calibration.confusion(), patterns

    def cells(self) -> dict[str, pl.Expr]:
        cells = {
            f"{number}:{gender}": (pl.col(_column(self._measure)) == number) & is_gender(gender)
            for number in range(len(self._patterns))
            for gender in DECIDED
        }
        undecided = ~is_gender(*DECIDED).fill_null(value=False)
        return cells | {f"undecided:{name}": undecided & e for name, e in self._measure.cells().items()}

    def formula(self, totals: Floats) -> Floats:
        return self.formula_with(totals, self._confusion)

    def formula_with(self, totals: Floats, confusion: Floats) -> Floats:
        """The value under one confusion matrix, or under one for each row of `totals`."""
        contexts, genders, inner = self._patterns.shape
        verdicts, undecided = totals[..., : contexts * genders], totals[..., contexts * genders :]
        observed = verdicts.reshape(*totals.shape[:-1], contexts, genders)
        size = observed.sum(axis=-1, keepdims=True)
        shares = np.divide(observed, size, out=np.full_like(observed, 1 / genders), where=size > 0)
        counts = invert(shares, confusion if confusion.ndim == 2 else confusion[:, None, :, :]) * size
        mapped: Floats = np.einsum("...cg,cgk->...k", counts, self._patterns)
        return self._measure.formula(mapped + undecided[..., :inner])


def _column(measure: Counted) -> str:
    return f"_context_{measure.name}"


def correct(measure: Counted, calibration: Calibration, table: pl.DataFrame) -> tuple[Corrected, pl.DataFrame]:
    """The corrected measure, and the table with the column that says which context each probe belongs to."""
    cells = [e.fill_null(value=False).alias(n) for n, e in measure.cells().items()]
    by_gender = [table.with_columns(pl.lit(g).alias("gender")).select(cells).to_numpy() for g in DECIDED]
    pattern = np.stack(by_gender, axis=1).reshape(table.height, -1)
    kinds, number = np.unique(np.packbits(pattern, axis=1), axis=0, return_inverse=True)
    first = np.array([int(np.flatnonzero(number == k)[0]) for k in range(len(kinds))])
    patterns = pattern[first].reshape(len(kinds), len(DECIDED), len(cells)).astype(np.float64)
    column = pl.Series(_column(measure), number.reshape(-1).astype(np.int64))
    return Corrected(measure, calibration, patterns), table.with_columns(column)


def sample_corrected(
    jobs: Sequence[Job],
    sizes: Sequence[int],
    confusions: Floats,
    *,
    seed: int,
    axes: tuple[int, ...],
    over: str,
    level: float,
) -> list[Sampled]:
    """Resamples of the clusters and of the calibration sample together, with their percentiles.

    Where the clusters have nothing to resample (fewer than 10, or all renderings alike) the counts are drawn from a
    Dirichlet distribution with one half added to each verdict (Jeffreys) instead.
    """
    drawn = resample(jobs, sizes, seed=seed, resamples=len(confusions), axes=axes, sums=True)
    sampled = []
    for number, (job, totals) in enumerate(zip(jobs, drawn, strict=True)):
        measure = job.measure
        if not isinstance(measure, Corrected):
            raise BadInput(f"{measure.name} cannot be corrected for the detector's error")
        clusters = min(len(np.unique(job.statistics.codes[:, a])) for a in axes)
        method = f"cluster bootstrap over {over}"
        values = measure.formula_with(totals, confusions)
        if clusters < FEW or not float(np.ptp(values)) > 1e-9:
            observed = job.statistics.cells.sum(axis=0)
            rng = np.random.default_rng(np.random.SeedSequence([seed, number]))
            supposed = rng.dirichlet(observed + 0.5, size=len(confusions)) * observed.sum()
            values = measure.formula_with(supposed, confusions)
            method = "Dirichlet on the probes and calibration sample"
        point = job.point()
        low, high = percentiles(values, clusters=max(clusters, FEW), level=level)
        sampled.append(Sampled(job, values, Interval(point, min(low, point), max(high, point), method), axes))
    return sampled
