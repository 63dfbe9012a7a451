"""Sentences about "I" and "you" in frames of our own, which say no gender: traits, past actions and occupations have a
stereotype and whom it is about, states have none. One cluster is a listed word or phrase."""

from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.articles import article
from evenhand.suites.published.gest import speaker_targets
from evenhand.suites.suite import Suite, designed

HERE = Path(__file__).resolve().parent
POSSESSIVE = {"speaker": "my", "listener": "your"}
WORD = {"speaker": "I", "listener": "you"}


def sentences(person: str) -> Suite:
    """Sentences of a `speaker` or to a `listener`: which gender does a system give to "I", or to "you"?"""
    return designed(person, lambda: probes(person), targets=speaker_targets())


def probes(person: str) -> pl.DataFrame:
    """Every word and phrase in every frame of its kind; the focus is the first I or you."""
    frames = tsv.frame(HERE / "frames.tsv").filter(pl.col("person") == person)
    words = tsv.frame(HERE / "words.tsv").with_columns(
        number=pl.int_range(1, pl.len() + 1).over("kind").cast(pl.String).str.zfill(3)
    )
    crossed = words.join(frames, on="kind", maintain_order="left_right")
    source = (
        pl.col("frame")
        .str.replace("{text}", pl.col("text"), literal=True)
        .str.replace("{article}", pl.col("text").map_elements(article, return_dtype=pl.String), literal=True)
        .str.replace("{my}", POSSESSIVE[person], literal=True)
    )
    named = {"id": pl.format("{}-{}{}", "kind", "number", "code"), "source": source, "source_lang": pl.lit("en")}
    table = crossed.select(**named, sentence="kind", stereotype="stereotype", about="about", text="text")
    start, length = pl.col("source").str.find(rf"(?i)\b{WORD[person]}\b").cast(pl.Int64), len(WORD[person])
    focus = pl.col("source").str.slice(start, length)
    return table.with_columns(focus_start=start, focus_end=start + length, focus=focus)
