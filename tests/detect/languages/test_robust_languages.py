"""Whatever stands in a cell gives a verdict, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.opened import detector

CODES = ("ru", "uk", "pl", "cs", "nl", "el", "he", "ar")
LETTERS = st.characters(categories=["Lu", "Ll", "Lo", "Mn", "Nd", "Po", "Pd", "Zs"], max_codepoint=0x6FF)


@settings(max_examples=200, deadline=None)
@given(st.text(LETTERS, max_size=120), st.sampled_from(CODES))
def test_any_text_gives_a_verdict_with_offsets_inside_it(rendering: str, code: str) -> None:
    verdict = detector(code).verdict("The nurse helped the mechanic.", rendering, 4, 9)
    assert 0.0 <= verdict.confidence <= 1.0
    if verdict.start is not None and verdict.end is not None:
        assert 0 <= verdict.start < verdict.end <= len(rendering)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("repeated", ["а", "ב", "ل", "женщина-", "а, "])
def test_an_enormous_rendering_gives_a_verdict(code: str, repeated: str) -> None:
    rendering = repeated * ((300_000 if code == "ru" else 100_000) // len(repeated))
    assert detector(code).verdict("The nurse slept.", rendering, 4, 9).gender in {
        "unknown",
        "neutral",
        "female",
        "male",
    }


@settings(max_examples=100, deadline=None)
@given(st.text(LETTERS, max_size=200), st.sampled_from(CODES))
def test_tokens_lie_where_they_say(text: str, code: str) -> None:
    for token in detector(code).language.tokens(text):
        assert text[token.start : token.end] == token.text
