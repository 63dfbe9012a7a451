"""Plain counts: verdicts by word, and the words a system renders female."""

from __future__ import annotations

import polars as pl

from evenhand.errors import Unknown
from evenhand.gender import GENDERS, Gender


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
