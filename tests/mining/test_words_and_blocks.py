"""Ratios of words, and the published block format."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.corpus.estimates import Estimator
from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.measures.rows import EstimateRow
from evenhand.mining.pairs import summed, words_by_text
from evenhand.mining.verified import Block, differing_token, pair_blocks, read_blocks, write_blocks
from evenhand.workflows.mine import word_rows


def rows_of(seen: list[tuple[str, str, int]]) -> list[EstimateRow]:
    """Estimates of words from (word, gender, line of its text), each the original of one pair."""
    pairs = pl.DataFrame(
        {
            "sentence": [str(n) for n in range(len(seen))],
            "file": "a.txt",
            "line": [line for *_, line in seen],
            "focus_original": [word for word, *_ in seen],
            "gender_original": [gender for _, gender, _ in seen],
            "focus_substitute": "person",
            "gender_substitute": "unknown",
        }
    )
    return word_rows(summed([words_by_text(pairs)]), "es, at risk", Estimator(0, 0.95))


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_ratio_turns_its_sign_when_the_genders_change_places(masculine: int, feminine: int) -> None:
    genders = ["male"] * masculine + ["female"] * feminine
    one, other = (
        rows_of([("cook", gender, line) for line, gender in enumerate(named, start=1)])[1]
        for named in (genders, [{"male": "female", "female": "male"}[gender] for gender in genders])
    )
    assert float(one["value"] or 0) == pytest.approx(-float(other["value"] or 0), abs=1e-12)


def test_the_share_and_ratio_of_a_known_case() -> None:
    share, ratio = rows_of([("Nurse", "male" if line == 1 else "female", line) for line in range(1, 11)])
    assert (share["value"], share["n"], share["n_clusters"]) == (0.1, 10, 10)
    assert ratio["value"] == pytest.approx(math.log(1.5 / 9.5))
    assert float(share["low"] or 0) < 0.1 < float(share["high"] or 0)
    assert "document or block of lines" in str(share["interval"])


def test_sentences_of_one_text_that_agree_count_as_one() -> None:
    """Twenty texts of three sentences each, all alike within: as wide as twenty sentences, not as sixty."""
    genders = ["male", "female"] * 10
    together = rows_of([("nurse", gender, line) for line, gender in enumerate(genders, start=1) for _ in range(3)])[0]
    single = rows_of([("nurse", gender, line) for line, gender in enumerate(genders, start=1)])[0]
    alone = rows_of([("nurse", gender, line) for line, gender in enumerate(genders * 3, start=1)])[0]
    width, of_twenty, of_sixty = (float(r["high"] or 0) - float(r["low"] or 0) for r in (together, single, alone))
    assert width == pytest.approx(of_twenty, rel=0.15)
    assert width > 1.5 * of_sixty


def test_lines_of_many_blocks_are_clustered_by_block() -> None:
    """One sentence per line, alike within blocks of 200 lines: the block is the text."""
    seen = [
        ("nurse", "male" if block % 2 else "female", 200 * block + line) for block in range(8) for line in range(1, 9)
    ]
    assert rows_of(seen)[0]["n_clusters"] == 8


def test_frequent_words_come_first_and_undecided_ones_do_not_count() -> None:
    seen = [
        ("Nurse", "female", 1),
        ("nurse", "female", 2),
        ("cook", "male", 3),
        ("cook", "unknown", 4),
        ("bear", "neutral", 5),
    ]
    assert [(r["level"], r["n"]) for r in rows_of(seen)[::2]] == [("nurse", 2), ("cook", 1)]


word = st.text(alphabet="abcdeäñ", min_size=1, max_size=6)


@given(
    st.lists(st.tuples(st.lists(word, min_size=1, max_size=6), word, word), min_size=1, max_size=5),
    st.integers(0, 4),
)
def test_what_is_written_can_be_read_with_any_number_of_blank_lines(
    tmp_path_factory: pytest.TempPathFactory, cases: list[tuple[list[str], str, str]], blanks: int
) -> None:
    pairs = []
    for rest, first, second in cases:
        other = second if second != first else second + "x"
        pairs.append(
            (
                Block(0, "original", " ".join([*rest, first]), "la " + first, first, first, Gender.FEMALE),
                Block(0, "substitution", " ".join([*rest, other]), "el " + other, other, other, Gender.MALE),
            )
        )
    path = tmp_path_factory.mktemp("blocks") / "file"
    path.write_text(("\n" * blanks).join(line + "\n" for line in write_blocks(pairs).splitlines()), encoding="utf-8")
    found = pair_blocks(read_blocks(path))
    assert not found.alone
    key = [(a.source, a.rendering, a.focus, a.target_focus, a.gender) for pair in pairs for a in pair]
    assert [(a.source, a.rendering, a.focus, a.target_focus, a.gender) for pair in found.pairs for a in pair] == key


def test_halves_that_differ_in_more_than_one_word_are_no_pair() -> None:
    assert differing_token("a b c", "a x c") == 1
    assert differing_token("a b c", "a x y") is None
    assert differing_token("a b c", "a b") is None
    assert differing_token("a b", "a b") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("hello\n", "line 1: expected"),
        ("Original sentences:\nonly one\n", "line 1: the block has 1 lines of text"),
        ("\nOriginal sentences:\na\nb\nGender: purple\n", "line 5: the gender 'purple'"),
        ("", "no block in it"),
    ],
)
def test_a_broken_block_is_named_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "high_precision_career_xx"
    path.write_text(content)
    with pytest.raises(BadInput, match=message):
        read_blocks(path)
