"""A run gated by a system's earlier runs: one error rate over the whole life of the gate, however often it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.level import check_level
from evenhand.measures.decisions.gate import Gate
from evenhand.measures.decisions.history import follow, history_checks
from evenhand.measures.definitions.direction import directed
from evenhand.results.runs import Run, load_run
from evenhand.statistics.measure import Measure
from evenhand.workflows.board import Entered, enter
from evenhand.workflows.check import why_not_gated
from evenhand.workflows.compare import common_measures
from evenhand.workflows.settings import GateSettings


def gate_history(
    run: Run | Path | str, places: Sequence[Path | str], settings: GateSettings
) -> tuple[Gate, pl.DataFrame]:
    """Gate a run by all earlier runs of its suite, system and language in these folders: the gate and the sequence.

    Measures without a direction fail on any change. The chance of an alarm without a change is one minus the level over
    all nights and measures together.
    """
    run = load_run(run)
    earlier = _earlier(run, places)
    runs = [*(Run.load(one.folder) for one in earlier), run]
    level = run.manifest.level if settings.level is None else check_level(settings.level)
    gated, left = _followed(settings.measures or common_measures(runs), has_margin=bool(settings.measures))
    dates = [one.date for one in earlier] + [run.manifest.created]
    names = [f"{date[:10]} #{number}" for number, date in enumerate(dates, start=1)]
    suite = run.manifest.suite
    clusters = tuple(dict.fromkeys(c for one in runs for c in one.manifest.suite.clusters))
    tables = {name: one.table for name, one in zip(names, runs, strict=True)}
    sequence = follow(tables, clusters=clusters, measures=list(gated.values()), level=level, groupings=suite.groupings)
    return Gate(history_checks(sequence, gated, level=level), left), sequence


def _followed(specs: Sequence[str], *, has_margin: bool) -> tuple[dict[str, Measure], dict[str, str]]:
    """The measures that are gated, by name, and why the others are not."""
    measures = {m.name: m for m in map(directed, specs)}
    left = {name: why for name, m in measures.items() if (why := why_not_gated(m, has_margin=has_margin))}
    gated = {name: m for name, m in measures.items() if name not in left}
    if not gated:
        raise BadInput(f"nothing can be followed: {'; '.join(f'{name}: {why}' for name, why in left.items())}")
    return gated, left


def _earlier(run: Run, places: Sequence[Path | str]) -> list[Entered]:
    """The runs of the same sentences through the same system, oldest first, without this one."""
    info = run.manifest
    found, _ = enter(places)
    wanted = (info.suite.name, info.suite.hash, info.target_lang)
    here = run.path.resolve() if run.path else None
    same = [
        one
        for one in found
        if one.group == wanted and one.manifest.system_name == info.system_name and one.folder.resolve() != here
    ]
    if not same:
        told = f"{info.suite.name} through {info.system_name} into {info.target_lang}"
        raise BadInput(f"{', '.join(map(str, places))}: no earlier run of {told}")
    return same
