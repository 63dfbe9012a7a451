"""The gate for continuous integration: a run against limits, or against an earlier run."""

from __future__ import annotations

from pathlib import Path

from evenhand.measures.gate import check_limits, read_limits, worse
from evenhand.runs import Run, load_run
from evenhand.workflows.compare import compare, names_of


def check(run: Run | Path | str, against: Run | Path | str) -> list[str]:
    """One line a failure: a broken limit of a TOML file, or a measure significantly worse than in a baseline run.

    An empty list means that the run passed. Differences are tested as `compare` tests them.
    """
    checked = load_run(run)
    if not isinstance(against, Run) and Path(against).suffix == ".toml":
        return check_limits(checked.estimates, read_limits(Path(against)), level=checked.manifest.level)
    pair = [checked, load_run(against)]
    return worse(compare(pair), *names_of(pair))
