"""GEST as published (Pikuliak et al. 2024): English first-person sentences, each with one of 16 gender stereotypes.

Stereotypes 1 to 7 are about women, 8 to 16 about men. The path names gest.csv (or gest_1.1.csv), or the folder with it.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import SHARES
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.suites.suite import Grouping, Suite

LAYOUT = Layout(
    "sentence",
    (
        Column("sentence", required=True, filled=True),
        Column("stereotype", type=pl.Int64(), required=True, given=True, within=(1, 16), means="a number from 1 to 16"),
    ),
)
LAST_ABOUT_WOMEN = 7
SPEAKER_TARGETS = ("ru", "uk", "pl", "cs", "es", "fr", "it", "pt", "ca")
SPEAKER_MEASURES = ("male_rate", "f_m", "f_s", *SHARES)


def gest(path: Path) -> Suite:
    """A suite of GEST's sentences, judged by what the renderings say of the speaker."""
    file = path / "gest.csv" if path.is_dir() else path
    if not file.is_file():
        raise BadInput(f"{path}: no gest.csv there; name GEST's own file of sentences")
    return Suite(
        name=file.stem.replace("_", "-"),
        version="1.0",
        source_lang="en",
        kind="speaker",
        summary=f"GEST's first-person sentences of {file.name}",
        make=lambda: _probes(file),
        clusters=("sentence",),
        groupings=Grouping.by("stereotype", "about"),
        measures=SPEAKER_MEASURES,
        targets=SPEAKER_TARGETS,
        citation="Pikuliak, Hrckova, Oresko & Simko 2024, Women Are Beautiful, Men Are Leaders",
    )


def _probes(file: Path) -> pl.DataFrame:
    """One probe a sentence; a sentence that stands there twice is one cluster."""
    table = read(file, LAYOUT, format="csv")
    return table.select(
        id=pl.format("gest-{}", pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(4)),
        source="sentence",
        source_lang=pl.lit("en"),
        stereotype=pl.col("stereotype").cast(pl.String),
        about=about(),
        sentence=pl.col("sentence").str.to_lowercase(),
    )


def about() -> pl.Expr:
    """women for stereotypes 1 to 7, men for 8 to 16."""
    women = pl.col("stereotype").cast(pl.Int64) <= LAST_ABOUT_WOMEN
    return pl.when(women).then(pl.lit("women")).otherwise(pl.lit("men"))
