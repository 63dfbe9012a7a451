"""A system's dated runs of one suite, followed measure by measure with tests that may be read every night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.decisions.gate import Check
from evenhand.measures.decisions.paired import align, comparable
from evenhand.measures.decisions.ranking import badness
from evenhand.measures.estimate import resolve
from evenhand.measures.sampling import prepare
from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Floats, Job, Measure
from evenhand.statistics.monitoring import Watched, watch
from evenhand.suites.suite import Grouping

HISTORY: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "run": pl.String(),
    "value": pl.Float64(),
    "expected": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "e_value": pl.Float64(),
    "p": pl.Float64(),
    "changed": pl.Boolean(),
    "better": pl.String(),
}


def follow(
    runs: Mapping[str, pl.DataFrame],
    *,
    clusters: Sequence[str],
    measures: Sequence[str | Measure],
    level: float,
    groupings: Sequence[Grouping] = (),
) -> pl.DataFrame:
    """One row per measure and run (joined tables, oldest first), in the columns of HISTORY.

    `expected` is the mean of the runs before; the value lies between `low` and `high` at all times if nothing ever
    changed. `p` is the smallest so far, corrected for the number of measures; `changed` from the run on at which it is
    below one minus the level.
    """
    if len(runs) < 2:
        raise BadInput("a history needs two runs or more of one suite through one system")
    tables, _ = align(runs, clusters)
    prepared = {name: prepare(table, clusters) for name, table in tables.items()}
    coded, axes, sizes = next(iter(prepared.values()))
    chosen = [m for m in resolve(measures, groupings, coded) if comparable(m)]
    rows = []
    for measure in chosen:
        parts = [Linearised.of(Job(measure, measure.statistics(table, axes))) for table, *_ in prepared.values()]
        added = np.stack([_contributions(part, sizes[0]) for part in parts])
        if np.isfinite(added).all():
            values = [part.job.point() for part in parts]
            watched = watch(added, level=level, tests=len(chosen))
            p = np.minimum(watched.p() * len(chosen), 1.0)
            rows += _rows(measure, list(zip(runs, values, strict=True)), watched, p, level)
    return pl.DataFrame(rows, schema=HISTORY)


def _contributions(part: Linearised, clusters: int) -> Floats:
    """What each cluster of the first axis adds to the value."""
    own = part.moves + part.sizes / part.n * part.value
    return np.bincount(part.codes[:, 0], own, minlength=clusters).astype(np.float64)


def _rows(
    measure: Measure, named: Sequence[tuple[str, float]], watched: Watched, p: Floats, level: float
) -> list[dict[str, object]]:
    first: dict[str, object] = dict.fromkeys(HISTORY) | {"e_value": 1.0, "p": 1.0, "changed": False}
    rows = [first | {"measure": measure.name, "run": named[0][0], "value": named[0][1], "better": measure.better}]
    for number, (name, value) in enumerate(named[1:]):
        expected = float(measure.unsmooth(np.array([watched.values[number + 1] - watched.changes[number]]))[0])
        low, high = measure.unsmooth(np.array([watched.low[number], watched.high[number]]))
        row = {
            "measure": measure.name,
            "run": name,
            "value": value,
            "expected": expected,
            "low": max(float(low), measure.bounds[0]),
            "high": min(float(high), measure.bounds[1]),
            "e_value": float(np.exp(min(watched.evidence[number], 700.0))),
            "p": float(p[number]),
            "changed": bool(p[number] <= 1 - level),
            "better": measure.better,
        }
        rows.append(row)
    return rows


def history_checks(history: pl.DataFrame, measures: Mapping[str, Measure], *, level: float) -> list[Check]:
    """A check per measure; it fails from the run on at which a change is shown (for the worse, if there is a worse)."""
    checks = []
    for (name,), rows in history.group_by("measure", maintain_order=True):
        measure, last = measures[str(name)], rows.row(-1, named=True)
        found = rows.filter("changed")
        before = rows["value"][0] if not found.height else _before(rows, str(found["run"][0]))
        now = last["value"]
        worse = badness(measure, now) > badness(measure, before) if measure.better != "none" else True
        failed = bool(found.height) and worse
        outcome = ("changed" if measure.better == "none" else "worse") if failed else "no change found"
        since = f"since {found['run'][0]}: " if found.height else ""
        told = (
            f"{since}{before:.4g} to {now:.4g}, p {last['p']:.2g} at any time over {rows.height} runs "
            f"({100 * level:.4g} % over its whole life)"
        )
        rule = "no change for the worse, ever" if measure.better != "none" else "no change, ever"
        checks.append(Check("history", str(name), rule, outcome, not failed, told, was=before, now=now))
    return checks


def _before(rows: pl.DataFrame, run: str) -> float:
    """The mean of the runs before this one."""
    place = rows["run"].to_list().index(run)
    return float(np.mean(rows["value"].to_numpy()[: max(place, 1)]))
