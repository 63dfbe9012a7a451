"""Findings of one kind beside one another: the estimates all of them have, and how far apart they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from evenhand.results.findings import Findings

KEYS = ("measure", "reference", "group", "level", "variant")
UNPAIRED = (
    "The differences are plain subtractions. The results are not paired unit by unit and may share words or texts, so "
    "no interval and no test of a difference would be sound; each value has its own interval."
)


@dataclass(frozen=True)
class SideBySide:
    """One row an estimate that all have: its keys, `NAME`, `NAME low`, `NAME high` for each, `NAME - FIRST`."""

    names: list[str]
    table: pl.DataFrame = field(repr=False)
    alone: int
    """Estimates that only some of them have."""


def names_of_findings(several: Sequence[Findings]) -> list[str]:
    """The folder's name, else the title; numbered where these are not distinct."""
    names = [found.path.name if found.path else found.manifest.title for found in several]
    alike = Counter(names)
    return [f"{name} #{n}" if alike[name] > 1 else name for n, name in enumerate(names, start=1)]


def side_by_side(several: Sequence[Findings]) -> SideBySide:
    """The common estimates in the order of the first; a value that is undefined somewhere has no difference."""
    names = names_of_findings(several)
    tables = [
        found.estimates.select(*KEYS, pl.col("value").alias(name), *_bounds(name))
        for name, found in zip(names, several, strict=True)
    ]
    joined = tables[0]
    for table in tables[1:]:
        joined = joined.join(table, on=KEYS, how="inner", nulls_equal=True, maintain_order="left")
    apart = [(pl.col(name) - pl.col(names[0])).alias(f"{name} - {names[0]}") for name in names[1:]]
    different = pl.concat([table.select(KEYS) for table in tables]).unique().height
    return SideBySide(names, joined.with_columns(apart), different - joined.height)


def _bounds(name: str) -> list[pl.Expr]:
    return [pl.col(bound).alias(f"{name} {bound}") for bound in ("low", "high")]
