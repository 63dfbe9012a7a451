"""Basque: `Hura medikua da.` ("that one is a doctor") and `Pertsona hura atsegina da.` ("that person is kind").

Standard Basque has no third-person pronoun of its own; the demonstrative hura stands for she, he and it, so adjectives,
which could be said of a thing, take pertsona hura. The predicate takes the singular article -a by rule.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-basque"


def definite(form: str) -> str:
    """The form with the singular article -a.

    A stem in -a (poeta, hipokrita) keeps its one a; a final r is trilled and written double (azkar, azkarra). The few
    nouns with a tapped final r (ur, ura) name no person; a word that needs one is stored in the column `definite`.
    """
    if form.endswith("a"):
        return form
    return form + ("ra" if form.endswith("r") else "a")


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations and adjectives, one sentence each."""
    return fill(SUITE, "eu", version=version, inflect=_with_article)


def _with_article(table: pl.DataFrame) -> pl.DataFrame:
    derived = pl.col("form").map_elements(definite, return_dtype=pl.String)
    stored = [pl.col("definite")] if "definite" in table.columns else []
    return table.with_columns(definite=pl.coalesce(*stored, derived))
