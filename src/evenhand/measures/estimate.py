"""From verdicts to estimates: every measure, overall and per group, with coverage and intervals.

How to read the table (schema ESTIMATES in tables.py). `group` "all" with level "" is the whole run; otherwise `group`
names a grouping and `level` one of its levels. `n` counts renderings, `n_decided` those whose verdict is not unknown.
Where clusters cross, the interval over the first cluster column alone and the one over all columns are both
computed: the wider one stands in `low`, `high`, `interval`, the other one in `other_low`, `other_high`,
`other_interval` and, in words, in `note`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.measures import registry
from evenhand.measures.bootstrap import RESAMPLES, Job, resample
from evenhand.measures.contrasts import Measured, Part, base_rate_rows, contrast_rows
from evenhand.measures.counts import encode
from evenhand.measures.intervals import Sampled, interval
from evenhand.measures.protocol import Measure
from evenhand.measures.rows import ALL, Row, as_estimates, lead
from evenhand.suites.suite import Grouping

UNDECIDED = 0.05  # above this share of undecided renderings the worst cases are printed too
FIXED = 0.98  # from this share of one gender on, a system is said not to choose


def estimate(
    table: pl.DataFrame,
    *,
    clusters: Sequence[str] = (),
    groupings: Sequence[Grouping] = (),
    measures: Sequence[str | Measure] = registry.DEFAULT,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> pl.DataFrame:
    """Estimates of a run: one row for each measure, overall and for each level of each grouping.

    `table` is the probes joined with the verdicts (columns id, gender, the cluster columns, what the groupings use).
    Alternatives of a system (candidate > 0) are left out, repeated answers (sample) all count. Measures over a whole
    suite (TGBI) have one row, overall. Groupings with two to four levels also get the differences of their levels
    (level "A - B"), each with a cluster-robust test and, for shares, the chi-square beside it.
    """
    coded, axes, sizes = prepare(table, clusters)
    chosen = resolve(measures, groupings, coded)
    plan = [
        (part, Job(measure, measure.statistics(part.table, axes)))
        for part in cut(coded, groupings)
        for measure in chosen
        if part.group == ALL or not getattr(measure, "whole", False)
    ]
    sampled = sample([job for _, job in plan], sizes, clusters, seed=seed, resamples=resamples)
    parts = [Measured(part, job, by_axes) for (part, job), by_axes in zip(plan, sampled, strict=True)]
    over = labels(clusters, resamples)
    rows = [_row(m) for m in parts if not getattr(m.job.measure, "against_base", False)]
    rows += base_rate_rows(parts, sizes, over)
    rows += contrast_rows(parts, sizes, over)
    return as_estimates(rows)


def prepare(table: pl.DataFrame, clusters: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...], list[int]]:
    """First answers only, with cluster numbers: the table, its code columns, the number of clusters on each axis."""
    if "gender" not in table.columns:
        raise BadInput(f"the table has no verdicts (column 'gender'); it has {', '.join(table.columns)}")
    if not table.height:
        raise BadInput("there is nothing to measure: the table of verdicts has no rows")
    if "candidate" in table.columns:
        table = table.filter(pl.col("candidate").fill_null(0) == 0)
    coded, axes = encode(table, clusters)
    return coded, axes, [coded[a].n_unique() for a in axes]


def resolve(measures: Sequence[str | Measure], groupings: Sequence[Grouping], table: pl.DataFrame) -> list[Measure]:
    """Measures by name or as they are, checked against the table's columns and bound to it where they need that."""
    chosen: list[Measure] = []
    for named in measures or registry.DEFAULT:
        measure = registry.by_name(named, groupings=groupings) if isinstance(named, str) else named
        missing = [c for c in getattr(measure, "needs", ()) if c not in table.columns]
        if missing:
            raise BadInput(f"measure {measure.name!r} needs the column {missing[0]!r}, which these probes do not have")
        bind = getattr(measure, "bind", None)
        chosen.append(bind(table) if bind is not None else measure)
    return chosen


def cut(table: pl.DataFrame, groupings: Sequence[Grouping]) -> Iterator[Part]:
    """The whole table, then each level of each grouping. Levels without rows are left out."""
    yield Part(ALL, "", table)
    for grouping in groupings:
        for level, condition in grouping.filters(table).items():
            rows = table.filter(condition)
            if rows.height:
                yield Part(grouping.name, level, rows)


def labels(clusters: Sequence[str], resamples: int) -> list[str]:
    """What each interval is over: the first cluster column, then (where several cross) all of them."""
    names = tuple(clusters) or ("probe",)
    count = f"({resamples:,} resamples)"
    return [f"{names[0]} {count}"] + ([f"{' x '.join(names)} {count}"] if len(names) > 1 else [])


def sample(
    jobs: Sequence[Job], sizes: Sequence[int], clusters: Sequence[str], *, seed: int, resamples: int
) -> list[list[Sampled]]:
    """For each job its resamples and interval over the first axis and, where clusters cross, over all axes."""
    found: list[list[Sampled]] = [[] for _ in jobs]
    for over, axes in zip(labels(clusters, resamples), ((0,), tuple(range(len(sizes)))), strict=False):
        drawn = resample(jobs, sizes, seed=seed, resamples=resamples, axes=axes)
        for job, values, into in zip(jobs, drawn, found, strict=True):
            into.append(Sampled(job, values, interval(job, values, axes, sizes, over=over), axes))
    return found


def _row(measured: Measured) -> Row:
    part, job = measured.part, measured.job
    statistics = job.statistics
    row: Row = {
        "measure": job.measure.name,
        "group": part.group,
        "level": part.level,
        "variant": "raw",
        "n": statistics.n,
        "n_decided": statistics.decided,
        "n_clusters": statistics.sizes[0],
    }
    notes = [fixed_choice(part.table)]
    if statistics.n and (statistics.n - statistics.decided) / statistics.n > UNDECIDED:
        low, high = worst_cases(part.table, job)
        row |= {"worst_low": low, "worst_high": high}
        notes.append(f"{statistics.n - statistics.decided:,} of {statistics.n:,} renderings undecided")
    leading, words = lead([s.interval for s in measured.sampled])
    return row | leading | {"note": "; ".join(n for n in (*notes, words) if n) or None}


def fixed_choice(table: pl.DataFrame) -> str:
    """Says so in words when (nearly) every decided rendering has the same gender; empty otherwise."""
    counts = table["gender"].cast(pl.String).value_counts().filter(pl.col("gender") != Gender.UNKNOWN.value)
    decided = int(counts["count"].sum())
    for gender, count in counts.iter_rows():
        if gender in (Gender.FEMALE.value, Gender.MALE.value) and decided >= 10 and count >= FIXED * decided:
            return f"this system does not choose: {count:,} of {decided:,} decided renderings are {gender}"
    return ""


def worst_cases(table: pl.DataFrame, job: Job) -> tuple[float, float]:
    """The measure if every undecided rendering were female, and if every one were male; the lower one first."""
    values = []
    for gender in (Gender.FEMALE.value, Gender.MALE.value):
        text = pl.col("gender").cast(pl.String)
        filled = table.with_columns(
            pl.when(text.is_null() | (text == Gender.UNKNOWN.value))
            .then(pl.lit(gender))
            .otherwise(text)
            .alias("gender")
        )
        codes = tuple(c for c in table.columns if c.startswith("_cluster_"))
        values.append(Job(job.measure, job.measure.statistics(filled, codes)).point())
    return float(np.nanmin(values)), float(np.nanmax(values))
