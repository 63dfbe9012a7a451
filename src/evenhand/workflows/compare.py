"""Several runs of one suite side by side: names that tell them apart, paired comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evenhand.errors import BadInput
from evenhand.measures.paired import Comparison, compare
from evenhand.runs import Run
from evenhand.statistics.swapping import PERMUTATIONS
from evenhand.workflows.score import measures_of


def names_of(runs: Sequence[Run]) -> list[str]:
    """Short names: the system, then what else is needed to tell the runs apart (language, folder, number)."""
    system = [r.manifest.system_label for r in runs]
    into = [f"{s} → {r.manifest.target_lang}" for s, r in zip(system, runs, strict=True)]
    full = [f"{s} ({r.path.name if r.path else r.manifest.created})" for s, r in zip(into, runs, strict=True)]
    numbered = [f"{name} #{n}" for n, name in enumerate(full, start=1)]
    return next(names for names in (system, into, full, numbered) if max(Counter(names).values()) == 1)


def compare_runs(runs: Sequence[Run], *, permutations: int = PERMUTATIONS) -> Comparison:
    """Paired differences, ranking and differing sentences; runs of another suite or version are refused."""
    first = runs[0].manifest.suite
    for run in runs[1:]:
        same_suite(run, runs[0])
    estimated = [set(run.estimates["measure"]) for run in runs]
    measures = [m for m in measures_of(first, runs[0].manifest.measures) if all(m in names for names in estimated)]
    if not measures:
        raise BadInput(f"{', '.join(names_of(runs))} have no measure in common; `evenhand score RUN` estimates anew")
    return compare(
        {name: run.table for name, run in zip(names_of(runs), runs, strict=True)},
        clusters=first.clusters,
        groupings=first.groupings,
        measures=measures,
        seed=runs[0].manifest.seed,
        resamples=runs[0].manifest.resamples,
        level=runs[0].manifest.level,
        permutations=permutations,
    )


def same_suite(run: Run, other: Run) -> None:
    """Refuse runs of other sentences."""
    one, two = run.manifest.suite, other.manifest.suite
    if one.hash != two.hash:
        raise BadInput(
            f"{run.path or one.name} is a run of {one.name} {one.version} (#{one.hash}), {other.path or two.name} of "
            f"{two.name} {two.version} (#{two.hash}); only runs of the same sentences can be compared"
        )
