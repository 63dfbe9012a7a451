"""GEST as published (Pikuliak et al. 2024): English first-person sentences, each with one of 16 gender stereotypes.

Stereotypes 1 to 7 are about women, 8 to 16 about men. The path names gest.csv (or gest_1.1.csv), or the folder with it.
EuroGEST (Rowe et al. 2025) has the sentences whose speaker some language must give a gender, in a table per language
with a masculine and a feminine translation; the path names one table (`pairs.es.tsv`) or the folder with all of them.
"""

from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import with_table
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.suites.suite import Suite, designed

LAYOUT = Layout(
    "sentence",
    (
        Column("sentence", required=True, filled=True),
        Column("stereotype", type=pl.Int64(), required=True, given=True, within=(1, 16), means="a number from 1 to 16"),
    ),
)
TRANSLATED = Layout(
    "sentence",
    (
        Column("id", also=("GEST_ID",), required=True, filled=True),
        Column("source", also=("Source", "sentence"), required=True, filled=True),
        replace(LAYOUT.columns[1], also=("Stereotype_ID",)),
    ),
    unique=("id",),
)
TABLES = "pairs.*.tsv"
LAST_ABOUT_WOMEN = 7


def gest(path: Path) -> Suite:
    """A suite of GEST's sentences, judged by what the renderings say of the speaker."""
    file = path / "gest.csv" if path.is_dir() else path
    if not file.is_file():
        raise BadInput(f"{path}: no gest.csv there; name GEST's own file of sentences")
    name = file.stem.replace("_", "-")
    return designed("gest", lambda: _probes(file), file.name, name=name, targets=speaker_targets())


def speaker_targets() -> tuple[str, ...]:
    """The languages in which the gender of the speaker is judged."""
    return with_table("participants.tsv")


def eurogest(path: Path) -> Suite:
    """A suite of EuroGEST's sentences: for each target language those of its table."""
    files = {file.name.split(".")[-2]: file for file in (sorted(path.glob(TABLES)) if path.is_dir() else [path])}
    if not files or not all(file.is_file() and file.match(TABLES) for file in files.values()):
        raise BadInput(f"{path}: no table of EuroGEST there; name one ({TABLES.replace('*', 'es')}) or their folder")
    targets = tuple(code for code in speaker_targets() if code in files)
    return designed("eurogest", lambda: _translated(files), path.name, targets=targets, by_target="language")


def _translated(files: dict[str, Path]) -> pl.DataFrame:
    tables = [
        read(file, TRANSLATED, format="tsv").select(
            "stereotype", number=pl.format(f"{code}-{{}}", "id"), sentence="source", language=pl.lit(code)
        )
        for code, file in files.items()
    ]
    return _suite_columns(pl.concat(tables), "eurogest", "language")


def _probes(file: Path) -> pl.DataFrame:
    table = read(file, LAYOUT, format="csv")
    return _suite_columns(table.with_columns(number=pl.int_range(1, pl.len() + 1).cast(pl.String)), "gest")


def _suite_columns(table: pl.DataFrame, name: str, *more: str) -> pl.DataFrame:
    """One probe per sentence; a sentence that occurs twice is one cluster."""
    return table.select(
        *more,
        id=pl.format(name + "-{}", pl.col("number").str.zfill(4)),
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
