"""Renderings that once broke a detector (`make soak` adds to them) through every detector there is."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.detect import open_detector
from evenhand.languages import known
from evenhand.suites.suite import Kind

KEPT = (Path(__file__).parent / "kept" / "renderings.txt").read_text("utf-8").split("\n")
DETECTORS: list[tuple[Kind, str, str]] = [
    *(("nouns", "en", code) for code, language in known().items() if language.nouns),
    *(("pronouns", "eu", code) for code in ("en", "de", "fr", "es")),
]


@pytest.mark.parametrize(("kind", "source", "target"), DETECTORS)
def test_what_once_broke_a_detector_gets_a_verdict(kind: Kind, source: str, target: str) -> None:
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
    verdicts = open_detector(kind, source=source, target=target).detect(pairs)
    assert verdicts.height == n
    assert verdicts["gender"].is_in(["female", "male", "neutral", "both", "unknown"]).all()
