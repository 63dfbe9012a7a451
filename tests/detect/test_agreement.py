"""Where the noun leaves the gender open, or says less than the words around it: sentences a reader sees through."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from evenhand.detect.nouns import NounDetector
from evenhand.tsv import rows

CASES = [tuple(row.values())[:5] for row in rows(Path(__file__).with_name("agreement.tsv"))]


@cache
def detector(code: str) -> NounDetector:
    return NounDetector("en", code)


@pytest.mark.parametrize(("code", "source", "focus", "rendering", "gender"), CASES)
def test_the_words_around_a_noun_tell_its_gender(
    code: str, source: str, focus: str, rendering: str, gender: str
) -> None:
    start = source.index(focus)
    assert detector(code).verdict(source, rendering, start, start + len(focus)).gender == gender
