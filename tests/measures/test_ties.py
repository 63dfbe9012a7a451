"""Letters for ties: two names share one if, and only if, no test tells them apart."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evenhand.measures.decisions.ranking import letters

NAMES = list("ABCDEFGH")


def test_a_chain_of_ties_has_the_letters_worked_out_by_hand() -> None:
    # ties are A-B, B-C and C-D: three overlapping pairs, three letters
    shown = letters(list("ABCD"), [("A", "C"), ("D", "A"), ("B", "D")])
    assert shown == {"A": ("a",), "B": ("a", "b"), "C": ("b", "c"), "D": ("c",)}


def test_nobody_told_apart_is_one_letter_and_everybody_told_apart_one_each() -> None:
    assert letters(["x", "y", "z"], []) == {"x": ("a",), "y": ("a",), "z": ("a",)}
    assert letters(["x", "y"], [("y", "x")]) == {"x": ("a",), "y": ("b",)}
    assert letters([], []) == {}


def test_being_tied_is_not_passed_on() -> None:
    assert letters(["x", "y", "z"], [("x", "z")]) == {"x": ("a",), "y": ("a", "b"), "z": ("b",)}


def test_after_z_comes_aa() -> None:
    names = [f"s{number:02d}" for number in range(28)]
    shown = letters(names, list(combinations(names, 2)))
    assert [shown[name][0] for name in names[25:]] == ["z", "aa", "ab"]


@given(st.lists(st.sampled_from(list(combinations(NAMES, 2))), unique=True))
def test_two_names_share_a_letter_if_and_only_if_no_test_tells_them_apart(apart: list[tuple[str, str]]) -> None:
    shown = letters(NAMES, apart)
    for pair in combinations(NAMES, 2):
        assert bool(set(shown[pair[0]]) & set(shown[pair[1]])) == (pair not in apart)
    assert all(shown.values())
