"""Counting renderings by cluster: what most measures share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.errors import Unknown
from evenhand.gender import GENDERS, Gender
from evenhand.statistics.measure import Floats, Measure, Statistics
from evenhand.storage.tables import count_decided, count_valid

CODE = "_cluster_"  # prefix of columns that already hold cluster numbers, valid for a whole table and all its parts


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
        table, codes = encode(table, clusters)
    else:
        codes = tuple(clusters)
    sums = [expression.sum().cast(pl.Float64).alias(name) for name, expression in cells.items()]
    grouped = table.group_by(codes).agg(sums).sort(codes)
    decided = table.height
    if "gender" in table.columns:
        decided = count_decided(table)
    numbers: npt.NDArray[np.int64] = grouped.select(codes).to_numpy().astype(np.int64).reshape(-1, len(codes))
    values: Floats = grouped.select(list(cells)).to_numpy().astype(np.float64).reshape(-1, len(cells))
    valid = count_valid(table)
    return Statistics(codes=numbers, cells=values, names=tuple(cells), n=table.height, decided=decided, valid=valid)


def count_each(
    table: pl.DataFrame, column: str, codes: Sequence[str], cells: Mapping[str, pl.Expr]
) -> dict[str, Statistics]:
    """`count_by_cluster` of every value of a column (nulls left out), in one pass over the table."""
    sums = [expression.sum().cast(pl.Float64).alias(name) for name, expression in cells.items()]
    known = table.filter(pl.col(column).is_not_null())
    grouped = known.group_by(column, *codes).agg(sums).sort(column, *codes)
    decided = pl.lit(value=True)
    if "gender" in table.columns:
        decided = (pl.col("gender").cast(pl.String) != Gender.UNKNOWN.value).fill_null(value=False)
    valid, looked = pl.lit(value=True), pl.lit(value=0)
    if "valid" in table.columns:
        valid, looked = pl.col("valid").fill_null(value=True), pl.col("valid").count()
    facts = known.group_by(column).agg(
        pl.len().alias("n"), decided.sum().alias("d"), valid.sum().alias("v"), looked.alias("l")
    )
    numbers = grouped.select(list(codes)).to_numpy().astype(np.int64).reshape(-1, len(codes))
    values = grouped.select(list(cells)).to_numpy().astype(np.float64).reshape(-1, len(cells))
    ends = np.cumsum(grouped.group_by(column, maintain_order=True).len()["len"].to_numpy())
    made: dict[str, Statistics] = {}
    for start, end, (value, n, *counted) in zip([0, *ends[:-1]], ends, facts.sort(column).iter_rows(), strict=True):
        rows = slice(int(start), int(end))
        made[str(value)] = Statistics(
            codes=numbers[rows],
            cells=values[rows],
            names=tuple(cells),
            n=n,
            decided=counted[0],
            valid=counted[1] if counted[2] else None,
        )
    return made


def is_gender(*genders: str) -> pl.Expr:
    """The rendering has one of these genders."""
    return pl.col("gender").cast(pl.String).is_in(list(genders))


def by_gender(*genders: str) -> dict[str, pl.Expr]:
    """One cell a gender."""
    return {g: is_gender(g) for g in genders}


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Division where nothing over nothing is NaN without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1.0), np.nan)


class Counted(Measure):
    """A measure made of counts: `cells` says what is counted, `formula` what it means.

    Cells exclude one another, so that they can be read as one sample of renderings: a composition whose uncertainty
    is known even where all renderings are alike.
    """

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


class Proportion(Counted):
    """The share of one cell (the first, unless `proportion` says another) among all cells; NaN where all are empty."""

    bounds = (0.0, 1.0)
    proportion: int = 0

    def formula(self, totals: Floats) -> Floats:
        return ratio(totals[..., self.proportion], totals.sum(axis=-1))


# Plain counts: verdicts by word, and the words a system renders female.


def by_word(table: pl.DataFrame, column: str, *, reference: pl.DataFrame | None = None) -> pl.DataFrame:
    """Verdicts for each word of a column (occupation, concept), the most female first.

    Columns: the word, n, one a gender, share_female (of female + male; null without either), ratio (masculine to
    feminine with 0.5 added to both). `reference` adds its own columns to the words it knows (say the share of women
    in an occupation); it needs a column of the same name and one row a word.
    """
    if column not in table.columns:
        raise Unknown("column", column, table.columns)
    text = pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value)
    counts = [(text == g).sum().cast(pl.Int64).alias(g) for g in GENDERS]
    words = table.filter(pl.col(column).is_not_null()).group_by(column).agg(pl.len().cast(pl.Int64).alias("n"), *counts)
    gendered = pl.col("female") + pl.col("male")
    words = words.with_columns(
        share_female=pl.when(gendered > 0).then(pl.col("female") / gendered),
        ratio=pl.when(gendered > 0).then((pl.col("male") + 0.5) / (pl.col("female") + 0.5)),
    )
    if reference is not None:
        if column not in reference.columns:
            raise Unknown("column of the reference", column, reference.columns)
        words = words.join(reference, on=column, how="left")
    return words.sort("share_female", "female", column, descending=[True, True, False], nulls_last=True)


def rendered_female(table: pl.DataFrame, column: str, *, reference: pl.DataFrame | None = None) -> pl.DataFrame:
    """The words a system renders female at least once: what they have in common is for the reader to see."""
    return by_word(table, column, reference=reference).filter(pl.col("female") > 0)
