"""A measure is statistics per cluster plus a formula."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.statistics.intervals import Array, Interval

Floats = Array
Better = Literal["higher", "lower", "nearer", "none"]


@dataclass(frozen=True)
class Statistics:
    """Sums of cells, one row per combination of the cluster columns that occurs.

    `codes` gives for each row the cluster number on each axis (one axis, or several that cross);
    `cells` are what adds up; `n` and `decided` count probes (for coverage), `valid` those whose rendering is usable
    (None where this was not checked). `times` is the number of clusters per row, where clusters with the same cells
    share a row (one axis only); None: one each. `unseen` is a covariance of the sums (cells x cells) besides the one
    that clusters show: of cells that are estimates themselves.
    """

    codes: npt.NDArray[np.int64]
    cells: Floats
    names: tuple[str, ...]
    n: int
    decided: int
    valid: int | None = None
    times: Floats | None = None
    unseen: Floats | None = None

    def totals(self, weights: Floats) -> Floats:
        """Weighted sums of the cells: (resamples x rows) @ (rows x cells)."""
        return weights @ self.cells

    @property
    def copies(self) -> Floats:
        """The number of clusters per row."""
        return np.ones(len(self.codes)) if self.times is None else self.times

    @property
    def summed(self) -> Floats:
        """The cells over all clusters."""
        return np.asarray(self.cells.sum(axis=0) if self.times is None else self.times @ self.cells)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of clusters on each axis."""
        return tuple(len(np.unique(axis)) for axis in self.codes.T)


class Measure(ABC):
    """What a measure is: a name, how to read it, what it needs, statistics per cluster and a value from them. A measure
    sets the first four attributes; the others have defaults that fit most. `better` with `neutral` says how to read the
    number: nearer means nearer to `neutral`; none means that neither more nor less is better by itself, and that no
    system is ranked by it. Everything that treats measures differently asks here."""

    name: str
    better: Better
    neutral: float
    bounds: tuple[float, float]
    needs: tuple[str, ...] = ("gender",)
    """Columns of the joined table without which it cannot be computed."""
    additive: bool = False
    """The value depends on the weights only through the weighted sums of the cells: it can be swapped and streamed."""
    proportion: int | None = None
    """The cell whose share of all cells the value is (up to a constant): then there are counts to test."""
    estimated_counts: bool = False
    """Its cells are estimates of counts: in single clusters they may be below 0."""
    against_base: bool = False
    """It exists for groups only, as the difference from its value over the whole run."""
    whole: bool = False
    """It has one value for a whole run and none per group."""
    spans: str = ""
    """A column whose values it is worked out over: a group with one of them alone has none (F1 among stated women)."""
    unit: str = "renderings"
    """What `n`, `decided` and `valid` of its statistics count."""
    fingerprint: str = ""
    """What else its numbers depend on besides Evenhand: another package and its version. Part of the signature."""

    def of_totals(self, totals: Floats) -> Floats:
        """Values of sums of cells (... x cells); additive measures only."""
        cells = totals.shape[-1]
        names = tuple(str(cell) for cell in range(cells))
        unit = Statistics(codes=np.zeros((cells, 1), dtype=np.int64), cells=np.eye(cells), names=names, n=0, decided=0)
        return self.value(unit, totals)

    def smooth(self, totals: Floats) -> Floats:
        """The same on a scale without kinks or infinite slopes, equal where the values are equal. Tests of equality and
        design effects are worked out on it; it is the value itself unless a measure knows better."""
        return self.of_totals(totals)

    def unsmooth(self, values: Floats) -> Floats:
        """Values on the smooth scale as the measure's own."""
        return values

    def interval(self, statistics: Statistics, level: float) -> Interval | None:
        """The interval of a measure that is not made of sums; None: the one for sums of cells applies."""
        return None

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> "Measure":
        """The same measure for this table and the suite's sets of sentences; most need neither."""
        return self

    @abstractmethod
    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        """Cells of a part of the joined table, one row per combination of the cluster columns."""

    @abstractmethod
    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        """One value per row of weights (resamples x rows of the statistics). NaN where it is undefined."""


@dataclass(frozen=True)
class Job:
    """A measure and its statistics on one part of a table."""

    measure: Measure
    statistics: Statistics

    def point(self) -> float:
        """The estimate itself: every cluster counts once."""
        return float(self.measure.value(self.statistics, self.statistics.copies[None, :])[0])
