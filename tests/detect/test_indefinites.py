"""Pronouns that stand for people (everyone, some of them, both) have the gender that their rendering shows."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.grammar import codes, language
from evenhand.tsv import frame, rows

CASES = frame(Path(__file__).parent / "indefinites.tsv")


@pytest.mark.parametrize("code", CASES["language"].unique(maintain_order=True))
def test_a_pronoun_has_the_gender_its_rendering_shows(code: str) -> None:
    cases = CASES.filter(pl.col("language") == code).with_row_index("id").with_columns(pl.col("id").cast(pl.String))
    verdicts = evenhand.detect(cases.select("id", "source", "rendering"), source="en", target=code, kind="nouns")
    assert dict(zip(cases["source"], verdicts["gender"], strict=True)) == dict(
        zip(cases["source"], cases["gender"], strict=True)
    )


@pytest.mark.parametrize("code", [c for c in codes() if (language(c).folder / "indefinites.tsv").exists()])
def test_no_pronoun_is_listed_for_two_genders_in_one_meaning(code: str) -> None:
    for row in rows(language(code).folder / "indefinites.tsv"):
        columns = [set(filter(None, row[name].split("|"))) for name in ("female", "male", "neutral")]
        assert sum(map(len, columns)) == len(set.union(*columns)), row["concept"]
