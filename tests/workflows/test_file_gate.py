"""Translated files as a gate: two releases of a catalogue, what is known, what is new, what was accepted."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand

FIXTURES = Path(__file__).parents[1] / "fixtures"
HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n'
DOCTOR = '\nmsgid "The doctor lost her keys."\nmsgstr "Der Arzt hat seine Schlüssel verloren."\n'
NURSE = '\nmsgid "The nurse forgot his badge."\nmsgstr "Die Krankenschwester hat ihren Ausweis vergessen."\n'
TEACHER = '\nmsgid "Ask your teacher."\nmsgstr "Frag deine Lehrerin."\n'
ACCEPTED = '[[accepted]]\nid = "The nurse forgot his badge."\nreason = "quoted from the film"\ndate = 2026-11-17\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first release: one contradiction that everybody knows of."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "de.po").write_text(HEAD + DOCTOR + TEACHER)
    return tmp_path


def run(*words: str) -> CompletedProcess[str]:
    return evenhand(*words, folder=Path.cwd())


def git(*words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)


def test_a_release_stops_for_a_new_contradiction_until_it_is_accepted(folder: Path) -> None:
    gate = ("check-file", "de.po", "--fail-on", "wrong", "--baseline", "known.tsv")
    assert run(*gate).returncode == 2  # there is no such file yet
    assert run(*gate, "--accept-new").returncode == 0
    assert run(*gate).returncode == 0
    (folder / "de.po").write_text(HEAD + TEACHER + DOCTOR + NURSE)
    failed = run(*gate)
    assert failed.returncode == 1
    assert "FAILED: 1 string contradicts the source" in failed.stdout

    sarif = json.loads(run(*gate, "--output-format", "sarif").stdout)
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.validate(sarif, json.loads(gzip.decompress((FIXTURES / "sarif-2.1.0.json.gz").read_bytes())))
    (rule,) = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert rule == {"id": "contradicts-source", "shortDescription": {"text": "contradicts the source"}}
    (result,) = [one for one in sarif["runs"][0]["results"] if one["level"] == "error"]
    assert result["ruleId"] == "contradicts-source"
    place = result["locations"][0]["physicalLocation"]
    line = (folder / "de.po").read_text().splitlines()[place["region"]["startLine"] - 1]
    assert (place["artifactLocation"]["uri"], line) == ("de.po", 'msgid "The nurse forgot his badge."')

    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    junit = etree.fromstring(run(*gate, "--output-format", "junit").stdout.encode())
    etree.XMLSchema(etree.parse(FIXTURES / "junit-10.xsd")).assertValid(junit)
    assert (junit.get("failures"), junit.get("errors")) == ("1", "0")
    assert [case.get("name") for case in junit.iter("testcase") if case.find("failure") is not None] == ["de.po:10"]

    (folder / "evenhand.toml").write_text(ACCEPTED)
    passed = run(*gate)
    assert passed.returncode == 0
    assert "(Die Krankenschwester) [accepted: quoted from the film (2026-11-17)]" in passed.stdout
    assert "1 finding accepted in the project file" in passed.stdout


def test_only_strings_that_changed_since_a_commit_can_fail(folder: Path) -> None:
    git("init", "-q", ".")
    git("add", ".")
    git("commit", "-qm", "first")
    gate = ("check-file", "de.po", "--fail-on", "wrong", "--changed-since", "HEAD")
    assert run(*gate).returncode == 0
    (folder / "de.po").write_text(HEAD + NURSE + DOCTOR)
    assert "FAILED: 1 string" in run(*gate).stdout
    wrong = run("check-file", "de.po", "--fail-on", "wrong", "--changed-since", "--output=x")
    assert wrong.returncode == 2
    assert "git has no commit" in wrong.stderr


def test_folders_and_patterns_name_files_and_the_language_is_in_the_path(folder: Path) -> None:
    for language, text in (("en", "The doctor left."), ("de", "Die Ärztin ging."), ("fr", "Le médecin est parti.")):
        place = folder / "res" / f"values-{language}" / "strings.xml"
        place.parent.mkdir(parents=True)
        place.write_text(f'<resources><string name="a">{text}</string></resources>')
        (folder / "res" / f"{language}.properties").write_text(f"a = {text}\n")
    both = json.loads(run("check-file", "res", "--sources", "res/en.properties", "--json").stdout)
    assert [(Path(one["file"]).as_posix(), one["target"]) for one in both["files"]] == [
        ("res/de.properties", "de"),
        ("res/fr.properties", "fr"),
        ("res/values-de/strings.xml", "de"),
        ("res/values-fr/strings.xml", "fr"),
    ]
    xml = run("check-file", "res/values-*/*.xml", "--sources", "res/values-en/strings.xml", "--json")
    assert [one["target"] for one in json.loads(xml.stdout)["files"]] == ["de", "fr"]
    assert "no file has such a name" in run("check-file", "res/*.po").stderr


def test_files_of_a_folder_that_cannot_be_judged_are_named_and_left_out(folder: Path) -> None:
    for name, language in (("eo.po", "eo"), ("af.po", "af"), ("fr.po", "fr"), ("messages.pot", "")):
        (folder / name).write_text(HEAD.replace("de", language) + TEACHER)
    (folder / "web.ts").write_text("export const a: string = '';\n")
    (folder / "level.tmx").write_text('<?xml version="1.0"?>\n<map version="1.10" width="8"></map>\n')
    (folder / "compose.yml").write_text("services: {web: {image: nurse}}\n")
    checked = run("check-file", ".")
    assert checked.returncode == 0
    assert "not checked, 2 like this: af.po: nouns are not judged in Afrikaans" in checked.stderr
    named = [line.split()[0] for line in checked.stdout.splitlines() if ".po  " in line]
    assert named == ["de.po", "fr.po"]
    german = run("check-file", ".", "--target", "de")
    assert "de.po" in german.stdout
    assert "fr.po" not in german.stdout
    assert run("check-file", "af.po").returncode == 2


def test_a_project_file_checks_files_alone(folder: Path) -> None:
    (folder / "evenhand.toml").write_text('[files]\npaths = ["*.po"]\n\n[persons]\nthings = ["doctor"]\n')
    assert run("run").returncode == 0  # the doctor is a thing here
    (folder / "evenhand.toml").write_text('[files]\npaths = ["*.po"]\n')
    failed = run("run")
    assert failed.returncode == 1
    assert "de.po:4: doctor: the source says female (her)" in failed.stdout
    (folder / "evenhand.toml").write_text(f'[files]\npaths = ["*.po"]\n{ACCEPTED.replace("reason", "cause")}')
    wrong = run("run")
    assert wrong.returncode == 2
    assert "cause" in wrong.stderr


def test_undecided_persons_can_fail(folder: Path) -> None:
    (folder / "de.po").write_text(HEAD + '\nmsgid "The doctor left."\nmsgstr "Zack."\n')
    undecided = run("check-file", "de.po", "--fail-on", "undecided").stdout
    assert "FAILED: 1 string leaves a person's gender undecided" in undecided
