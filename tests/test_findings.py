"""Folders of findings: the same table and the same writer as a run's, told apart by their kind."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest, check_findings_place, load_result
from evenhand.results.runs import Run
from evenhand.storage.tables import ESTIMATES

OLD_RUN = Path(__file__).parent / "fixtures" / "run-0.1.0"


@pytest.fixture
def findings() -> Findings:
    manifest = FindingsManifest(
        kind="embeddings",
        title="Vectors of a village",
        measured="two words on three dimensions",
        parts={"vectors": "#abc", "lists": "#def"},
        seed=3,
        notes=(Note("one word has no vector"),),
        created="2024-05-01T12:00:00+00:00",
    )
    estimates = pl.DataFrame({"measure": ["MWEAT"], "group": ["method"], "level": ["original"], "value": [0.25]})
    return Findings(manifest, estimates, {"words": pl.DataFrame({"word": ["maire"], "s": [0.5]})})


def test_findings_come_back_as_they_were_saved(findings: Findings, tmp_path: Path) -> None:
    findings.save(tmp_path / "a")
    loaded = load_result(tmp_path / "a")
    assert isinstance(loaded, Findings)
    assert loaded.manifest == findings.manifest
    assert list(loaded.estimates.schema) == list(ESTIMATES)
    assert loaded.estimates.equals(findings.estimates)
    assert loaded.tables["words"].equals(findings.tables["words"])


def test_the_signature_names_kind_input_level_seed_and_version_in_order(findings: Findings) -> None:
    told = findings.signature.split("|")
    assert [part.split(":")[0] for part in told] == ["kind", "vectors", "lists", "level", "seed", "evenhand"]
    assert told[:5] == ["kind:embeddings", "vectors:#abc", "lists:#def", "level:0.95", "seed:3"]


def test_equal_findings_make_equal_bytes_whenever_they_are_made(findings: Findings, tmp_path: Path) -> None:
    later = replace(findings, manifest=replace(findings.manifest, created="2025-01-01T00:00:00+00:00"))
    findings.save(tmp_path / "a")
    later.save(tmp_path / "b")
    for name in ("estimates.parquet", "words.parquet"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_findings_print_in_a_line(findings: Findings) -> None:
    assert repr(findings) == "<Findings embeddings: Vectors of a village, 1 estimates>"


def test_a_folder_without_a_kind_is_a_run() -> None:
    assert isinstance(load_result(OLD_RUN), Run)


def test_a_run_is_not_read_from_findings_and_findings_not_from_a_run(findings: Findings, tmp_path: Path) -> None:
    findings.save(tmp_path / "a")
    with pytest.raises(BadInput, match="of the kind embeddings"):
        Run.load(tmp_path / "a")
    with pytest.raises(BadInput, match="holds no findings"):
        Findings.load(OLD_RUN)


def test_saving_again_drops_tables_that_are_no_longer_there_and_keeps_what_people_added(
    findings: Findings, tmp_path: Path
) -> None:
    findings.save(tmp_path / "a")
    (tmp_path / "a" / "notes").mkdir()
    (tmp_path / "a" / "notes" / "mine.txt").write_text("checked by hand")
    (tmp_path / "a" / "theirs.parquet").write_bytes(b"another program's")
    replace(findings, tables={"points": pl.DataFrame({"x": [1]})}).save(tmp_path / "a")
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [
        "estimates.parquet", "manifest.json", "notes", "points.parquet", "theirs.parquet",
    ]  # fmt: skip
    assert (tmp_path / "a" / "notes" / "mine.txt").read_text() == "checked by hand"


def test_a_folder_with_only_a_workflow_s_own_files_is_taken_and_others_are_left_alone(
    findings: Findings, tmp_path: Path
) -> None:
    (tmp_path / "a" / "work").mkdir(parents=True)
    (tmp_path / "a" / "work" / "shard.bin").write_bytes(b"1")
    with pytest.raises(BadInput, match="not a run"):
        findings.save(tmp_path / "a")
    findings.save(tmp_path / "a", ours=("work",))
    assert (tmp_path / "a" / "work" / "shard.bin").read_bytes() == b"1"


def test_a_folder_of_another_kind_is_refused_before_any_work(findings: Findings, tmp_path: Path) -> None:
    shutil.copytree(OLD_RUN, tmp_path / "run")
    with pytest.raises(BadInput, match=r"a suite through a system, not of mining.*Nothing was written"):
        check_findings_place(tmp_path / "run", "mining")
    findings.save(tmp_path / "a")
    check_findings_place(tmp_path / "a", "embeddings")
    check_findings_place(tmp_path / "new", "embeddings")


@pytest.mark.parametrize(
    "broken", [{"kind": "embeddings"}, {"kind": "mining", "parts": {}, "notes": 1}, {"kind": 1, "tables": 2}]
)
def test_a_broken_manifest_is_named(findings: Findings, tmp_path: Path, broken: dict[str, object]) -> None:
    findings.save(tmp_path / "a")
    (tmp_path / "a" / "manifest.json").write_text(json.dumps(broken))
    with pytest.raises(BadInput, match=r"manifest\.json"):
        load_result(tmp_path / "a")
