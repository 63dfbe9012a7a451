"""Rows of the estimates table.

`group` "all" with level "" is the whole run. Differences of shares carry the test that takes sentences for independent
(`independent_test`, `independent_p`) and Cohen's h (`effect`) beside the cluster-robust `p`.
`tipping_icc` is the correlation within clusters from which on a difference would no longer be significant, where the
data do not rule that correlation out; `tipping_undecided` how much more (or less) often than the decided ones the
undecided renderings of one group would have to be women for that. `condition` says in words on what a row depends that
the data do not settle (these two, or a group too small to tell); gates and headlines treat such a row as no firm
finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from evenhand.notes import NoteKind, read_notes
from evenhand.statistics.intervals import Interval
from evenhand.storage.tables import ESTIMATES, conform

EstimateRow = dict[str, str | float | int | None]

FURTHER: dict[str, pl.DataType] = {
    "independent_test": pl.String(),
    "independent_statistic": pl.Float64(),
    "independent_p": pl.Float64(),
    "effect": pl.Float64(),
    "tipping_icc": pl.Float64(),
    "tipping_undecided": pl.Float64(),
    "condition": pl.String(),
}


def columns(interval: Interval) -> EstimateRow:
    """An interval as columns of the estimates."""
    return {"value": interval.value, "low": interval.low, "high": interval.high, "interval": interval.method}


def as_estimates(rows: Sequence[EstimateRow]) -> pl.DataFrame:
    """Rows in the ESTIMATES schema (NaN becomes null), the further columns last."""
    schema = {**ESTIMATES, **FURTHER}
    table = pl.DataFrame([{c: row.get(c) for c in schema} for row in rows], schema=schema)
    return conform(table.with_columns(pl.col(pl.Float64).fill_nan(None)), schema, name="estimates")


def condition_of(row: Mapping[str, object]) -> str:
    """On what a row depends; empty where on nothing. Tables up to 0.1.0 say it in their notes alone."""
    if "condition" in row:
        return str(row["condition"] or "")
    told = read_notes(str(row.get("note") or "").split("; "))
    return "; ".join(note for note in told if note.kind is NoteKind.CONDITION)
