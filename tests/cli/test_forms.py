"""What the verbs say about forms that people labelled, and about runs judged by different detectors."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
RENDERINGS = ("Die Tischlerei winkte dem Nachbarn.", "Die Köchin winkte dem Nachbarn.")


@pytest.fixture
def audited(cli: Cli, tmp_path: Path) -> Callable[..., Path]:
    probes, lines = tmp_path / "probes.tsv", tmp_path / "lines.txt"
    sources = "p1\tThe **carpenter** waved to the neighbour.\np2\tThe **cook** waved to the neighbour.\n"
    probes.write_text(f"id\tsource\n{sources}", encoding="utf-8")
    lines.write_text("".join(f"{line}\n" for line in RENDERINGS), encoding="utf-8")

    def audit(name: str, *options: str | Path) -> Path:
        folder = tmp_path / name
        done = cli("audit", probes, "-s", f"file:{lines}", "-t", "de", "-o", folder, *options)
        assert done.returncode == 0, done.stderr
        return folder

    return audit


@pytest.fixture
def forms(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    path.write_text("concept\tfemale\tmale\tneutral\tother\ncarpenter\t\t\ttischlerei\t\n", encoding="utf-8")
    return path


def test_the_way_that_compare_and_check_offer_makes_the_detectors_alike(
    cli: Cli, audited: Callable[..., Path], forms: Path
) -> None:
    plain, labelled = audited("a"), audited("b", "--forms", forms)
    assert "note: 1 form labelled by people" in cli("score", labelled).stdout
    told = cli("compare", plain, labelled)
    assert "note: these runs were judged by different detectors" in told.stderr
    assert (
        "different detectors"
        in json.loads(cli("check", plain, "--against", labelled, "--not-shown", "pass", "--json").stdout)["note"]
    )
    for command in told.stderr.split("by: ")[1].splitlines()[0].split("; "):
        assert cli(*command.split()[1:]).returncode == 0
    assert "different detectors" not in cli("compare", plain, labelled).stderr
    assert "different detectors" not in (json.loads(cli("compare", plain, labelled, "--json").stdout)["note"] or "")


def test_forms_that_are_not_there_or_would_change_nothing_are_refused(
    cli: Cli, audited: Callable[..., Path], forms: Path, tmp_path: Path
) -> None:
    folder = audited("a", "--no-report")
    for arguments in (["score", folder, "--forms", forms], ["score", folder, "--detect", "--forms", tmp_path / "no"]):
        refused = cli(*arguments)
        assert refused.returncode == 2
        assert "forms" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert not (folder / "forms.tsv").exists()


def labelled(sheet: Path, label: str | None) -> None:
    """Fill in the column label: what is given, or the verdict itself."""
    head, *rows = [line.split("\t") for line in sheet.read_text(encoding="utf-8").splitlines()]
    verdict = head.index("gender") if "gender" in head else 0
    for row in rows:
        row[head.index("label")] = label or row[verdict]
    sheet.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]), encoding="utf-8")


def test_review_names_the_next_command_its_file_of_forms_and_the_calibration_it_drops(
    cli: Cli, audited: Callable[..., Path], tmp_path: Path
) -> None:
    folder, sheet, drawn = audited("a"), tmp_path / "sheet.tsv", tmp_path / "drawn.tsv"
    assert f"then: evenhand calibrate {drawn}" in cli("review", folder, "--sample", "2", "-o", drawn).stdout
    labelled(drawn, None)
    assert cli("calibrate", drawn, "-o", tmp_path / "rates.json").returncode == 0
    assert cli("score", folder, "--in-place", "--calibration", tmp_path / "rates.json").returncode == 0
    before = (folder / "report.html").read_text(encoding="utf-8")
    listed = cli("review", folder, "-o", sheet).stdout
    assert cli("review", folder).stdout == sheet.read_text("utf-8")
    assert f"then: evenhand review {folder} --labels {sheet}" in listed
    labelled(sheet, "neutral")
    taken = cli("review", folder, "--labels", sheet, "--labeller", "A")
    assert taken.returncode == 0, taken.stderr
    assert f"1 form kept in {folder / 'forms.tsv'}; another run knows it by --forms" in taken.stdout
    assert "note: the run's calibration was made for the detector's verdicts and is dropped" in taken.stderr
    assert (folder / "report.html").read_text(encoding="utf-8") != before
    again = cli("review", folder, "--labels", sheet, "--labeller", "B")
    assert "calibration" not in again.stderr
