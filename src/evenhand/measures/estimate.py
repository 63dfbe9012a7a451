"""From verdicts to estimates: every measure, overall and per group, with coverage and intervals.

`n` counts renderings, `n_decided` those whose verdict is not unknown, `n_valid` those that are renderings at all.
`interval` says how `low` and `high` were made, or why there are none; `bounds_low` and `bounds_high` are what the
measure could be if every undecided rendering were decided, with sampling error (further columns: rows.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.level import Resampling
from evenhand.measures.bounds import bounds
from evenhand.measures.calibration import Calibration
from evenhand.measures.contrasts import Measured, tested_rows
from evenhand.measures.corrected import Labelled, correct, pooled_levels
from evenhand.measures.definitions import registry
from evenhand.measures.definitions.counts import Counted, count_each
from evenhand.measures.rows import EstimateRow, as_estimates, estimate_row, joined
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Job, Measure, Statistics
from evenhand.storage.tables import ALL, count_valid
from evenhand.suites.suite import Grouping

SETS = "sets"  # the grouping whose levels are the sets of the TGBI; a suite without it has all its groupings as sets
FIXED = 0.995  # from this share of one gender on, a system is said not to choose ...
SURE = 0.8  # ... where the share's interval lies above this: ten sentences, or one word, show little


def estimate(
    table: pl.DataFrame,
    *,
    clusters: Sequence[str] = (),
    groupings: Sequence[Grouping] = (),
    measures: Sequence[str | Measure] = registry.DEFAULT,
    calibration: Calibration | None = None,
    language: str | None = None,
    kind: str | None = None,
    **how: Unpack[Resampling],
) -> pl.DataFrame:
    """Estimates of a run: one row per measure, overall and for each level of each grouping.

    `table` is the probes joined with the verdicts (columns id, gender, the cluster columns, what the groupings use).
    Alternatives of a system (candidate > 0) are left out, repeated answers (sample) all count. Measures over a whole
    suite (TGBI) have one row, overall. Groupings with two to four levels also get the differences of their levels
    (level "A - B"), each with a cluster-robust test and, for shares, the chi-square beside it. With a
    `calibration` (refused unless made for this target `language` and `kind` of suite) every row made of verdicts has
    a second one, variant "corrected". Where hardly any answer is a rendering, numbers are withheld (`withheld`).
    """
    if calibration is not None:
        calibration.check(language=language or "", kind=kind or "")
    coded, sampler = Sampler.over(table, clusters, **how)
    chosen = resolve(measures, groupings, coded)
    rows = _estimated(coded, chosen, groupings, sampler)
    rows += _within_clusters(table, chosen, groupings, sampler)
    if calibration is not None:
        rows += _corrected(coded, chosen, groupings, sampler, calibration)
    return as_estimates(withheld(rows, coded, chosen, sampler.axes))


def _within_clusters(
    table: pl.DataFrame, measures: Sequence[Measure], groupings: Sequence[Grouping], sampler: Sampler
) -> list[EstimateRow]:
    """Rows by the column that is the first axis. A level is one cluster of it: the other axes are sampled, or rows."""
    own = [grouping for grouping in groupings if grouping.name in sampler.clusters[:1]]
    if not own:
        return []
    coded, inner = Sampler.over(table, sampler.clusters[1:])
    inner = replace(sampler, axes=inner.axes, sizes=inner.sizes, clusters=inner.clusters)
    plain = [measure for measure in measures if not measure.against_base]
    return [row for row in _estimated(coded, plain, own, inner) if row["group"] != ALL]


def _corrected(
    table: pl.DataFrame,
    measures: Sequence[Measure],
    groupings: Sequence[Grouping],
    sampler: Sampler,
    calibration: Calibration,
) -> list[EstimateRow]:
    """The same rows corrected for the detector's error; by group in every grouping whose levels have labels enough.
    Labels on the run's own renderings are counted with them, cluster by cluster. One matrix for all levels is used
    where a level has too few labels, and the rows note it: that a test finds no difference between the levels' error
    rates does not make them the same."""
    counted = [m for m in measures if isinstance(m, Counted) and "gender" in m.needs]
    levels = pooled_levels(calibration, groupings, table, seed=sampler.seed)
    own = [g for g in groupings if g.name in levels and levels[g.name].own]
    shared = [g for g in groupings if g not in own]

    def by_matrix(chosen: Sequence[Grouping], by: Grouping | None = None) -> list[EstimateRow]:
        """With one confusion matrix for all renderings, or with one for each level of the grouping `by`."""
        corrected: list[Measure] = []
        contexts = table
        for measure in counted:
            one, contexts = correct(measure, calibration, contexts, by)
            corrected.append(one)
        drawn = calibration.drawn_matrices(by.name if by else None, seed=sampler.seed, count=sampler.resamples)
        return _estimated(contexts, corrected, chosen, replace(sampler, confusions=drawn))

    labels = calibration.labels_in(table)
    if labels is not None:
        rows = _estimated(table.with_columns(labels), [Labelled(measure) for measure in counted], own, sampler)
        rows += [row for row in by_matrix(shared) if row["group"] != ALL] if shared else []
    else:
        rows = by_matrix(shared)
        rows += [row for g in own for row in by_matrix([g], by=g) if row["group"] == g.name]
    # how error rates were pooled concerns tests between groups only
    words = {group: one.words for group, one in levels.items()}
    return [
        row | {"variant": "corrected", "note": joined(row.get("note"), pooled, calibration.thin)}
        for row in rows
        for pooled in [words.get(str(row["group"]), "") if row.get("family") else ""]
    ]


def _estimated(
    table: pl.DataFrame, measures: Sequence[Measure], groupings: Sequence[Grouping], sampler: Sampler
) -> list[EstimateRow]:
    counted = _counted_at_once(table, measures, groupings, sampler.axes)
    parts = []
    for group, level, rows_of in cut(table, groupings):
        for measure in measures:
            if group != ALL and _without_value(measure, group, rows_of, sampler):
                continue
            known = counted.get((group, measure.name), {}).get(level)
            statistics = measure.statistics(rows_of, sampler.axes) if known is None else known
            parts.append(Measured(group, level, rows_of, sampler.estimate(Job(measure, statistics))))
    whole = [m for m in parts if m.group == ALL]
    fixed = {ALL: fixed_choice(table, whole)}  # a group of stated women may rightly be all female
    rows = [_row(m, sampler, fixed.get(m.group, "")) for m in parts if not m.job.measure.against_base]
    return rows + tested_rows(parts, sampler)


def _without_value(measure: Measure, group: str, rows: pl.DataFrame, sampler: Sampler) -> bool:
    """The measure has no value in this group: it is for whole runs; the group has only one of the values that the
    measure compares (it would be 0 by construction); or the group is one cluster of the first axis, which says nothing
    about others (`_within_clusters`)."""
    one_sided = bool(measure.spans) and rows[measure.spans].drop_nulls().n_unique() < 2
    return measure.whole or one_sided or (group in sampler.clusters[:1] and not measure.against_base)


def _counted_at_once(
    table: pl.DataFrame, measures: Sequence[Measure], groupings: Sequence[Grouping], axes: Sequence[str]
) -> dict[tuple[str, str], dict[str, Statistics]]:
    """Plain counts for groupings of many levels, by grouping and measure: one pass instead of one per level."""
    return {
        (grouping.name, measure.name): count_each(table, grouping.column or grouping.name, axes, measure.cells())
        for grouping in groupings
        if grouping.of_many(table)
        for measure in measures
        if isinstance(measure, Counted) and type(measure).statistics is Counted.statistics and not measure.whole
    }


def resolve(measures: Sequence[str | Measure], groupings: Sequence[Grouping], table: pl.DataFrame) -> list[Measure]:
    """Measures by name or as they are, checked against the table's columns and bound to it where they need that."""
    chosen: list[Measure] = []
    sets = [g for g in groupings if g.name == SETS] or groupings
    filters = {level: condition for grouping in sets for level, condition in grouping.filters(table).items()}
    for named in measures or registry.DEFAULT:
        measure = registry.by_name(named) if isinstance(named, str) else named
        missing = [c for c in measure.needs if c not in table.columns]
        if missing:
            raise BadInput(f"measure {measure.name!r} needs the column {missing[0]!r}, which this table does not have")
        chosen.append(measure.bind(table, filters))
    return chosen


