"""The system mended:SYSTEM: what the source states is obeyed, the rest is kept or answered both ways."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.errors import BadInput, Unknown
from evenhand.systems import Answer, Request, open_system
from evenhand.workflows.mended import MendedSystem

STATED = "The doctor says that she is tired."
OPEN = "The doctor is tired."


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The spec of a translator that says El doctor whatever is asked."""
    code = "def translate(texts):\n    return ['El doctor está cansado.' for _ in texts]\n"
    (tmp_path / "always_male.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "python:always_male:translate"


def answered(system: MendedSystem, text: str, *candidates: str) -> Answer:
    first, *others = candidates
    return system.answer(Request(text, "en", "es"), Answer(first, tuple(others)))


def test_the_stated_gender_is_obeyed_and_the_rest_is_kept(own: str) -> None:
    mended = evenhand.translate(f"mended:{own}", [STATED, OPEN], source="en", target="es")
    assert mended == ["La doctora está cansada.", "El doctor está cansado."]


def test_a_candidate_with_the_stated_gender_is_taken_before_anything_is_rewritten(own: str) -> None:
    system = MendedSystem(own)
    male, female, other = "El doctor está cansado.", "Dice la médica que está cansada.", "El médico está cansado."
    chosen = answered(system, STATED, male, other, female)
    assert (chosen.text, chosen.version) == (female, "mended 1: chosen")
    assert chosen.alternatives == (male, other)
    assert answered(system, STATED, female, male).version == "mended 1: as is"
    rewritten = answered(system, STATED, male, other)
    assert (rewritten.text, rewritten.version) == ("La doctora está cansada.", "mended 1: rewritten")
    assert answered(system, STATED, "La persona está cansada.").version == "mended 1: declined"
    assert answered(system, OPEN, male).version == "mended 1: open"
    for unclear in (
        "The doctor told the nurse that she is late.",
        "Mary says that the doctor knows her.",
        "She saw the doctors.",
    ):
        kept = answered(system, unclear, male)
        assert (kept.text, kept.version) == (male, "mended 1: unclear")


def test_what_is_left_open_may_be_answered_both_ways(own: str) -> None:
    system = MendedSystem(own, leave_open="alternatives")
    given = answered(system, OPEN, "El doctor está cansado.")
    assert (given.text, given.alternatives) == ("El doctor está cansado.", ("La doctora está cansada.",))
    refused = Answer("", refusal="not today")
    assert system.answer(Request(OPEN, "en", "es"), refused) is refused


def test_gold_obeys_the_suite_and_needs_its_column(own: str) -> None:
    source = "The doctor told the nurse that she is late."
    probes = pl.DataFrame({"id": ["1"], "source": [source], "focus": ["doctor"], "gold": ["female"]})
    system = MendedSystem(own, gold=True)
    system.bind(probes)
    assert system.batch.by_probe
    request = Request(source, "en", "es", probe="1")
    assert system.answer(request, Answer("El doctor le dijo algo al enfermero.")).text == (
        "La doctora le dijo algo al enfermero."
    )
    with pytest.raises(BadInput, match="column gold"):
        system.bind(probes.drop("gold"))


def test_its_name_and_fingerprint_hold_those_of_the_wrapped_system(own: str) -> None:
    system = open_system(f"mended:{own}")
    assert system.name == f"mended:{own}"
    assert system.fingerprint != open_system(f"mended:{own}", leave_open="alternatives").fingerprint
    with pytest.raises(Unknown, match="keep"):
        open_system(f"mended:{own}", leave_open="both")
    with pytest.raises(BadInput, match="mended:SYSTEM"):
        open_system("mended")
    with pytest.raises(Unknown, match="language of mend"):
        evenhand.translate(system, [STATED], source="en", target="hu")


def test_a_run_counts_the_ways_its_answers_came(own: str, tmp_path: Path) -> None:
    suite = tmp_path / "suite.tsv"
    suite.write_text(f"id\tsource\tfocus\n1\t{STATED}\tdoctor\n2\t{OPEN}\tdoctor\n", encoding="utf-8")
    settings = evenhand.Settings(resamples=50)
    run = evenhand.audit(str(suite), f"mended:{own}", target="es", memory=tmp_path / "m.sqlite", settings=settings)
    assert "mended: 1 open, 1 rewritten" in run.manifest.notes
    again = evenhand.audit(str(suite), f"mended:{own}", target="es", memory=tmp_path / "m.sqlite", settings=settings)
    assert "mended: 1 open, 1 rewritten" in again.manifest.notes  # remembered, with the way
