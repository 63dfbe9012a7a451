"""Words with their places, and the repairs around a substituted word."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.articles import article
from evenhand.mining.perturb import replace_word
from evenhand.persons.tokens import tokens


@given(st.text(max_size=60))
def test_every_token_stands_where_it_says(text: str) -> None:
    found = tokens(text)
    assert all(text[t.start : t.end] == t.text for t in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_clitics_are_tokens_of_their_own() -> None:
    assert [t.text for t in tokens("The nurse's dog isn’t here; i 'm Dr. Who")] == [
        "The", "nurse", "'s", "dog", "is", "n’t", "here", ";", "i", "'m", "Dr.", "Who",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "word", ["apple", "hour", "honest", "heir", "uncle", "usher", "MP", "FBI", "opera", "X-ray", "únimo"]
)
def test_an_belongs_before(word: str) -> None:
    assert article(word) == "an"


@pytest.mark.parametrize(
    "word", ["nurse", "house", "union leader", "urologist", "European", "one-off", "user", "UN", "BBC", "university"]
)
def test_a_belongs_before(word: str) -> None:
    assert article(word) == "a"


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("She is an engineer.", "engineer", "nurse", "She is a nurse."),
        ("A doctor came.", "doctor", "engineer", "An engineer came."),
        ("Doctor on call.", "Doctor", "nurse", "Nurse on call."),
        ("ASK A DOCTOR!", "DOCTOR", "engineer", "ASK AN ENGINEER!"),
        ("Plan A doctor", "doctor", "engineer", "Plan An engineer"),
        ("the doctor", "doctor", "user", "the user"),
    ],
)
def test_article_and_capitals_follow_the_new_word(text: str, old: str, new: str, expected: str) -> None:
    start = text.index(old)
    changed, first, last = replace_word(text, start, start + len(old), new)
    assert changed == expected
    assert changed[first:last].lower() == new
