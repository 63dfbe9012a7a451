"""A system that is worse by exactly the margin: how often it is called no worse all the same."""

from __future__ import annotations

import numpy as np
import polars as pl
from benchmarks.validate import layouts
from benchmarks.validate.layouts import Generator

from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions.direction import directed

RESAMPLES = 500


def at_margin(
    rng: Generator, *, spec: str, shares: tuple[float, float], margin: float, count: int, each: int, icc: float
) -> dict[str, bool]:
    """Two systems with these shares of women; the second's measure is worse than the first's by the margin."""
    occupation = np.repeat(np.arange(count), each)
    tables = {}
    for name, share in zip(("before", "now"), shares, strict=True):
        female = rng.random(len(occupation)) < layouts.beta(rng, share, icc, count)[occupation]
        tables[name] = layouts.table(occupation, (~female).astype(np.int64))
    measure = directed(spec)
    harms = compare(
        tables,
        clusters=("occupation",),
        measures=[measure],
        margins={measure.name: margin},
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    ).harms
    said = harms.filter(pl.col("system") == "now")["outcome"][0]
    return {f"{spec}, called no worse": said == "no worse"}
