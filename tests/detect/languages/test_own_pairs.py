"""Pairs of our own per language, labelled before the rules: no wrong gender, and nearly all right."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.detect import open_detector
from evenhand.tsv import frame

PAIRS = frame(Path(__file__).parent / "own_pairs.tsv")


@pytest.mark.parametrize("code", PAIRS["language"].unique().sort().to_list())
def test_persons_get_the_gender_a_reader_sees(code: str) -> None:
    pairs = PAIRS.filter(pl.col("language") == code).with_row_index("id").with_columns(pl.col("id").cast(pl.String))
    judged = open_detector("nouns", source="en", target=code).detect(pairs)
    got = pairs.with_columns(judged["gender"].cast(pl.String).alias("verdict"), judged["reason"])
    missed = got.filter(pl.col("verdict") != pl.col("gender")).select("rendering", "gender", "verdict", "reason")
    assert missed.filter(pl.col("verdict") != "unknown").is_empty(), missed.rows()
    assert missed.height <= 0.05 * pairs.height, missed.rows()