def cut(table: pl.DataFrame, groupings: Sequence[Grouping]) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """The whole table, then each level of each grouping. Levels without rows are left out."""
    yield ALL, "", table
    yield from ((grouping.name, *part) for grouping in groupings for part in grouping.parts(table))


def _row(measured: Measured, sampler: Sampler, remark: str) -> EstimateRow:
    """One estimate, with a remark and what is undecided as its note."""
    job, interval = measured.job, measured.estimated.interval
    statistics, ends = job.statistics, bounds(measured.table, job, sampler)
    row = estimate_row(job.measure.name, measured.group, measured.level, interval, statistics, note=remark or None)
    if ends is None:
        return row
    low, high = float(np.fmin(ends[0], interval.low)), float(np.fmax(ends[1], interval.high))
    open_ = f"{statistics.n - statistics.decided:,} of {statistics.n:,} {job.measure.unit} undecided"
    return row | {"bounds_low": low, "bounds_high": high, "note": joined(remark, open_)}


def fixed_choice(table: pl.DataFrame, whole: Sequence[Measured]) -> str:
    """A remark when (nearly) every decided rendering has the same gender, the share's interval among the estimates of
    the `whole` run bears it out, and the undecided ones could not change it; empty otherwise."""
    if "gender" not in table.columns:
        return ""
    lows = {measured.job.measure.name: measured.estimated.interval.low for measured in whole}
    counts = table["gender"].cast(pl.String).value_counts().filter(pl.col("gender") != Gender.UNKNOWN.value)
    decided = int(counts["count"].sum())
    for gender, count in counts.iter_rows():
        sure = gender in (Gender.FEMALE.value, Gender.MALE.value) and lows.get(f"share_{gender}", np.nan) >= SURE
        if sure and count >= FIXED * decided and count >= SURE * table.height:  # whatever the undecided are
            return f"this system does not choose: {count:,} of {decided:,} decided renderings are {gender}"
    return ""


