"""What came out, counted: the five genders by any column."""

from collections.abc import Sequence

import polars as pl

from evenhand.gender import DECIDED, GENDERS, Gender
from evenhand.level import LEVEL
from evenhand.measures.estimate import estimate
from evenhand.storage import tables
from evenhand.suites.suite import Grouping

DRAWN = 500  # compositions drawn for the line of one word: it is looked at, not quoted


def first_answers(table: pl.DataFrame) -> pl.DataFrame:
    """Without a system's alternatives, every gender in words: `unknown` where there is no verdict."""
    gender = pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value)
    return tables.first_answers(table).with_columns(gender.alias("gender"))


def counts(table: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Columns `by`, the genders, invalid (those of the unknown that are no renderings), n, decided, and share_female of
    the decided (null where nothing was)."""
    sums = [(pl.col("gender") == g).sum().cast(pl.Int64).alias(g) for g in GENDERS]
    invalid = ~pl.col("valid").fill_null(value=True) if "valid" in table.columns else pl.lit(value=False)
    sums.append(invalid.sum().cast(pl.Int64).alias("invalid"))
    counted = table.group_by(by, maintain_order=True).agg(sums) if by else table.select(sums)
    counted = counted.with_columns(n=pl.sum_horizontal(GENDERS), decided=pl.sum_horizontal(DECIDED))
    return counted.with_columns(share_female=pl.when(pl.col("decided") > 0).then(pl.col("female") / pl.col("decided")))


def word_shares(table: pl.DataFrame, column: str, *, clusters: Sequence[str], level: float = LEVEL) -> pl.DataFrame:
    """Counts for each word of a column, with the interval of its share_female over the suite's other clusters; null
    where fewer than three are left."""
    estimates = estimate(
        table,
        clusters=[c for c in clusters if c != column and c in table.columns],
        groupings=(Grouping(column, column=column),),
        measures=("share_female",),
        resamples=DRAWN,
        level=level,
    )
    ends = estimates.filter(pl.col("group") == column, pl.col("family").is_null())
    ends = ends.select(pl.col("level").cast(table.schema[column]).alias(column), "low", "high")
    return counts(table, [column]).join(ends, on=column, how="left", maintain_order="left")
