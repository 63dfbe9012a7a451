"""Ratios of words, and the published block format."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.mining.pairs import WordRatio, word_table
from evenhand.mining.verified import Block, differing_token, pair_blocks, read_blocks, write_blocks


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_ratio_turns_its_sign_when_the_genders_change_places(masculine: int, feminine: int) -> None:
    one, other = WordRatio.of("x", masculine, feminine).log_ratio, WordRatio.of("x", feminine, masculine).log_ratio
    assert one.value == pytest.approx(-other.value, abs=1e-12)
    assert one.low == pytest.approx(-other.high)
    assert one.low < one.value < one.high
    assert (one.value > 0) == (masculine > feminine)


def test_the_ratio_of_a_known_case() -> None:
    nurse = WordRatio.of("nurse", 1, 9)
    ratio = nurse.log_ratio  # ln(1.5 / 9.5) and its standard error, by hand
    assert ratio.value == pytest.approx(-1.845827, abs=1e-6)
    assert ratio.high - ratio.value == pytest.approx(1.959964 * math.sqrt(1 / 1.5 + 1 / 9.5), abs=1e-5)
    assert nurse.share_masculine.value == 0.1
    wider = WordRatio.of("nurse", 1, 9, level=0.99).log_ratio
    assert wider.high - wider.value == pytest.approx(2.575829 * math.sqrt(1 / 1.5 + 1 / 9.5), abs=1e-5)


def test_frequent_words_come_first_and_undecided_ones_do_not_count() -> None:
    seen = [("Nurse", "female"), ("nurse", "female"), ("cook", "male"), ("cook", "unknown"), ("bear", "neutral")]
    assert [(w.word, w.masculine, w.feminine) for w in word_table(seen)] == [("nurse", 0, 2), ("cook", 1, 0)]


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
    path.write_text(("\n" * blanks).join(line + "\n" for line in write_blocks(pairs)), encoding="utf-8")
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
        ("Original sentences:\nonly one\n", "line 1: the block has 1 text lines"),
        ("\nOriginal sentences:\na\nb\nGender: purple\n", "line 5: the gender 'purple'"),
        ("", "no block in it"),
    ],
)
def test_a_broken_block_is_named_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "high_precision_career_xx"
    path.write_text(content)
    with pytest.raises(BadInput, match=message):
        read_blocks(path)
