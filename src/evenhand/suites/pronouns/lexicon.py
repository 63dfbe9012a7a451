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

from evenhand import tsv
from evenhand.errors import BadInput
from evenhand.suites.history import CURRENT, as_of

LEXICON = Path(__file__).resolve().parent.parent / "lexicon"


def occupations() -> pl.DataFrame:
    """Every occupation concept: english gloss, ISCO-08 unit group, sector, core ("1" or "0")."""
    return tsv.frame(LEXICON / "occupations.tsv")


def expressions() -> pl.DataFrame:
    """Every polar expression: english gloss, polarity (positive or negative), core ("1" or "0")."""
    return tsv.frame(LEXICON / "expressions.tsv")


def items(language: str, version: str = CURRENT) -> pl.DataFrame:
    """What can be said of a person in this language: one row a concept, occupations first, then expressions.

    Columns concept, english, kind (occupation, positive, negative), polarity, occupation, isco08, sector, form,
    word_class, and whatever further forms the language stores.
    """
    jobs = _with_forms(occupations(), "forms", language, version).with_columns(
        kind=pl.lit("occupation"), occupation=pl.col("concept"), word_class=pl.lit("noun")
    )
    polar = _with_forms(expressions(), "expressions", language, version).with_columns(kind=pl.col("polarity"))
    if "word_class" not in polar.columns:
        polar = polar.with_columns(word_class=pl.lit("adjective"))
    return pl.concat([jobs, polar.sort(pl.col("polarity") == "negative", maintain_order=True)], how="diagonal")


def _with_forms(concepts: pl.DataFrame, table: str, language: str, version: str) -> pl.DataFrame:
    path = LEXICON / table / f"{language}.tsv"
    forms = as_of(tsv.frame(path), table, language=language, version=version)
    for problem, rows in (
        ("is not a concept of the lexicon", forms.join(concepts, on="concept", how="anti")),
        ("occurs more than once", forms.filter(pl.col("concept").is_duplicated())),
        ("has no form", forms.filter(pl.col("form").is_null())),
    ):
        if rows.height:
            raise BadInput.at(path, None, f"{rows['concept'][0]!r} {problem}")
    return concepts.join(forms, on="concept", how="inner", maintain_order="left")
