"""The numbers of a run as other formats want them: finite, named, with direction, bounds and interval."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite

import polars as pl

from evenhand.errors import EvenhandError
from evenhand.measures.definitions.direction import directed
from evenhand.report.words.vocabulary import wording
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL


@dataclass(frozen=True)
class Metric:
    """One estimate. `better` is higher, lower, nearer (to `neutral`) or none; `low` and `high` are None together."""

    measure: str
    title: str
    explanation: str
    unit: str
    group: str
    level: str
    variant: str
    reference: str
    value: float
    low: float | None
    high: float | None
    interval: str
    n: int
    n_decided: int
    n_valid: int | None
    n_clusters: int | None
    better: str
    neutral: float | None
    bounds: tuple[float, float]

    @property
    def key(self) -> str:
        """What tells this estimate from the others of its run: accuracy, accuracy.gold.female, B_mean.us-2020."""
        parts = [self.measure, *((self.group, self.level) if self.group != ALL else ()), self.reference]
        parts += [self.variant] if self.variant != "raw" else []
        return ".".join(part for part in parts if part)


def metrics_of(run: Run, *, overall: bool = False) -> Iterator[Metric]:
    """Every estimate that has a value; the tests between groups are left out, they are no scores. `overall`: only those
    of the whole run."""
    scores = run.estimates.filter(pl.col("value").is_finite(), pl.col("family").is_null())
    if overall:
        scores = scores.filter(pl.col("group") == ALL)
    for row in scores.iter_rows(named=True):
        words = wording(row["measure"])
        better, neutral, bounds = _declared(row["measure"])
        ends = (row["low"], row["high"])
        known = all(end is not None and isfinite(end) for end in ends)
        yield Metric(
            **{name: row[name] for name in ("measure", "group", "value", "n_valid", "n_clusters")},
            level=row["level"] or "",
            reference=row["reference"] or "",
            interval=row["interval"] or "",
            n=row["n"] or 0,
            n_decided=row["n_decided"] or 0,
            variant=row["variant"] or "raw",
            title=words.title,
            explanation=words.explanation,
            unit="proportion" if words.unit in ("percent", "points") else words.unit,
            low=ends[0] if known else None,
            high=ends[1] if known else None,
            better=better,
            neutral=neutral,
            bounds=bounds,
        )


def _declared(name: str) -> tuple[str, float | None, tuple[float, float]]:
    """Direction, neutral point and bounds of a measure; of one this machine does not have, nothing is claimed."""
    try:
        measure = directed(name)
    except EvenhandError:
        return "none", None, (-inf, inf)
    return measure.better, measure.neutral if measure.better == "nearer" else None, measure.bounds
