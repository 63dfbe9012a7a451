"""A system's dated runs of one suite, followed measure by measure with tests that may be read every night."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import alpha_of
from evenhand.measures.decisions.gate import Check
from evenhand.measures.decisions.paired import align, comparable
from evenhand.measures.decisions.ranking import badness
from evenhand.measures.estimate import resolve
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Floats, Job, Measure
from evenhand.statistics.monitoring import Watched, watch
from evenhand.statistics.variation import Linearised
from evenhand.storage.tables import schema
from evenhand.suites.suite import Grouping

HISTORY = {
    **schema(pl.String, "measure", "run"),
    **schema(pl.Float64, "value", "expected", "low", "high", "e_value", "p"),
    **schema(pl.Boolean, "changed"),
    **schema(pl.String, "better"),
}


def follow(
    runs: Mapping[str, pl.DataFrame],
    *,
    clusters: Sequence[str],
    measures: Sequence[str | Measure],
    level: float,
    groupings: Sequence[Grouping] = (),
) -> pl.DataFrame:
    """One row per measure and run (joined tables, oldest first), in the columns of HISTORY. `expected` is the mean of
    the runs before; the value lies between `low` and `high` at all times if nothing ever changed. `p` is the smallest
    so far, corrected for the number of measures; `changed` from the run on at which it is below one minus the level."""
    if len(runs) < 2:
        raise BadInput("a history needs two runs or more of one suite through one system")
    tables, _ = align(runs, clusters)
    coded = [Sampler.over(table, clusters) for table in tables.values()]
    first, sampler = coded[0]
    chosen = [m for m in resolve(measures, groupings, first) if comparable(m)]
    rows = []
    for measure in chosen:
        parts = [Linearised.of(Job(measure, measure.statistics(table, sampler.axes))) for table, _ in coded]
        # what each cluster of the first axis adds to the value
        adds = [part.moves + part.sizes / part.n * part.value for part in parts]
        added = np.zeros((len(parts), sampler.sizes[0]))
        for night, (part, own) in enumerate(zip(parts, adds, strict=True)):
            np.add.at(added[night], part.codes[:, 0], own)
        if np.isfinite(added).all():
            watched = watch(added, level=level, tests=len(chosen))
            p = np.minimum(watched.p() * len(chosen), 1.0)
            values = [(name, part.job.point()) for name, part in zip(runs, parts, strict=True)]
            rows += _rows(measure, values, watched, p, level)
    return pl.DataFrame(rows, schema=HISTORY, orient="row")


def _rows(
    measure: Measure, values: Sequence[tuple[str, float]], watched: Watched, p: Floats, level: float
) -> list[tuple[str | float | bool | None, ...]]:
    """The rows of one measure, in the columns of HISTORY."""
    before = watched.values[1:] - watched.changes
    expected, low, high = (measure.unsmooth(one) for one in (before, watched.low, watched.high))
    ends = (np.maximum(low, measure.bounds[0]), np.minimum(high, measure.bounds[1]))
    evidence = np.exp(np.minimum(watched.evidence, 700.0))
    later = zip(expected, *ends, evidence, p, p <= alpha_of(level), strict=True)
    nights = zip(values, ((None, None, None, 1.0, 1.0, False), *later), strict=True)
    return [(measure.name, *value, *row, measure.better) for value, row in nights]


def history_checks(history: pl.DataFrame, measures: Mapping[str, Measure], *, level: float) -> list[Check]:
    """A check per measure; it fails from the run on at which a change is significant (for the worse, if there is a
    worse)."""
    checks = []
    for (name,), rows in history.group_by("measure", maintain_order=True):
        measure, last = measures[str(name)], rows.row(-1, named=True)
        directed, changed = measure.better != "none", rows["changed"].arg_true()
        start = int(changed[0]) if len(changed) else 1
        before, now = float(rows["value"][:start].to_numpy().mean()), last["value"]
        failed = len(changed) > 0 and (not directed or badness(measure, now) > badness(measure, before))
        outcome = ("worse" if directed else "changed") if failed else "no change found"
        since = f"since {rows['run'][start]}: " if len(changed) else ""
        p = f"p {last['p']:.2g} at any time over {rows.height} runs ({100 * level:.4g} % over its whole life)"
        words = f"{since}{before:.4g} to {now:.4g}, {p}"
        rule = "no change for the worse, ever" if directed else "no change, ever"
        checks.append(Check("history", str(name), rule, outcome, not failed, words, was=before, now=now))
    return checks
