"""Counts by word."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from evenhand.errors import Unknown
from evenhand.measures.definitions.counts import rendered_female


def test_counts_by_class_are_the_published_ones(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    # DeepL: feminine verbs 242 female and 1,784 male, masculine 135 and 1,905 (studies.md), 2,079 sentences each
    words = rendered_female(verb_labels("DeepL"), "verb_class")
    assert words.rows() == [("feminine", 2_079, 242, 1_784), ("masculine", 2_079, 135, 1_905)]


def test_words_that_are_never_female_are_left_out() -> None:
    table = pl.DataFrame(
        {
            "occupation": ["guard", "guard", "nurse", "nurse", "clerk", "maid", None],
            "gender": ["male", "female", "female", "female", "neutral", "female", "female"],
        }
    )
    assert rendered_female(table, "occupation")["occupation"].to_list() == ["nurse", "maid", "guard"]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(Unknown, match="occupation"):
        rendered_female(pl.DataFrame({"occupation": ["a"], "gender": ["male"]}), "ocupation")
