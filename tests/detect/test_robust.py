"""No row is lost: whatever stands in a cell gives a verdict, and none depends on its neighbours."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.opened import detector

from evenhand.detect.nouns import NounDetector
from evenhand.workflows.detect import DetectSettings

SOURCE = "The nurse helped the mechanic because she was tired."
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
CODES = ("de", "es", "fr", "it")
REPEATED = ["a", "ge", "Die Lehrerin und der Lehrer ", "Lehrer-", "'", "l'", "😀", "@*:·", "(in)"]
# What grows with the square of the length takes an hour in the one, and minutes in the others.
CHARACTERS = {"de": 300_000, "es": 100_000, "fr": 100_000, "it": 100_000}


def pairs(renderings: list[str]) -> pl.DataFrame:
    n = len(renderings)
    return pl.DataFrame(
        {"id": [str(k) for k in range(n)], "source": [SOURCE] * n, "rendering": renderings, "focus": ["nurse"] * n},
        schema={"id": pl.String, "source": pl.String, "rendering": pl.String, "focus": pl.String},
    )


@settings(max_examples=200, deadline=None)
@given(TEXT, st.sampled_from(CODES))
@example("_", "de")  # no word at all
def test_any_text_gives_a_verdict_with_offsets_inside_it(rendering: str, code: str) -> None:
    verdict = detector(code).verdict(SOURCE, rendering, 4, 9)
    assert verdict.gender in {"female", "male", "neutral", "both", "unknown"}
    assert 0.0 <= verdict.confidence <= 1.0
    if verdict.start is not None and verdict.end is not None:
        assert 0 <= verdict.start < verdict.end <= len(rendering)
        assert rendering[verdict.start : verdict.end].strip()


@pytest.mark.parametrize("repeated", REPEATED)
@pytest.mark.parametrize("code", CODES)
def test_an_enormous_rendering_gives_a_verdict(code: str, repeated: str) -> None:
    rendering = repeated * (CHARACTERS[code] // len(repeated))
    assert detector(code).detect(pairs([rendering])).height == 1


def test_an_enormous_source_gives_a_verdict() -> None:
    source = "The nurse slept. " * 20_000
    verdict = detector("de").verdict(source, "Der Pfleger schlief. " * 20_000, 4, 9)
    assert verdict.gender == "male"


def test_mixed_scripts_and_emoji_do_not_hide_the_noun() -> None:
    verdict = detector("de").verdict(SOURCE, "😀 Медсестра, die Krankenschwester 看護師 half dem Mechaniker.", 4, 9)
    assert verdict.gender == "female"


@settings(max_examples=5, deadline=None)
@given(st.permutations(["Die Krankenschwester half.", "Der Pfleger half.", "", "Die Pflegekraft half.", "x y z"]))
def test_a_verdict_does_not_depend_on_other_rows(order: list[str]) -> None:
    together = dict(zip(order, detector("de").detect(pairs(order)).drop("id").rows(), strict=True))
    alone = {text: NounDetector("en", "de").detect(pairs([text])).drop("id").row(0) for text in order[:2]}
    assert all(together[text] == row for text, row in alone.items())


def test_two_processes_answer_like_one() -> None:
    batches = [pairs(["Die Krankenschwester half."] * 3), pairs(["Der Pfleger half.", "x"])]
    judging = (DetectSettings(target="de", kind="nouns", workers=n) for n in (1, 2))
    one, two = (pl.concat(each.batches(iter(batches)).batches) for each in judging)
    assert one.equals(two)
