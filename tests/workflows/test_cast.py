"""Strings whose speakers are known, and messages that select by gender."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand
from evenhand.detect.branches import branches
from evenhand.errors import BadInput

LINES = (
    "id\tspeaker\tlistener\tsource\ttarget\n"
    "tired\tAnna\tBen\tI am tired.\tEstoy cansado.\n"
    "ready\tAnna\tBen\tAre you ready?\t¿Estás listo?\n"
    "sick\tBen\tAnna\tAnna is sick.\tAnna está enfermo.\n"
    "happy\tGuard\t\tI am happy.\tEstoy contento.\n"
    "alone\tGuard\t\tI am alone.\tEstoy sola.\n"
    "proud\tGuard\t\tI am proud.\tEstoy orgulloso.\n"
    "open\tBen\t\tThe sky is blue.\tEl cielo está cansada.\n"
)


def test_first_second_and_third_person_are_held_against_the_cast(tmp_path: Path) -> None:
    (tmp_path / "game.tsv").write_text(LINES)
    checked = evenhand.check_file(tmp_path / "game.tsv", target="es", cast=["Anna=female", "Ben=male"])
    found = checked.persons.filter(checked.persons["finding"].is_not_null())
    assert found.select("id", "person", "says", "gender", "finding").rows() == [
        ("tired", "Anna", "female", "male", "wrong"),
        ("sick", "Anna", "female", "male", "wrong"),
        ("alone", "Guard", "speaks", "female", "inconsistent"),
    ]
    with pytest.raises(BadInput, match="NAME=female or NAME=male"):
        evenhand.check_file(tmp_path / "game.tsv", target="es", cast=["Anna"])


def test_the_labels_of_subtitles_name_the_speaker(tmp_path: Path) -> None:
    cue = "{}\n00:00:0{}{}000 --> 00:00:0{}{}500\n{}\n\n"
    english = ("ANNA: I was born in Rome.", "BEN: I was born here.")
    spanish = ("<v Anna>Yo nací cansado.", "<v Ben>Estoy cansado.")
    (tmp_path / "en.srt").write_text("".join(cue.format(n, n, ",", n, ",", text) for n, text in enumerate(english, 1)))
    body = "".join(cue.format(n, n, ".", n, ".", text) for n, text in enumerate(spanish, 1))
    (tmp_path / "es.vtt").write_text(f"WEBVTT\n\n{body}")
    checked = evenhand.check_file(tmp_path / "es.vtt", sources=tmp_path / "en.srt", cast=["Anna=female", "Ben=male"])
    found = checked.persons.filter(checked.persons["finding"].is_not_null())
    assert found.select("person", "gender", "finding").rows() == [("Anna", "male", "wrong")]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (
            "{g, select, female {The teacher left.} male {The teacher came.} other {The teacher is here.}}",
            "{g, select, female {Der Lehrer ging.} other {Die Lehrkraft ist hier.}}",
        ),
        (
            ".match $g female {{The teacher left.}} male {{The teacher came.}} * {{The teacher is here.}}",
            ".match $g female {{Der Lehrer ging.}} * {{Die Lehrkraft ist hier.}}",
        ),
    ],
)
def test_a_branch_contradicts_its_selector_or_is_missing(source: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(f"source\ttarget\n{source}\t{target}\n")
    checked = evenhand.check_file(tmp_path / "a.tsv", target="de")
    found = checked.persons.filter(checked.persons["finding"].is_not_null())
    assert found.select("says", "gender", "finding").rows() == [
        ("female", "male", "wrong"),
        ("male", "unknown", "missing"),
    ]


def test_the_forms_of_mediawiki_are_judged_each(tmp_path: Path) -> None:
    source, target = "{{GENDER:$1|The user}} left.", "{{GENDER:$1|Der Benutzer|Die Benutzerin}} ging."
    (tmp_path / "a.tsv").write_text(f"source\ttarget\n{source}\t{target}\n")
    checked = evenhand.check_file(tmp_path / "a.tsv", target="de")
    assert sorted(checked.persons["gender"].to_list()) == ["female", "male", "male"]
    assert checked.persons.filter(finding="wrong").is_empty()


def test_a_selector_with_one_form_states_no_gender(tmp_path: Path) -> None:
    source, target = "Log of {{GENDER:$1|this user}}", "Registro de {{GENDER:$1|este usuário}}"
    (tmp_path / "a.tsv").write_text(f"source\ttarget\n{source}\t{target}\n")
    checked = evenhand.check_file(tmp_path / "a.tsv", target="pt")
    assert checked.persons.select("says", "gender", "finding").rows() == [("open", "male", "open")]
    assert [one.keys for one in branches("of {{GENDER:$1|[[User:$1|a user]]}}")] == [{}]


def test_of_several_persons_under_one_selector_no_gender_is_stated(tmp_path: Path) -> None:
    source = "{{GENDER:$1|This user}} is a system user"
    target = "{{GENDER:$1|Dieser Benutzer ist Systembenutzer|Diese Benutzerin ist Systembenutzerin}}"
    (tmp_path / "a.tsv").write_text(f"source\ttarget\n{source}\t{target}\n")
    women = evenhand.check_file(tmp_path / "a.tsv", target="de").persons.filter(gender="female")
    assert set(women["says"]) == {"unclear"}


@pytest.mark.parametrize(
    ("source", "target", "persons"),
    [
        (
            "{{PLURAL:$1|The user|The users}} left.",
            "{{PLURAL:$1|Der Benutzer|Die Benutzer}} ging.",
            [("user", "open"), ("users", "open")],
        ),
        (".local $x = {1} {{The teacher left.}}", ".local $x = {1} {{Die Lehrerin ging.}}", [("teacher", "open")]),
    ],
)
def test_plurals_of_mediawiki_and_declared_messages_are_read_as_their_texts(
    source: str, target: str, persons: list[tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "a.tsv").write_text(f"source\ttarget\n{source}\t{target}\n")
    assert evenhand.check_file(tmp_path / "a.tsv", target="de").persons.select("person", "finding").rows() == persons
