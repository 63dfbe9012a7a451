"""Where the noun leaves the gender open, or says less than the words around it: sentences a reader sees through."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.detect.nouns import shipped
from evenhand.tsv import rows

CASES = [tuple(row.values())[:5] for row in rows(Path(__file__).with_name("agreement.tsv"))]


@pytest.mark.parametrize(("code", "source", "focus", "rendering", "gender"), CASES)
def test_the_words_around_a_noun_tell_its_gender(
    code: str, source: str, focus: str, rendering: str, gender: str
) -> None:
    start = source.index(focus)
    assert shipped("en", code).verdict(source, rendering, start, start + len(focus)).gender == gender
