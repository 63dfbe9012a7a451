"""Renderings that once broke a judge (`make soak` adds to them) through every judge there is."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.faults.judges import judges

from evenhand.grammar import codes
from evenhand.languages import known

KEPT = (Path(__file__).parent / "kept" / "renderings.txt").read_text("utf-8").split("\n")


@pytest.mark.parametrize("name", judges())
def test_what_once_broke_a_judge_is_judged(name: str) -> None:
    n = len(KEPT)
    pairs = pl.DataFrame(
        {
            "id": [str(number) for number in range(n)],
            "source": ["The nurse came."] * n,
            "rendering": KEPT,
            "focus_start": [4] * n,
            "focus_end": [9] * n,
        }
    )
    _, judge = judges()[name]
    judge(pairs)


def test_every_language_with_a_detector_is_among_the_judges() -> None:
    languages = {code for code, language in known().items() if language.nouns}
    assert {f"nouns {code}" for code in languages | set(codes())} <= set(judges())
