"""Single strings gated against an earlier run."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand
from evenhand.errors import BadInput
from evenhand.workflows.check import accept_changes

SOURCES = {
    "open": "The **nurse** is here.",
    "kept": "The **cook** is here.",
    "freed": "The **judge** is here.",
    "stated": "The **teacher** said that she is here.",
}
BEFORE = {
    "open": "Die Krankenschwester ist hier.",
    "kept": "Der Koch ist hier.",
    "freed": "Der Richter ist hier.",
    "stated": "Der Lehrer sagte, dass sie hier ist.",
}
NOW = BEFORE | {
    "open": "Der Krankenpfleger ist hier.",
    "freed": "Die Richterin ist hier.",
    "stated": "Die Lehrerin sagte, dass sie hier ist.",
}


def audit(folder: Path, name: str, renderings: dict[str, str], **more: str) -> evenhand.Run:
    probes, lines = folder / f"probes-{len(more)}.tsv", folder / f"{name}.tsv"
    gold = {"stated": "female"}
    rows = [f"{key}\t{text}\t{gold.get(key, '')}" for key, text in (SOURCES | more).items()]
    probes.write_text("id\tsource\tgold\n" + "\n".join(rows) + "\n", encoding="utf-8")
    lines.write_text("id\trendering\n" + "".join(f"{k}\t{v}\n" for k, v in renderings.items()), encoding="utf-8")
    return evenhand.audit(str(probes), f"file:{lines}", target="de", output=folder / f"run-{name}")


@pytest.fixture
def runs(tmp_path: Path) -> tuple[evenhand.Run, evenhand.Run]:
    return audit(tmp_path, "now", NOW), audit(tmp_path, "before", BEFORE)


def test_a_string_that_was_female_and_is_male_now_fails_with_both_renderings(
    runs: tuple[evenhand.Run, evenhand.Run],
) -> None:
    (failure,) = evenhand.check(*runs, sentences="to-male")
    assert failure.startswith("open: female to male: ")
    assert BEFORE["open"] in failure
    assert NOW["open"] in failure


def test_the_change_that_fails_can_be_chosen_and_what_the_source_states_never_does(
    runs: tuple[evenhand.Run, evenhand.Run],
) -> None:
    assert [f.split(":")[0] for f in evenhand.check(*runs, sentences="to-female")] == ["freed"]
    assert {f.split(":")[0] for f in evenhand.check(*runs, sentences="any")} == {"open", "freed"}
    assert evenhand.check(*runs, sentences="gendered") == []
    assert "1 changed to the gender that the source states" in evenhand.gate(*runs, sentences="any").notes[0]
    assert evenhand.check(*runs) == []


def test_an_accepted_change_passes_until_the_rendering_is_another_one(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    now, before = runs
    accepted = tmp_path / "accepted.tsv"
    accepted.write_text(f"id\twas\tnow\trendering\tnote\nopen\tfemale\tmale\t{NOW['open']}\tthe ward's own word\n")
    gate = evenhand.gate(now, before, sentences="to-male", accept=accepted)
    assert gate.passed
    assert gate.notes[0].endswith("1 changed as gated, 1 of them accepted")
    other = audit(tmp_path, "other", NOW | {"open": "Der Pfleger ist hier."})
    (failure,) = evenhand.check(other, before, sentences="to-male", accept=accepted)
    assert "Der Pfleger" in failure
    notes = evenhand.gate(other, before, sentences="to-male", accept=accepted).notes
    assert "1 accepted changes do not occur any more" in notes[1]


def test_an_accepted_file_is_written_for_review_and_keeps_what_people_wrote(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    path = tmp_path / "accepted.tsv"
    assert accept_changes(*runs, path, sentences="to-male") == 1
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + "agreed with the client\n", encoding="utf-8")
    assert accept_changes(*runs, path, sentences="any") == 1
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[0] for line in lines[2:]] == ["freed", "open"]
    assert lines[3].endswith("agreed with the client")
    assert evenhand.check(*runs, sentences="any", accept=path) == []


def test_a_missing_or_broken_file_of_accepted_changes_is_named(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=r"none\.tsv: no such file of accepted changes"):
        evenhand.check(*runs, sentences="any", accept=tmp_path / "none.tsv")
    (tmp_path / "broken.tsv").write_text("id\twas\tnow\trendering\nopen\tfemle\tmale\tx\n")
    with pytest.raises(BadInput, match=r"broken\.tsv line 2"):
        evenhand.check(*runs, sentences="any", accept=tmp_path / "broken.tsv")


def test_strings_that_came_or_went_do_not_hinder_the_gate(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    grown = audit(tmp_path, "grown", NOW | {"new": "Der Bäcker ist hier."}, new="The **baker** is here.")
    gate = evenhand.gate(grown, runs[1], sentences="to-male")
    assert [check.name for check in gate.checks if not check.passed] == ["open"]
    assert "1 in one of the runs only" in gate.notes[0]
    assert gate.not_gated == {"measures": "the runs are of different sentences"}
    with pytest.raises(BadInput, match="same sentences"):
        evenhand.gate(grown, runs[1], sentences="to-male", measures=("accuracy",))
