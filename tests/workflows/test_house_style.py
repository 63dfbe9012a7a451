"""check-file with a house style: what departs from it, what is suggested, where the style comes from."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import evenhand as run

import evenhand
from evenhand.errors import BadInput

STRINGS = {
    "The user %s has been deleted.": "Der Benutzer %s wurde gelöscht.",
    "Users": "Benutzer:innen",
    "All <b>users</b>": "Alle <b>Benutzer*innen</b>",
    "Members": "Mitglieder",
    "The nurse finished his shift.": "Die Krankenschwester hat ihre Schicht beendet.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    entries = [f'\nmsgid "{source}"\nmsgstr "{text}"\n' for source, text in STRINGS.items()]
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr "Language: de\\n"\n' + "".join(entries))
    return tmp_path


def findings(folder: Path, style: str) -> list[str | None]:
    return evenhand.check_file(folder / "de.po", style=[style]).persons["finding"].to_list()


def test_a_style_finds_other_notations_and_single_genders_and_nothing_else(folder: Path) -> None:
    assert findings(folder, "star") == ["style", "style", None, None, "wrong"]
    assert findings(folder, "de=colon") == ["style", None, "style", None, "wrong"]
    assert findings(folder, "neutral") == ["style", "style", "style", None, "wrong"]
    assert findings(folder, "fr=point") == ["open", None, None, None, "wrong"]


def test_the_suggestion_follows_the_style_and_keeps_placeholders(folder: Path) -> None:
    noted = evenhand.check_file(folder / "de.po", style=["star"]).annotated(suggest=True).decode()
    assert "house style star (Benutzer*innen), the translation says male (Benutzer)" in noted
    assert "; star: Der*die Benutzer*in %s wurde gelöscht." in noted
    assert "; male: Der Krankenpfleger hat seine Schicht beendet." in noted


def test_the_project_file_gives_each_language_its_style_and_the_gate_names_it(folder: Path) -> None:
    (folder / "evenhand.toml").write_text('[style]\nde = "star"\nfr = "point"\n')
    failed = run("check-file", "de.po", "--fail-on", "style", folder=folder)
    assert failed.returncode == 1
    assert "house style: " in failed.stdout
    assert "FAILED: 2 strings depart from the house style" in failed.stdout
    sarif = run("check-file", "de.po", "--fail-on", "style", "--output-format", "sarif", folder=folder)
    assert '"ruleId": "house-style"' in sarif.stdout


def test_a_wrong_style_is_one_clear_error(folder: Path) -> None:
    with pytest.raises(BadInput, match=r"'x' is not supported for German. Supported: neutral \(Studierende\), pair"):
        findings(folder, "x")
    with pytest.raises(BadInput, match="give NAME, or LANG=NAME"):
        findings(folder, "de=")
