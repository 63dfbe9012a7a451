"""Labelled forms: only where their file is given, counted, in the run folder, and used again from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import BadInput
from evenhand.results.runs import Run
from evenhand.workflows.audit import audit
from evenhand.workflows.compare import detectors_differ
from evenhand.workflows.score import score
from evenhand.workflows.settings import Settings

FORMS = "# source\ttest\nconcept\tfemale\tmale\tneutral\tother\tboth\nmover\tumzugsprofi\t\t\t\t\n"


def audited(folder: Path, name: str, forms: Path | None) -> Run:
    probes = folder / "probes.tsv"
    probes.write_text("id\tsource\np1\tThe **mover** waved to the neighbour.\n", encoding="utf-8")
    return audit(
        probes,
        lambda texts: ["Die Umzugsprofi winkte dem Nachbarn." for _ in texts],
        target="de",
        output=folder / name,
        memory=folder / "memory.sqlite",
        settings=Settings(resamples=100, forms=forms),
    )


@pytest.fixture
def forms(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    path.write_text(FORMS, encoding="utf-8")
    return path


def test_forms_count_only_where_they_are_given_and_travel_with_the_run(tmp_path: Path, forms: Path) -> None:
    without, given = audited(tmp_path, "a", None), audited(tmp_path, "b", forms)
    assert "person" not in without.verdicts["how"].to_list()
    assert given.verdicts["how"].to_list() == ["person"]
    assert "1 form labelled by people" in given.manifest.notes
    assert not (tmp_path / "a" / "forms.tsv").exists()
    forms.unlink()
    again = score(tmp_path / "b", detect=True)
    assert again.manifest.detector == given.manifest.detector
    assert again.verdicts["how"].to_list() == ["person"]


def test_runs_of_different_detectors_are_named_with_the_way_to_judge_them_alike(tmp_path: Path, forms: Path) -> None:
    without, given = audited(tmp_path, "a", None), audited(tmp_path, "b", forms)
    told = detectors_differ([without, given])
    assert told is not None
    assert f"evenhand score {tmp_path / 'a'} --detect" in told
    assert detectors_differ([without, without]) is None


def test_forms_without_judging_anew_are_refused(tmp_path: Path, forms: Path) -> None:
    audited(tmp_path, "a", None)
    with pytest.raises(BadInput, match="--detect"):
        score(tmp_path / "a", forms=forms)
