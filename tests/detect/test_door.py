"""Nobody goes past the shared door: every detector is opened with the validity check before it."""

from __future__ import annotations

import ast
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect import open_detector

SOURCE = Path(evenhand.__file__).parent
BARE = {"MentionDetector", "NounDetector", "PronounDetector", "ReferenceDetector", "SpeakerDetector"}
PAIRS = pl.DataFrame(
    {"id": ["a"], "source": ["The nurse slept."], "rendering": ["Die Frau schlief."], "focus": ["nurse"]}
)
ANSWERS = ["", "The nurse slept.", "x x x x x x x x", "Die Krankenschwester schlief."]


def test_no_module_outside_opens_a_detector_without_the_check() -> None:
    for path in SOURCE.rglob("*.py"):
        if path.parent.is_relative_to(SOURCE / "detect"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        called = {f.id if isinstance(f, ast.Name) else f.attr for f in calls if isinstance(f, ast.Name | ast.Attribute)}
        assert not called & BARE, path


def test_only_a_papers_table_is_made_without_the_check() -> None:
    for path in SOURCE.rglob("*.py"):
        if "as_published=True" in path.read_text(encoding="utf-8"):
            assert path.parent == SOURCE / "replicate", path
    ours = open_detector("nouns", source="en", target="de", as_published=True)
    assert "valid" in ours.detect(PAIRS).columns


@pytest.mark.parametrize("kind", ["nouns", "pronouns", "references"])
def test_every_kind_says_unknown_with_the_reason_and_keeps_the_order(kind: str) -> None:
    detector = open_detector(kind, source="en", target="de")  # type: ignore[arg-type]
    pairs = pl.DataFrame({
        "id": list("abcd"), "source": ["The nurse slept."] * 4, "rendering": ANSWERS, "focus": ["nurse"] * 4,
        "reference": [ANSWERS[3]] * 4, "reference_other": ["Der Krankenpfleger schlief."] * 4, "gold": ["female"] * 4,
    })  # fmt: skip
    verdicts = detector.detect(pairs)
    assert verdicts["id"].to_list() == list("abcd")
    assert verdicts["valid"].to_list() == [False, False, False, True]
    said = "neutral" if kind == "pronouns" else "female"  # no pronoun in the rendering
    assert verdicts["gender"].cast(pl.String).to_list() == ["unknown", "unknown", "unknown", said]
    assert verdicts["reason"].to_list()[:3] == ["empty", "repeats the source", "degenerate"]
    assert "validity-" in detector.fingerprint


def test_text_that_is_no_rendering_teaches_no_word() -> None:
    good = pl.DataFrame({"source": ["The zorf slept."] * 40, "rendering": ["Der Zorf schlief."] * 40})
    bad = pl.DataFrame({"source": ["The zorf slept."] * 40, "rendering": ["The zorf slept."] * 40})
    alone = open_detector("nouns", source="en", target="de", pool=good)
    both = open_detector("nouns", source="en", target="de", pool=pl.concat([good, bad]))
    assert alone.fingerprint == both.fingerprint
