"""Own tables whose clusters nobody named: found in the data, then through `compare`, `check` and contrasts."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import alarms, layouts
from benchmarks.validate.coverage import Interval, rows
from benchmarks.validate.layouts import Floats, Generator

from evenhand.measures.axes import find_axes
from evenhand.measures.estimate import estimate

PROBES = ("id", "source", "focus", "job", "template")


def own(rng: Generator, leaning: Floats, columns: tuple[str, ...] = PROBES) -> pl.DataFrame:
    """A table of jobs x templates; columns that a layout does not have are left out."""
    frame, _ = layouts.crossed(rng, leaning)
    named = frame.with_columns(
        job="j" + pl.col("occupation"), focus="f" + pl.col("occupation"), template=pl.col("verb"), source=pl.col("verb")
    )
    return named.select("id", "gender", *(c for c in columns if c != "id"))


def lean(rng: Generator, shape: tuple[int, int], spreads: tuple[float, float]) -> Floats:
    drawn: Floats = rng.normal(0, spreads[0], shape[0])[:, None] + rng.normal(0, spreads[1], shape[1])
    return drawn


def systems(
    rng: Generator,
    *,
    shape: tuple[int, int],
    share: float,
    common: tuple[float, float],
    each: tuple[float, float],
    columns: tuple[str, ...] = PROBES,
) -> dict[str, bool]:
    """Two systems that lean by job and template, in common and each for itself; the axes are looked for."""
    total = round(float(np.hypot(np.hypot(*common), np.hypot(*each))), 9)
    base = layouts.centre(share, total) + lean(rng, shape, common)
    tables = {name: own(rng, base + lean(rng, shape, each), columns) for name in "ab"}
    found = [find_axes(table, columns).columns for table in tables.values()]
    clusters = tuple(dict.fromkeys(c for axes in found for c in axes))
    return alarms.judge(tables, clusters, rng)


def kinds(rng: Generator, *, shape: tuple[int, int], share: float, spreads: tuple[float, float]) -> dict[str, bool]:
    """Two kinds of templates that do not differ; templates and jobs lean."""
    total = round(float(np.hypot(*spreads)), 9)
    table = own(rng, layouts.centre(share, total) + lean(rng, shape, spreads))
    half = pl.col("template").str.slice(1).cast(pl.Int64) < shape[1] // 2
    found = estimate(
        table.with_columns(kind=pl.when(half).then(pl.lit("x")).otherwise(pl.lit("y"))),
        clusters=find_axes(table, PROBES).columns,
        groupings=(alarms.KIND,),
        measures=("TFG",),
        resamples=alarms.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return alarms.families(found)


def covered(
    rng: Generator,
    *,
    shape: tuple[int, int],
    share: float,
    spreads: tuple[float, float],
    columns: tuple[str, ...] = PROBES,
) -> list[Interval]:
    """The share of women over jobs and templates that are both sampled."""
    total = round(float(np.hypot(*spreads)), 9)
    table = own(rng, layouts.centre(share, total) + lean(rng, shape, spreads), columns)
    clusters = find_axes(table, columns).columns
    found = estimate(table, clusters=clusters, measures=("TFG",), resamples=500, seed=int(rng.integers(1 << 30)))
    return [Interval("TFG", *rows(found)["TFG"], share)]


JOB = tuple(c for c in PROBES if c not in ("template", "focus", "source"))
ALARMS: dict[str, alarms.Once] = {
    "own table, 30 jobs x 10 templates that lean": partial(
        systems, shape=(30, 10), share=0.3, common=(1.0, 0.7), each=(0.7, 0.7)
    ),
    "own table whose occupations are called job, 30 x 8": partial(
        systems, shape=(30, 8), share=0.3, common=(1.0, 0.0), each=(1.0, 0.0), columns=JOB
    ),
    "own table, two kinds of 12 templates that lean, 30 jobs": partial(
        kinds, shape=(30, 12), share=0.3, spreads=(1.0, 0.7)
    ),
}
COVERAGE = {
    "own table, 30 jobs x 10 templates that lean": partial(covered, shape=(30, 10), share=0.3, spreads=(1.0, 0.7)),
    "own table whose occupations are called job, 30 x 8": partial(
        covered, shape=(30, 8), share=0.3, spreads=(1.2, 0.0), columns=JOB
    ),
}
