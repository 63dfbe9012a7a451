"""Groupings with many levels are counted in one pass: the same numbers as level by level."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from evenhand.measures.definitions.counts import count_by_cluster, count_each, encode
from evenhand.measures.definitions.registry import by_name
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import MANY_LEVELS, Grouping

LEVELS = 3 * MANY_LEVELS


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """Renderings of 96 words, some of them about nobody's word, some undecided, some invalid."""
    rng = np.random.default_rng(5)
    n = 2_000
    words = [None if k == 0 else f"w{k:02d}" for k in rng.integers(0, LEVELS + 1, n)]
    return pl.DataFrame(
        {
            "id": [f"p{k}" for k in range(n)],
            "gender": rng.choice(["female", "male", "neutral", "unknown"], n),
            "valid": rng.random(n) < 0.9,
            "gold": rng.choice(["female", "male"], n),
            "concept": [f"c{k}" for k in rng.integers(0, 150, n)],
            "word": words,
        }
    )


def test_one_pass_counts_what_a_filter_for_each_level_counts(table: pl.DataFrame) -> None:
    coded, codes = encode(table, ["concept"])
    for measure in ("P_S", "accuracy", "share_female"):
        cells = by_name(measure).cells()  # type: ignore[attr-defined]  # all three are Counted
        at_once = count_each(coded, "word", codes, cells)
        assert list(at_once) == sorted(at_once)
        assert len(at_once) == LEVELS
        for level, statistics in at_once.items():
            alone = count_by_cluster(coded.filter(pl.col("word") == level), codes, cells)
            assert (statistics.n, statistics.decided, statistics.valid) == (alone.n, alone.decided, alone.valid)
            assert statistics.names == alone.names
            np.testing.assert_array_equal(statistics.codes, alone.codes)
            np.testing.assert_array_equal(statistics.cells, alone.cells)


def test_a_table_nobody_looked_at_for_validity_says_so_in_one_pass_too(table: pl.DataFrame) -> None:
    coded, codes = encode(table.drop("valid"), ["concept"])
    unknown = coded.with_columns(valid=pl.lit(None, dtype=pl.Boolean))
    cells = by_name("P_S").cells()  # type: ignore[attr-defined]
    for one in (coded, unknown):
        assert {statistics.valid for statistics in count_each(one, "word", codes, cells).values()} == {None}


def test_a_column_of_many_values_is_estimated_as_named_levels_are(table: pl.DataFrame) -> None:
    words = table["word"].drop_nulls().unique().sort().to_list()
    named = Grouping("word", levels={word: {"word": word} for word in words})
    made = [
        estimate(table, clusters=["concept"], groupings=[grouping], measures=["P_S", "accuracy"], resamples=100)
        for grouping in (Grouping("word"), named)
    ]
    assert made[0].height > 2 * LEVELS
    assert_frame_equal(*made)


def test_parts_are_the_rows_of_the_filters(table: pl.DataFrame) -> None:
    grouping = Grouping("word")
    filters = grouping.filters(table)
    parts = dict(grouping.parts(table))
    assert list(parts) == list(filters)
    for level, condition in filters.items():
        assert_frame_equal(parts[level], table.filter(condition))
