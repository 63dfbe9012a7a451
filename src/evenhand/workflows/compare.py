"""Several runs of one suite side by side: names that tell them apart, paired comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evenhand.detect.own_forms import forms_of
from evenhand.errors import BadInput
from evenhand.measures.paired import Comparison
from evenhand.measures.paired import compare as compare_tables
from evenhand.runs import Run, load_run
from evenhand.workflows.score import measures_of


def names_of(runs: Sequence[Run]) -> list[str]:
    """Short names: the system, then what else is needed to tell the runs apart (language, folder, number)."""
    system = [r.manifest.system_label for r in runs]
    into = [f"{s} → {r.manifest.target_lang}" for s, r in zip(system, runs, strict=True)]
    full = [f"{s} ({r.path.name if r.path else r.manifest.created})" for s, r in zip(into, runs, strict=True)]
    numbered = [f"{name} #{n}" for n, name in enumerate(full, start=1)]
    return next(names for names in (system, into, full, numbered) if max(Counter(names).values()) == 1)


def compare(runs: Sequence[Run | Path | str]) -> Comparison:
    """Two or more runs of the same sentences: paired differences, ranking with ties, the sentences that differ.

    Seed, resamples and level are those of the first run. Runs of another suite or version are refused.
    """
    loaded = [load_run(run) for run in runs]
    if len(loaded) < 2:
        raise BadInput(f"a comparison needs two runs or more, and was given {len(loaded)}")
    info = loaded[0].manifest
    for run in loaded[1:]:
        same_suite(run, loaded[0])
    estimated = [set(run.estimates["measure"]) for run in loaded]
    measures = [m for m in measures_of(info.suite, info.measures) if all(m in each for each in estimated)]
    names = names_of(loaded)
    if not measures:
        raise BadInput(f"{', '.join(names)} have no measure in common; `evenhand score RUN` estimates anew")
    return compare_tables(
        {name: run.table for name, run in zip(names, loaded, strict=True)},
        clusters=info.suite.clusters,
        groupings=info.suite.groupings,
        measures=measures,
        seed=info.seed,
        resamples=info.resamples,
        level=info.level,
    )


def detectors_differ(runs: Sequence[Run]) -> str | None:
    """What to say where runs into one language were judged by different detectors (version, tables, labelled forms);
    else None. Labels on single renderings are left out of this: judging anew does not change them."""
    judged = {(run.manifest.target_lang, run.manifest.detector.split("+labels:")[0]) for run in runs}
    if len(judged) == len({run.manifest.target_lang for run in runs}):
        return None
    again = "; ".join(f"evenhand score {run.path} --detect{_with_forms(runs)}" for run in runs if run.path)
    return (
        "these runs were judged by different detectors, so that a difference may be the detectors'; judge them alike "
        f"by: {again or 'score(run, detect=True)'}"
    )


def _with_forms(runs: Sequence[Run]) -> str:
    """The option that gives all runs the same labelled forms, where some run carries others than the rest."""
    carried = {file.read_text(encoding="utf-8"): file for run in runs if (file := forms_of(run.path))}
    if len(carried) == 1:
        return f" --forms {next(iter(carried.values()))}"
    return " --forms FILE (one file with the forms of all)" if carried else ""


def same_suite(run: Run, other: Run) -> None:
    """Refuse runs of other sentences."""
    one, two = run.manifest.suite, other.manifest.suite
    if one.hash != two.hash:
        raise BadInput(
            f"{run.path or one.name} is a run of {one.name} {one.version} (#{one.hash}), {other.path or two.name} of "
            f"{two.name} {two.version} (#{two.hash}); only runs of the same sentences can be compared"
        )
