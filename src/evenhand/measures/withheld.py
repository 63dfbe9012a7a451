"""Runs in which hardly any answer is a rendering: the few that are would look like the system's numbers."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand.measures.rows import Row
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import count_valid

HARDLY = 0.1  # share of the answers that are renderings, below which only what counts the others as wrong is told
NUMBERS = (
    "value", "low", "high", "bounds_low", "bounds_high", "p", "p_adjusted", "independent_statistic", "independent_p",
    "effect",
)  # fmt: skip


def withheld(rows: list[Row], table: pl.DataFrame, measures: Sequence[Measure], axes: Sequence[str]) -> list[Row]:
    """The rows as they are; where fewer than HARDLY of the answers are renderings, without their numbers.

    A measure that is higher the better and counts every answer, so that one that is no rendering counts as wrong
    (accuracy), keeps its values; differences of groups do not.
    """
    valid = count_valid(table)
    if valid is None or valid >= HARDLY * table.height:
        return rows
    strict = {m.name for m in measures if m.better == "higher" and _counts_all(m, table, axes)}
    why = f"withheld: {valid:,} of {table.height:,} answers are renderings at all"
    blank: Row = {**dict.fromkeys(NUMBERS), "interval": why, "note": None}
    return [row if row["measure"] in strict and not row.get("family") else row | blank for row in rows]


def _counts_all(measure: Measure, table: pl.DataFrame, axes: Sequence[str]) -> bool:
    return bool(measure.statistics(table, tuple(axes)).cells.sum() >= table.height)
