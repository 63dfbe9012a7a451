"""The gate for continuous integration: a run against limits, or against an earlier run."""

from __future__ import annotations

from pathlib import Path

from evenhand.measures.gate import check_baseline, check_limits, read_limits
from evenhand.runs import Run
from evenhand.workflows.compare import same_suite
from evenhand.workflows.score import measures_of


def check(run: Run, against: Path) -> list[str]:
    """One line a failure: a broken limit of a TOML file, or a measure significantly worse than in a baseline run."""
    if against.suffix == ".toml":
        return check_limits(run.estimates, read_limits(against), level=run.manifest.level)
    baseline = Run.load(against)
    same_suite(run, baseline)
    info = run.manifest.suite
    failures, _ = check_baseline(
        run.table,
        baseline.table,
        clusters=info.clusters,
        groupings=info.groupings,
        measures=measures_of(info, run.manifest.measures),
        seed=run.manifest.seed,
        level=run.manifest.level,
    )
    return failures
