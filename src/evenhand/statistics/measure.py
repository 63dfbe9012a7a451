"""A measure is statistics per cluster plus a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

Floats = npt.NDArray[np.float64]
Better = Literal["higher", "lower", "nearer"]


@dataclass(frozen=True)
class Statistics:
    """Sums of cells, one row for each combination of the cluster columns that occurs.

    `codes` gives for each row the cluster number on each axis (one axis, or several that cross);
    `cells` are what adds up; `n` and `decided` count probes (for coverage).
    """

    codes: npt.NDArray[np.int64]
    cells: Floats
    names: tuple[str, ...]
    n: int
    decided: int

    def totals(self, weights: Floats) -> Floats:
        """Weighted sums of the cells: (resamples x rows) @ (rows x cells)."""
        return weights @ self.cells

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of clusters on each axis."""
        return tuple(len(np.unique(axis)) for axis in self.codes.T)


class Measure(Protocol):
    """`better` with `neutral` says how to read the number: nearer means nearer to `neutral`."""

    @property
    def name(self) -> str: ...
    @property
    def better(self) -> Better: ...
    @property
    def neutral(self) -> float: ...
    @property
    def bounds(self) -> tuple[float, float]: ...

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics: ...

    def value(self, statistics: Statistics, weights: Floats) -> Floats: ...
