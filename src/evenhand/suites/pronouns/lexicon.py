"""The lexicon behind the pronoun suites: concepts once, and one table of forms for each language.

    lexicon/occupations.tsv          concept, english, isco08, sector, core
    lexicon/expressions.tsv          concept, english, polarity, core
    lexicon/forms/<lang>.tsv         concept, form, ...     occupations
    lexicon/expressions/<lang>.tsv   concept, form, ...     polar expressions; word_class where it is not "adjective"

Lines that start with # come first and state the source; then a header; an empty cell is null.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand.errors import BadInput

LEXICON = Path(__file__).resolve().parent.parent / "lexicon"


def read_table(path: Path) -> pl.DataFrame:
    """A TSV data file as text columns. A row of the wrong width is an error with its line number."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next((n for n, line in enumerate(lines) if not line.startswith("#")), None)
    if start is None:
        raise BadInput.at(path, None, "no header line")
    header = lines[start].split("\t")
    rows: list[list[str | None]] = []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise BadInput.at(path, number, f"{len(cells)} cells, the header has {len(header)}")
        rows.append([cell or None for cell in cells])
    return pl.DataFrame(rows, schema=dict.fromkeys(header, pl.String), orient="row")


def occupations() -> pl.DataFrame:
    """Every occupation concept: english gloss, ISCO-08 unit group, sector, core ("1" or "0")."""
    return read_table(LEXICON / "occupations.tsv")


def expressions() -> pl.DataFrame:
    """Every polar expression: english gloss, polarity (positive or negative), core ("1" or "0")."""
    return read_table(LEXICON / "expressions.tsv")


def items(language: str) -> pl.DataFrame:
    """What can be said of a person in this language: one row a concept, occupations first, then expressions.

    Columns concept, english, kind (occupation, positive, negative), polarity, occupation, isco08, sector, form,
    word_class, and whatever further forms the language stores.
    """
    jobs = _with_forms(occupations(), LEXICON / "forms" / f"{language}.tsv").with_columns(
        kind=pl.lit("occupation"), occupation=pl.col("concept"), word_class=pl.lit("noun")
    )
    polar = _with_forms(expressions(), LEXICON / "expressions" / f"{language}.tsv").with_columns(
        kind=pl.col("polarity")
    )
    if "word_class" not in polar.columns:
        polar = polar.with_columns(word_class=pl.lit("adjective"))
    return pl.concat([jobs, polar.sort(pl.col("polarity") == "negative", maintain_order=True)], how="diagonal")


def _with_forms(concepts: pl.DataFrame, path: Path) -> pl.DataFrame:
    forms = read_table(path)
    for problem, rows in (
        ("is not a concept of the lexicon", forms.join(concepts, on="concept", how="anti")),
        ("occurs more than once", forms.filter(pl.col("concept").is_duplicated())),
        ("has no form", forms.filter(pl.col("form").is_null())),
    ):
        if rows.height:
            raise BadInput.at(path, None, f"{rows['concept'][0]!r} {problem}")
    return concepts.join(forms, on="concept", how="inner", maintain_order="left")
