"""Stereotyped verbs: every verb's sentence with every occupation as its subject."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.gender import SHARES
from evenhand.suites.suite import Grouping, Suite

HERE = Path(__file__).resolve().parent
CITATION = "after Troles & Schmid 2021, Extending Challenge Sets to Uncover Gender Bias in Machine Translation"
SLOT = "{occupation}"


def verbs() -> Suite:
    """42 verbs x 99 occupations; ids carry both classes (VF01OccF01), as in the paper."""
    return Suite(
        name="occupations-verbs",
        version="1.0",
        source_lang="en",
        kind="nouns",
        summary="42 stereotyped verbs x 99 occupations of WiBeMT's Table 1, in sentences of our own",
        make=lambda: verb_probes(frames(), occupations()),
        clusters=("occupation", "verb"),
        groupings=(
            Grouping("verb_class", column="verb_class"),
            Grouping("occupation_class", column="occupation_class"),
        ),
        measures=("TFG", *SHARES),
        citation=CITATION,
    )


def frames() -> pl.DataFrame:
    """code, verb, class, frame."""
    return tsv.frame(HERE / "verbs.tsv")


def occupations() -> pl.DataFrame:
    """code, occupation, class, share_women: the 99 occupations that have a class."""
    return tsv.frame(HERE / "occupations.tsv").filter(pl.col("code").is_not_null())


def verb_probes(frames: pl.DataFrame, occupations: pl.DataFrame) -> pl.DataFrame:
    """Each frame (code, verb, class, frame with {occupation}) with each occupation (code, occupation, class)."""
    crossed = frames.join(occupations, how="cross", suffix="_occupation")
    start = pl.col("frame").str.find(SLOT, literal=True).cast(pl.Int64)
    return crossed.select(
        id=pl.col("code") + pl.col("code_occupation"),
        source=pl.col("frame").str.replace(SLOT, pl.col("occupation"), literal=True),
        source_lang=pl.lit("en"),
        focus=pl.col("occupation"),
        focus_start=start,
        focus_end=start + pl.col("occupation").str.len_chars().cast(pl.Int64),
        occupation=pl.col("occupation"),
        occupation_class=pl.col("class_occupation"),
        verb=pl.col("verb"),
        verb_class=pl.col("class"),
    )
