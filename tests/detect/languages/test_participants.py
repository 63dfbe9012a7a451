"""Own sentences about the speaker and the listener, labelled before the rules: no wrong gender, nearly all right."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.detect.speaker import SpeakerDetector
from evenhand.tsv import rows

SENTENCES = list(rows(Path(__file__).parent / "participants.tsv"))
GENDERS = {"female", "male", "both"}


@pytest.mark.parametrize("code", sorted({row["language"] for row in SENTENCES}))
def test_the_person_gets_the_gender_a_reader_sees(code: str) -> None:
    mine = [row for row in SENTENCES if row["language"] == code]
    detectors = {"speaker": SpeakerDetector(code), "listener": SpeakerDetector(code, whom="listener")}
    verdicts = [str(detectors[row["whom"]].judge("", row["rendering"]).gender) for row in mine]
    missed = [(row["rendering"], got) for row, got in zip(mine, verdicts, strict=True) if row["gender"] != got]
    assert not [(rendering, got) for rendering, got in missed if got in GENDERS]
    assert len(missed) <= 2
