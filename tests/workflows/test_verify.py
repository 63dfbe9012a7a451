"""evenhand verify: what is equal to what was made, and what is not."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand

from evenhand.results.runs import Run
from evenhand.storage.tables import GENDER
from evenhand.workflows.verify import verify


@pytest.fixture
def run(mixed_run: Path, tmp_path: Path) -> Path:
    saved = Run.load(mixed_run).save(tmp_path / "run").path
    assert saved is not None
    return saved


def unequal(folder: Path, *, full: bool = True) -> list[str]:
    return [row.what for row in verify(folder, full=full) if row.equal is False]


def changed(folder: Path, table: str, **columns: pl.Expr) -> None:
    path = folder / f"{table}.parquet"
    pl.read_parquet(path).with_columns(**columns).write_parquet(path)


def with_own_digests(folder: Path) -> None:
    """What a careful forger does: the manifest's digests are made to fit."""
    Run.load(folder).save(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["notes"] = []
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_run_as_it_was_made_is_equal_in_everything_and_has_a_badge(run: Path) -> None:
    assert unequal(run) == []
    done = evenhand("verify", run, "--full", folder=run.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    badge = done.stdout.splitlines()[-1]
    assert Run.load(run).short_signature in badge
    assert all(word in badge for word in ("signature", "sentences", "verdicts", "estimates"))


def test_a_changed_table_is_not_equal(run: Path) -> None:
    changed(run, "estimates", value=pl.lit(1.0))
    assert unequal(run, full=False) == ["estimates.parquet"]
    done = evenhand("verify", run, "--json", folder=run.parent)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["passed"], told["badge"]) == (False, None)


@pytest.mark.parametrize(
    ("table", "columns", "found"),
    [
        ("estimates", {"value": pl.col("value") + 0.01}, ["estimates"]),
        ("verdicts", {"gender": pl.lit("neutral").cast(GENDER)}, ["verdicts", "estimates"]),
        ("probes", {"source": pl.col("source") + "!"}, ["sentences"]),
    ],
)
def test_a_forger_who_mends_the_digests_is_found_by_recomputing(
    run: Path, table: str, columns: dict[str, pl.Expr], found: list[str]
) -> None:
    changed(run, table, **columns)
    with_own_digests(run)
    assert unequal(run) == found


def test_a_manifest_that_claims_another_system_does_not_fit_its_signature(run: Path) -> None:
    path = run / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "system_fingerprint": "better"}))
    assert unequal(run, full=False) == ["signature"]


def test_tables_that_are_missing_or_were_added_are_named(run: Path) -> None:
    (run / "more.parquet").write_bytes((run / "verdicts.parquet").read_bytes())
    assert unequal(run, full=False) == ["more.parquet"]
    (run / "probes.parquet").unlink()
    assert unequal(run, full=False) == ["probes.parquet", "more.parquet"]


def test_what_is_no_result_is_one_sentence(tmp_path: Path) -> None:
    done = evenhand("verify", tmp_path, folder=tmp_path)
    assert done.returncode == 2
    assert "no result of Evenhand" in done.stderr
