"""score --measure: another measure for a run that exists."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl

Cli = Callable[..., subprocess.CompletedProcess[str]]
FIXTURE = Path(__file__).parents[1] / "fixtures" / "run-0.1.0"


def test_score_adds_measures_to_those_of_the_run(cli: Cli, tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "run")
    before = pl.read_parquet(tmp_path / "run" / "estimates.parquet")
    unasked = before.head(1).with_columns(measure=pl.lit("log_ratio"))  # as 0.1.0 had chrF
    pl.concat([before, unasked]).write_parquet(tmp_path / "run" / "estimates.parquet")
    scored = cli("score", tmp_path / "run", "--in-place", "--measure", "VBias", "--json")
    assert scored.returncode == 0, scored.stderr
    found = json.loads(scored.stdout)
    assert {"VBias", "log_ratio", "P_S"} <= {estimate["measure"] for estimate in found["estimates"]}
    assert "|measures:log_ratio,VBias|" in found["signature"]
    again = cli("score", tmp_path / "run", "--json")
    assert json.loads(again.stdout) == found


def test_a_measure_nobody_knows_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "run")
    wrong = cli("score", tmp_path / "run", "--measure", "VBais")
    assert wrong.returncode == 2
    assert "Did you mean 'VBias'" in wrong.stderr
    assert (tmp_path / "run" / "manifest.json").read_bytes() == (FIXTURE / "manifest.json").read_bytes()


def test_a_level_on_the_command_line_is_the_run_s_from_then_on(cli: Cli, tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "run")
    shown = cli("score", tmp_path / "run", "--in-place", "--level", "0.9")
    assert "90 % interval" in shown.stdout
    assert "|level:0.9|" in cli("score", tmp_path / "run").stdout
    wrong = cli("score", tmp_path / "run", "--level", "90")
    assert wrong.returncode == 2
    assert wrong.stderr == "evenhand: a confidence level must be between 0.5 and 1 (0.95: 95 %), not 90\n"
