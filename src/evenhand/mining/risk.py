"""Pairs of an original and a substitute: which are at risk, and why the others are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from enum import StrEnum

import polars as pl

HALF = (
    "source", "focus", "focus_start", "focus_end", "word", "rendering", "gender", "evidence", "evidence_start",
    "evidence_end", "how", "confidence", "reason", "adequate", "conflict", "valid", "fixed",
)  # fmt: skip


class Risk(StrEnum):
    """What a pair is, in the order in which it is asked; every one is a row of the funnel."""

    INVALID = "no rendering at all on either side"
    UNKNOWN = "unknown on either side"
    OTHER = "left in English or rendered as a thing on either side"
    FIXED = "a noun of fixed gender on either side"
    BOTH = "both genders named on either side"
    NEUTRAL = "neutral on either side"
    AT_RISK = "at risk"
    SAME = "not at risk"


def pairs_of(judged: pl.DataFrame) -> pl.DataFrame:
    """One row a pair and target language; columns of the halves end in _original and _substitute.

    At risk is one male and one female. A noun of fixed gender (la víctima) tells nothing about the person: such pairs
    are a class of their own, as are no rendering at all, unknown, both, neutral and a thing (mover: engine) on either
    side; not at risk is twice the same gender.
    """
    keys = ["sentence", "target_lang"]
    originals = judged.filter(pl.col("rank") == 0).select(*keys, *(pl.col(c).alias(f"{c}_original") for c in HALF))
    others = judged.filter(pl.col("rank") > 0).select(
        *keys, "rank", "score", "plural", "file", "line", *(pl.col(c).alias(f"{c}_substitute") for c in HALF)
    )
    joined = others.join(originals, on=keys, how="inner", maintain_order="left")
    sides = ("gender_original", "gender_substitute")

    def either(value: str) -> pl.Expr:
        return pl.any_horizontal(pl.col(c).cast(pl.String) == value for c in sides)

    fixed = pl.any_horizontal(
        pl.col(f"fixed_{half}") & (pl.col(f"gender_{half}").cast(pl.String) == "neutral")
        for half in ("original", "substitute")
    )
    invalid = pl.any_horizontal(pl.col(f"valid_{half}").eq_missing(False) for half in ("original", "substitute"))
    other = pl.any_horizontal(pl.col(f"adequate_{half}").eq_missing(False) for half in ("original", "substitute"))
    risk = (
        pl.when(invalid).then(pl.lit(Risk.INVALID.value))
        .when(either("unknown")).then(pl.lit(Risk.UNKNOWN.value))
        .when(other).then(pl.lit(Risk.OTHER.value))
        .when(fixed).then(pl.lit(Risk.FIXED.value))
        .when(either("both")).then(pl.lit(Risk.BOTH.value))
        .when(either("neutral")).then(pl.lit(Risk.NEUTRAL.value))
        .when(pl.col(sides[0]) != pl.col(sides[1])).then(pl.lit(Risk.AT_RISK.value))
        .otherwise(pl.lit(Risk.SAME.value))
    )  # fmt: skip
    return joined.with_columns(
        (pl.col("sentence") + "-" + pl.col("rank").cast(pl.String)).alias("pair"), risk.alias("risk")
    )


def lot(pair: str, language: str, seed: int) -> str:
    """A pair's lot in the draw of pairs not at risk: the lowest are taken. Depends on nothing else."""
    return hashlib.blake2b(f"{seed}\t{language}\t{pair}".encode(), digest_size=8).hexdigest()


def words_of(pairs: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """(word, gender) of every sentence; an original stands in several pairs but is one sentence."""
    originals = pairs.unique("sentence", keep="first", maintain_order=True)
    for half, table in (("original", originals), ("substitute", pairs)):
        words = table[f"focus_{half}"].str.to_lowercase()
        yield from zip(words, table[f"gender_{half}"].cast(pl.String), strict=True)
