"""The gate for continuous integration: a run against limits, or against an earlier run."""

from __future__ import annotations

from pathlib import Path

from evenhand.measures.gate import check_limits, read_limits, worse
from evenhand.runs import Run
from evenhand.workflows.compare import compare_runs, names_of


def check(run: Run, against: Path) -> list[str]:
    """One line a failure: a broken limit of a TOML file, or a measure significantly worse than in a baseline run."""
    if against.suffix == ".toml":
        return check_limits(run.estimates, read_limits(against), level=run.manifest.level)
    pair = [run, Run.load(against)]
    return worse(compare_runs(pair), *names_of(pair))
