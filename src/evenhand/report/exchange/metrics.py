"""The numbers of a run as other formats want them: finite, named, with direction, bounds and interval."""

from collections.abc import Iterator, Mapping
from math import inf, isfinite
from typing import NamedTuple

import polars as pl

from evenhand.errors import EvenhandError
from evenhand.measures.definitions.direction import directed
from evenhand.report.words.vocabulary import Wording, wording
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL


class Metric(NamedTuple):
    """One estimate: its row, and a key that no other of its run has (accuracy, accuracy.gold.female, B_mean.us-2020).
    `better` is higher, lower, nearer (to `neutral`) or none; `low` and `high` are None together."""

    row: Mapping[str, object]
    key: str
    words: Wording
    value: float
    low: float | None
    high: float | None
    better: str
    neutral: float | None
    bounds: tuple[float, float]


def metrics_of(run: Run, *, overall: bool = False) -> Iterator[Metric]:
    """Every estimate that has a value; the tests between groups are left out, they are no scores. `overall`: only those
    of the whole run."""
    scores = run.estimates.filter(pl.col("value").is_finite(), pl.col("family").is_null())
    for row in (scores.filter(group=ALL) if overall else scores).iter_rows(named=True):
        group = (row["group"], row["level"]) if row["group"] != ALL else ()
        parts = (row["measure"], *group, row["reference"], row["variant"] if row["variant"] != "raw" else "")
        ends = (row["low"], row["high"])
        low, high = ends if all(end is not None and isfinite(end) for end in ends) else (None, None)
        key, declared = ".".join(part for part in parts if part), _declared(row["measure"])
        yield Metric(row, key, wording(row["measure"]), row["value"], low, high, *declared)


def _declared(name: str) -> tuple[str, float | None, tuple[float, float]]:
    """Direction, neutral point and bounds of a measure; of one this machine does not have, nothing is claimed."""
    try:
        measure = directed(name)
    except EvenhandError:
        return "none", None, (-inf, inf)
    return measure.better, measure.neutral if measure.better == "nearer" else None, measure.bounds
