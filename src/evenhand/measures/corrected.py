"""Any counted measure, corrected for the detector's error.

A cell of a measure depends on the verdict and on the probe (its gold gender, its sets). Probes for which every verdict
leads to the same cells form one context; within a context the counts of the verdicts are corrected, then put into the
cells they belong to. Undecided renderings stay where they were.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.measures.calibration import Calibration, invert
from evenhand.measures.counts import Counted, is_gender
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

    def smooth(self, totals: Floats) -> Floats:
        return self._measure.smooth(self._mended(totals, self._confusion))

    def formula_with(self, totals: Floats, confusion: Floats) -> Floats:
        """The value under one confusion matrix, or under one for each row of `totals`."""
        return self._measure.formula(self._mended(totals, confusion))

    def _mended(self, totals: Floats, confusion: Floats) -> Floats:
        """Cells of the measure itself, as they would be without the detector's errors."""
        contexts, genders, inner = self._patterns.shape
        verdicts, undecided = totals[..., : contexts * genders], totals[..., contexts * genders :]
        observed = verdicts.reshape(*totals.shape[:-1], contexts, genders)
        size = observed.sum(axis=-1, keepdims=True)
        shares = np.divide(observed, size, out=np.full_like(observed, 1 / genders), where=size > 0)
        counts = invert(shares, confusion if confusion.ndim == 2 else confusion[:, None, :, :]) * size
        mapped: Floats = np.einsum("...cg,cgk->...k", counts, self._patterns)
        cells: Floats = mapped + undecided[..., :inner]
        return cells


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
