"""What came out, counted: the five genders by any column, kept apart."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand import tables
from evenhand.gender import DECIDED, GENDERS, Gender
from evenhand.level import LEVEL
from evenhand.statistics.intervals import wilson
from evenhand.suites.suite import Grouping


def first_answers(table: pl.DataFrame) -> pl.DataFrame:
    """Without a system's alternatives, every gender in words: `unknown` where there is no verdict."""
    gender = pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value)
    return tables.first_answers(table).with_columns(gender.alias("gender"))


def counts(table: pl.DataFrame, by: Sequence[str] = (), *, level: float = LEVEL) -> pl.DataFrame:
    """Columns `by`, female, male, neutral, both, unknown, invalid, n, decided, share_female with Wilson's interval.

    `share_female` is over the decided renderings; null where nothing was decided. `invalid` are those of the unknown
    that are no renderings at all.
    """
    sums = [(pl.col("gender") == g).sum().cast(pl.Int64).alias(g) for g in GENDERS]
    invalid = ~pl.col("valid").fill_null(value=True) if "valid" in table.columns else pl.lit(value=False)
    sums.append(invalid.sum().cast(pl.Int64).alias("invalid"))
    counted = table.group_by(by, maintain_order=True).agg(sums) if by else table.select(sums)
    counted = counted.with_columns(
        n=pl.sum_horizontal(GENDERS),
        decided=pl.sum_horizontal(DECIDED),
    )
    intervals = [wilson(f, d, level) for f, d in counted.select("female", "decided").iter_rows()]
    return counted.with_columns(
        share_female=pl.when(pl.col("decided") > 0).then(pl.col("female") / pl.col("decided")),
        low=pl.Series([i.low for i in intervals], dtype=pl.Float64).fill_nan(None),
        high=pl.Series([i.high for i in intervals], dtype=pl.Float64).fill_nan(None),
    )


def by_grouping(table: pl.DataFrame, grouping: Grouping) -> pl.DataFrame:
    """Counts for each level of a grouping (levels may overlap), in the grouping's order."""
    found = [
        counts(table.filter(condition)).with_columns(pl.lit(level).alias("level"))
        for level, condition in grouping.filters(table).items()
    ]
    kept = [c for c in found if c["n"][0]]
    return pl.concat(kept) if kept else pl.DataFrame()


def long(counted: pl.DataFrame, level: str) -> pl.DataFrame:
    """One row for each level and gender with its share of all renderings, for stacked bars."""
    return (
        counted.unpivot(on=GENDERS, index=[level, "n"], variable_name="gender", value_name="count")
        .with_columns(share=pl.col("count") / pl.col("n"))
        .filter(pl.col("count") > 0)
    )
