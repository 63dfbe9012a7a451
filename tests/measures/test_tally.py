"""Counts by word."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from evenhand.errors import Unknown
from evenhand.measures.definitions.counts import by_word, rendered_female


def test_the_four_way_counts_are_the_published_ones(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    # DeepL: feminine verbs 242/1784/30/23, masculine 135/1905/23/16 (studies.md; wrong stands in unknown here)
    words = by_word(verb_labels("DeepL"), "verb_class")
    rows = {row["verb_class"]: row for row in words.iter_rows(named=True)}
    columns = ("female", "male", "neutral", "unknown")
    assert [rows["feminine"][c] for c in columns] == [242, 1784, 30, 23]
    assert [rows["masculine"][c] for c in columns] == [135, 1905, 23, 16]
    assert words["n"].sum() == 4_158


def test_words_come_with_their_ratio_and_reference_the_most_female_first() -> None:
    table = pl.DataFrame(
        {
            "occupation": ["nurse", "nurse", "guard", "guard", "clerk", None],
            "gender": ["female", "female", "male", "male", "neutral", "male"],
        }
    )
    reference = pl.DataFrame({"occupation": ["nurse"], "women": [0.88]})
    words = by_word(table, "occupation", reference=reference)
    assert words["occupation"].to_list() == ["nurse", "guard", "clerk"]
    assert words["ratio"].to_list() == [pytest.approx(0.2), pytest.approx(5.0), None]
    assert words["women"].to_list() == [0.88, None, None]
    assert rendered_female(table, "occupation")["occupation"].to_list() == ["nurse"]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(Unknown, match="occupation"):
        by_word(pl.DataFrame({"occupation": ["a"], "gender": ["male"]}), "ocupation")
