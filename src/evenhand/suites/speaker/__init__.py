"""Sentences about "I" and "you": traits, past actions, occupations and states in frames of our own.

Nothing in them says a gender; many target languages must choose one. Traits, actions and occupations have a stereotype
from our own lists and whom it is about (women, men); states have none. One cluster is a listed word or phrase.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import polars as pl

from evenhand import tsv
from evenhand.suites.published.gest import SPEAKER_MEASURES, SPEAKER_TARGETS
from evenhand.suites.suite import Grouping, Suite

HERE = Path(__file__).resolve().parent
POSSESSIVE = {"speaker": "my", "listener": "your"}
WORD = {"speaker": "I", "listener": "you"}


def speaker() -> Suite:
    """First-person sentences: which gender does a system give to "I"?"""
    return _suite("speaker", "first-person sentences: traits, past actions, occupations, states: I was tired.")


def listener() -> Suite:
    """Second-person sentences: which gender does a system give to "you"?"""
    return _suite("listener", "second-person sentences: traits, past actions, occupations, states: You were tired.")


def _suite(person: Literal["speaker", "listener"], summary: str) -> Suite:
    return Suite(
        name=person,
        version="1.0",
        source_lang="en",
        kind=person,
        summary=summary,
        make=lambda: probes(person),
        clusters=("text",),
        groupings=Grouping.by("sentence", "stereotype", "about"),
        measures=SPEAKER_MEASURES,
        targets=SPEAKER_TARGETS,
    )


def probes(person: Literal["speaker", "listener"]) -> pl.DataFrame:
    """Every word and phrase in every frame of its kind; the focus is the first I or you."""
    frames = tsv.frame(HERE / "frames.tsv").filter(pl.col("person") == person)
    words = tsv.frame(HERE / "words.tsv").with_columns(
        number=pl.int_range(1, pl.len() + 1).over("kind").cast(pl.String).str.zfill(3)
    )
    crossed = words.join(frames, on="kind", maintain_order="left_right")
    vowel = pl.col("text").str.contains("^[aeiou]")
    source = (
        pl.col("frame")
        .str.replace("{text}", pl.col("text"), literal=True)
        .str.replace("{article}", pl.when(vowel).then(pl.lit("an")).otherwise(pl.lit("a")), literal=True)
        .str.replace("{my}", POSSESSIVE[person], literal=True)
    )
    table = crossed.select(
        id=pl.format("{}-{}{}", "kind", "number", "code"),
        source=source,
        source_lang=pl.lit("en"),
        sentence="kind",
        stereotype="stereotype",
        about="about",
        text="text",
    )
    start = pl.col("source").str.find(rf"(?i)\b{WORD[person]}\b").cast(pl.Int64)
    return table.with_columns(focus_start=start, focus_end=start + len(WORD[person])).with_columns(
        focus=pl.col("source").str.slice(pl.col("focus_start"), len(WORD[person]))
    )
