"""Counting renderings by cluster: what most measures share."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.errors import Unknown
from evenhand.gender import DECIDED, Gender
from evenhand.statistics.measure import Better, Floats, Measure, Statistics
from evenhand.statistics.variation import Codes
from evenhand.storage.tables import count_decided, count_valid

CODE = "_cluster_"  # prefix of columns that already hold cluster numbers, valid for a whole table and all its parts
GENDER = pl.col("gender").cast(pl.String)


def encode(table: pl.DataFrame, clusters: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table with one column of cluster numbers per axis, and the names of those columns.

    Numbers are given over the whole table, so that every part of it (a group, a level) uses the same ones and
    parts can be compared under the same resampling weights. Values are sorted first: two runs of one suite get the
    same numbers. A row without a value on an axis (a sentence without an adjective) is a cluster of its own.
    No cluster column at all makes every probe its own cluster (samples of one probe stay together).
    """
    names = tuple(f"{CODE}{axis}" for axis in range(max(1, len(clusters))))
    missing = [c for c in clusters if c not in table.columns]
    if missing:
        raise Unknown("cluster column", missing[0], table.columns)
    own = pl.col("id").cast(pl.String) if "id" in table.columns else pl.int_range(pl.len()).cast(pl.String)
    labels = [pl.coalesce("=" + pl.col(c).cast(pl.String), "#" + own) for c in clusters] if clusters else ["#" + own]
    codes = [(label.rank("dense").cast(pl.Int64) - 1).alias(name) for label, name in zip(labels, names, strict=True)]
    return table.with_columns(codes), names


def count_by_cluster(table: pl.DataFrame, clusters: Sequence[str], cells: Mapping[str, pl.Expr]) -> Statistics:
    """How many rows of each cluster combination fall into each cell. Cells are conditions (null counts as false), or
    numbers, which are summed."""
    if not clusters or not all(c.startswith(CODE) for c in clusters):
        table, clusters = encode(table, clusters)
    decided = count_decided(table) if "gender" in table.columns else table.height
    arrays = _arrays(_summed(table, clusters, cells), clusters, cells)
    return Statistics(*arrays, tuple(cells), table.height, decided, count_valid(table))


def _summed(table: pl.DataFrame, keys: Sequence[str], cells: Mapping[str, pl.Expr]) -> pl.DataFrame:
    sums = [expression.sum().cast(pl.Float64).alias(name) for name, expression in cells.items()]
    return table.group_by(keys).agg(sums).sort(keys)


def _arrays(summed: pl.DataFrame, codes: Sequence[str], cells: Mapping[str, pl.Expr]) -> tuple[np.ndarray, np.ndarray]:
    numbers = summed.select(codes).to_numpy().astype(np.int64).reshape(-1, len(codes))
    return numbers, summed.select(list(cells)).to_numpy().astype(np.float64).reshape(-1, len(cells))


def count_each(
    table: pl.DataFrame, column: str, codes: Sequence[str], cells: Mapping[str, pl.Expr]
) -> dict[str, Statistics]:
    """`count_by_cluster` of every value of a column (nulls left out), in one pass over the table."""
    known = table.filter(pl.col(column).is_not_null())
    summed = _summed(known, [column, *codes], cells)
    true, checked = pl.lit(value=True), "valid" in table.columns
    facts = known.group_by(column).agg(
        n=pl.len(),
        decided=(GENDER.ne(Gender.UNKNOWN.value).fill_null(value=False) if "gender" in table.columns else true).sum(),
        valid=(pl.col("valid").fill_null(value=True) if checked else true).sum(),
        checked=pl.col("valid").count() if checked else pl.lit(0),
    )
    codes_of, cells_of = _arrays(summed, codes, cells)
    ends = np.cumsum(summed.group_by(column, maintain_order=True).len()["len"].to_numpy())
    starts = [0, *ends[:-1]]
    return {
        str(value): Statistics(codes_of[a:b], cells_of[a:b], tuple(cells), n, decided, valid if checked_rows else None)
        for a, b, (value, n, decided, valid, checked_rows) in zip(
            starts, ends, facts.sort(column).iter_rows(), strict=True
        )
    }


def is_gender(*genders: str) -> pl.Expr:
    """The rendering has one of these genders."""
    return GENDER.is_in(list(genders))


