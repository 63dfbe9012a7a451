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


@pytest.mark.parametrize("code", [c for c in sorted(codes()) if (language(c).folder / "indefinites.tsv").exists()])
def test_a_neutral_pronoun_is_listed_for_no_gender_in_that_meaning(code: str) -> None:
    for row in rows(language(code).folder / "indefinites.tsv"):
        female, male, neutral = (row[name].split("|") if row[name] else [] for name in ("female", "male", "neutral"))
        assert not set(neutral) & {*female, *male}, row["concept"]
        assert all(len(forms) == len(set(forms)) for forms in (female, male, neutral)), row["concept"]
