"""evenhand show prints and writes nothing; evenhand score keeps what a run was scored with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import polars as pl
import pytest
from tests.conftest import mixed

import evenhand
from evenhand.suites.suite import Suite

Cli = Callable[..., CompletedProcess[str]]


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder: its bytes and when it was written."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture(scope="session")
def scored(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a shipped reference, one of the user's own, a calibration, an added measure, a level and a page."""
    folder = tmp_path_factory.mktemp("scored")
    labels = pl.DataFrame({"gender": ["male", "female"] * 30, "label": ["male", "female", "female"] * 20})
    evenhand.calibrate(labels, language="en", kind="pronouns").save(folder / "rates.json")
    shares = "".join(f"{code}\t{0.1 * code:.1f}\t{100 * code}\n" for code in range(1, 10))
    (folder / "ours.tsv").write_text("isco08\tshare_women\temployed\n" + shares)
    few = replace(suite, make=lambda: suite.probes.head(30), groupings=(), measures=("share_female", "P_S"))
    run = evenhand.audit(few, mixed, target="en", memory=folder / "memory.sqlite")
    run = evenhand.score(
        run, level=0.9, resamples=100, measures=["TFG"], references=["us-2020", str(folder / "ours.tsv")],
        calibration=folder / "rates.json", output=folder / "run",
    )  # fmt: skip
    evenhand.report([run], folder / "run" / "report.html")
    for given in ("rates.json", "ours.tsv", "memory.sqlite"):
        (folder / given).unlink()  # the run has its own copies
    return folder / "run"


def test_show_prints_what_score_printed_and_changes_no_file(cli: Cli, scored: Path) -> None:
    before = contents(scored.parent)
    shown = cli("show", scored)
    assert shown.returncode == 0, shown.stderr
    assert contents(scored.parent) == before
    for words in ("P_S", "90 % interval", "against us-2020", "against ours", evenhand.load_run(scored).signature):
        assert words in shown.stdout
    rows = json.loads(cli("show", scored, "--json").stdout)["estimates"]
    assert len(rows) == evenhand.load_run(scored).estimates.height
    assert len(cli("show", scored, "--all").stdout.splitlines()) > len(shown.stdout.splitlines())


def test_show_of_several_folders_is_their_comparison(cli: Cli, mixed_run: Path, other_run: Path) -> None:
    assert cli("show", mixed_run, other_run).stdout == cli("compare", mixed_run, other_run).stdout
    both = cli("show", mixed_run, other_run, "--json")
    assert json.loads(both.stdout) == json.loads(cli("compare", mixed_run, other_run, "--json").stdout)


def test_show_of_a_folder_without_a_result_says_so(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    shown = cli("show", "empty")
    assert shown.returncode == 2
    assert "not a run folder" in shown.stderr


def test_score_without_a_place_prints_and_writes_nothing(cli: Cli, scored: Path) -> None:
    before = contents(scored)
    done = cli("score", scored, "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert "seed:7" in done.stdout
    assert "nothing was written" in done.stderr
    assert contents(scored) == before


def test_score_in_place_keeps_references_calibration_measures_and_settings(
    cli: Cli, scored: Path, tmp_path: Path
) -> None:
    shutil.copytree(scored, tmp_path / "run")
    before = evenhand.load_run(tmp_path / "run")
    done = cli("score", "run", "--in-place")
    assert done.returncode == 0, done.stderr
    after = evenhand.load_run(tmp_path / "run")
    assert after.signature == before.signature
    assert after.estimates.equals(before.estimates)
    assert after.occupations is not None
    assert before.occupations is not None
    assert after.occupations.equals(before.occupations)
    again = cli("score", "run", "--in-place", "--seed", "77", "--measure", "VBias")
    assert again.returncode == 0, again.stderr
    other = evenhand.load_run(tmp_path / "run")
    assert set(other.estimates["measure"]) == {*before.estimates["measure"], "VBias"}
    assert other.manifest.references == before.manifest.references
    assert (other.manifest.calibration, other.manifest.level) == (before.manifest.calibration, 0.9)
    assert "seed:77" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_score_into_a_new_folder_takes_everything_along_and_leaves_the_run(
    cli: Cli, scored: Path, tmp_path: Path
) -> None:
    before = contents(scored)
    assert cli("score", scored, "-o", "new").returncode == 0
    assert contents(scored) == before
    new = evenhand.load_run(tmp_path / "new")
    assert new.signature == evenhand.load_run(scored).signature
    assert cli("score", "new", "--in-place").returncode == 0  # its copies came along
    assert evenhand.load_run(tmp_path / "new").estimates.equals(new.estimates)


def test_score_drops_only_what_it_is_asked_to_drop(cli: Cli, scored: Path, tmp_path: Path) -> None:
    done = cli("score", scored, "-o", "new", "--drop", "references", "--drop", "calibration")
    assert done.returncode == 0, done.stderr
    new = evenhand.load_run(tmp_path / "new")
    assert new.estimates["reference"].drop_nulls().is_empty()
    assert set(new.estimates["variant"]) == {"raw"}
    assert "TFG" in new.estimates["measure"].to_list()
    assert not (tmp_path / "new" / "occupations.parquet").exists()
    wrong = cli("score", scored, "--drop", "referencse")
    assert wrong.returncode == 2
    assert "Did you mean 'references'" in wrong.stderr


def test_score_refuses_where_a_run_has_no_copy_of_what_it_was_scored_with(
    cli: Cli, scored: Path, tmp_path: Path
) -> None:
    """As runs of earlier versions are."""
    for part, remedy in (("references", "--reference FILE"), ("calibration.json", "--calibration FILE")):
        shutil.copytree(scored, tmp_path / part)
        kept = tmp_path / part / part
        shutil.rmtree(kept) if kept.is_dir() else kept.unlink()
        before = contents(tmp_path / part)
        done = cli("score", part, "--in-place")
        assert done.returncode == 2
        assert remedy in done.stderr
        assert contents(tmp_path / part) == before


def test_verify_makes_corrected_estimates_and_those_by_own_references_again(cli: Cli, scored: Path) -> None:
    rows = json.loads(cli("verify", scored, "--full", "--json").stdout)["compared"]
    told = {row["what"]: row for row in rows}
    assert told["estimates"]["equal"] is True
    height = evenhand.load_run(scored).estimates.height
    assert told["estimates"]["told"].startswith(f"{height:,} of {height:,} equal")
    assert "other estimates" not in told


def test_a_calibration_kept_for_another_detector_is_doubted(cli: Cli, scored: Path, tmp_path: Path) -> None:
    shutil.copytree(scored, tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    (tmp_path / "run" / "manifest.json").write_text(json.dumps({**manifest, "detector": "pronouns-en-0"}))
    assert "calibrate again" in cli("score", "run", "--detect").stderr