# Runs in which hardly any answer is a rendering: the few that are would look like the system's numbers.

HARDLY = 0.1  # share of the answers that are renderings, below which only what counts the others as wrong is printed
NUMBERS = (
    "value", "low", "high", "bounds_low", "bounds_high", "p", "p_adjusted", "independent_statistic", "independent_p",
    "effect", "tipping_icc", "tipping_undecided", "condition",
)  # fmt: skip


def withheld(
    rows: list[EstimateRow], table: pl.DataFrame, measures: Sequence[Measure], axes: Sequence[str]
) -> list[EstimateRow]:
    """The rows as they are; where fewer than HARDLY of the answers are renderings, without their numbers. A measure
    that is higher the better and counts every answer, so that one that is no rendering counts as wrong (accuracy),
    keeps its values; differences of groups do not."""
    valid = count_valid(table)
    if valid is None or valid >= HARDLY * table.height:
        return rows
    strict = {
        m.name
        for m in measures
        if m.better == "higher" and m.statistics(table, tuple(axes)).cells.sum() >= table.height
    }
    why = f"withheld: {valid:,} of {table.height:,} answers are renderings at all"
    blank: EstimateRow = {**dict.fromkeys(NUMBERS), "interval": why, "note": None}
    return [row if row["measure"] in strict and not row.get("family") else row | blank for row in rows]
