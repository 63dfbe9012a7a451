"""The gate for continuous integration: a run against limits, or against an earlier run."""

from __future__ import annotations

from pathlib import Path

from evenhand.measures.gate import check_limits, read_limits, worse
from evenhand.measures.paired import invalid_shares
from evenhand.runs import Run, load_run
from evenhand.tables import MOST_INVALID
from evenhand.workflows.compare import compare, names_of


def check(run: Run | Path | str, against: Run | Path | str) -> list[str]:
    """One line a failure: a broken limit of a TOML file, or a measure significantly worse than in a baseline run.

    An empty list means that the run passed. Differences are tested as `compare` tests them. A run fails, too, when more
    than a tenth of its answers are no renderings at all.
    """
    checked = load_run(run)
    if not isinstance(against, Run) and Path(against).suffix == ".toml":
        limits = check_limits(checked.estimates, read_limits(Path(against)), level=checked.manifest.level)
        return [*_invalid(checked), *limits]
    pair = [checked, load_run(against)]
    return worse(compare(pair), *names_of(pair))


def _invalid(run: Run) -> list[str]:
    return [
        f"{share:.1%} of the answers are no renderings at all; at most {MOST_INVALID:.0%} may be"
        for share in invalid_shares({"run": run.answers}).values()
    ]
