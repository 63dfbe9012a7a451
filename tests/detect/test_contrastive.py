"""MT-GenEval by its two references: the published checks."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand
from evenhand import load_suite


def scored(suite: str, take: str, memory: Path) -> dict[tuple[str, str], float]:
    """Audit a suite with a 'translator' that always answers one of the references."""
    loaded = load_suite(suite)
    answers = {}
    for row in loaded.probes.iter_rows(named=True):
        right = take == "right" or (take in ("female", "male") and row.get("gold") == take)
        answers[row["source"]] = row["reference"] if right else row["reference_other"]
    run = evenhand.audit(loaded, lambda texts: [answers[t] for t in texts], target=loaded.targets[0], memory=memory)
    return {(r["measure"], r["level"]): r["value"] for r in run.estimates.iter_rows(named=True)}


@pytest.mark.parametrize(
    ("language", "masculine", "feminine"),
    [("de", 0.0, 0.0167), ("es", 0.0467, 0.0667), ("pt", 0.0, 0.0), ("hi", 0.1233, 0.12)],
)
def test_counterfactual_accuracy_matches_the_published_checks(
    shared_data: Path, tmp_path: Path, language: str, masculine: float, feminine: float
) -> None:
    folder = shared_data / "mtgeneval" / "sentences" / "test"
    suite = f"mtgeneval:{folder / f'geneval-sentences-feminine-test.en_{language}.en'}"
    for take, expected in (("right", 1.0), ("male", masculine), ("female", feminine)):
        values = scored(suite, take, tmp_path / f"{take}.sqlite")
        assert values["counterfactual_accuracy", ""] == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("language", "flipped"), [("de", 0.0073), ("es", 0.0401), ("pt", 0.0312), ("hi", 0.0483)])
def test_contextual_accuracy_of_flipped_references_matches_the_published_check(
    shared_data: Path, tmp_path: Path, language: str, flipped: float
) -> None:
    folder = shared_data / "mtgeneval" / "context"
    suite = f"mtgeneval:{folder / f'geneval-context-wikiprofessions-2to1-test.en_{language}.en'}"
    values = scored(suite, "wrong", tmp_path / "m.sqlite")
    assert values["reference_accuracy", ""] == pytest.approx(flipped, abs=5e-5)