def by_gender(*genders: str) -> dict[str, pl.Expr]:
    """One cell per gender."""
    return {g: is_gender(g) for g in genders}


def right_or_wrong(counted: pl.Expr, right: pl.Expr, names: tuple[str, str] = ("right", "wrong")) -> dict[str, pl.Expr]:
    """Two cells: the rows that are asked about and right, and those that are asked about and not."""
    known = right.fill_null(value=False)
    return {names[0]: counted & known, names[1]: counted & ~known}


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Division where nothing over nothing is NaN without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1.0), np.nan)


class Counted(Measure):
    """A measure made of counts: `cells` says what is counted, `formula` what it means. Cells exclude one another, so
    that they can be read as one sample of renderings: a composition whose uncertainty is known even where all
    renderings are alike."""

    additive = True

    @abstractmethod
    def cells(self) -> dict[str, pl.Expr]:
        """Name of each cell and which rows of the joined table fall into it."""

    @abstractmethod
    def formula(self, totals: Floats) -> Floats:
        """Sums of cells (... x cells) to values (...). NaN where the measure is undefined."""

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        return count_by_cluster(table, clusters, self.cells())

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        return self.formula(statistics.totals(weights))

    def of_totals(self, totals: Floats) -> Floats:
        return self.formula(totals)

    def flags(self, table: pl.DataFrame) -> Floats:
        """Which cell each row falls into (rows x cells)."""
        named = [e.fill_null(value=False).cast(pl.Float64).alias(name) for name, e in self.cells().items()]
        return table.select(named).to_numpy()

    def flags_by_gender(self, table: pl.DataFrame, genders: Sequence[str] = DECIDED) -> Floats:
        """Which cell each row would fall into if it had this gender (rows x genders x cells)."""
        return np.stack([self.flags(table.with_columns(gender=pl.lit(gender))) for gender in genders], axis=1)


class Rate(Counted):
    """Between 0 and 1, higher is better."""

    better: Better = "higher"
    neutral = 1.0
    bounds = (0.0, 1.0)


class Gap(Counted):
    """A difference of two rates: between -1 and 1, nearer to 0 is better."""

    better: Better = "nearer"
    neutral = 0.0
    bounds = (-1.0, 1.0)


def kinds_of(flags: Floats, which: Codes | None = None) -> tuple[Codes, Codes]:
    """Rows with the same flags (and the same number `which`) are of one kind: a row of each, and every row's kind."""
    packed = np.packbits(flags.reshape(len(flags), -1).astype(bool), axis=1)
    keys = packed if which is None else np.column_stack([packed, which])
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first, number.reshape(-1)


class Proportion(Counted):
    """The share of one cell among all cells, minus a constant; NaN where all are empty."""

    proportion: int

    def __init__(
        self,
        name: str,
        cells: Mapping[str, pl.Expr],
        better: Better = "none",
        neutral: float = math.nan,
        *,
        proportion: int = 0,
        minus: float = 0.0,
        bounds: tuple[float, float] = (0.0, 1.0),
        needs: tuple[str, ...] = ("gender",),
        unit: str = "renderings",
        against_base: bool = False,
    ) -> None:
        self.name, self._cells, self.proportion, self._minus = name, cells, proportion, minus
        self.better, self.neutral, self.bounds, self.needs = better, neutral, bounds, needs
        self.unit, self.against_base = unit, against_base

    def cells(self) -> dict[str, pl.Expr]:
        return dict(self._cells)

    def formula(self, totals: Floats) -> Floats:
        return ratio(totals[..., self.proportion], totals.sum(axis=-1)) - self._minus


def rendered_female(table: pl.DataFrame, column: str) -> pl.DataFrame:
    """Words of a column that a system renders female at least once, the most female first: word, n, female, male."""
    if column not in table.columns:
        raise Unknown("column", column, table.columns)
    counts = [is_gender(gender).sum().cast(pl.Int64).alias(gender) for gender in ("female", "male")]
    words = table.filter(pl.col(column).is_not_null()).group_by(column).agg(pl.len().cast(pl.Int64).alias("n"), *counts)
    share = pl.col("female") / (pl.col("female") + pl.col("male"))
    return words.filter(pl.col("female") > 0).sort(share, "female", column, descending=[True, True, False])
