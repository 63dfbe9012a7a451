"""Rows of the estimates table.

`group` "all" with level "" is the whole run. Differences of shares carry the test that treats sentences as independent
(`independent_test`, `independent_p`) and Cohen's h (`effect`) beside the cluster-robust `p`.
Two tipping values say what would end a significant difference: `tipping_icc` is the smallest correlation within
clusters that the data allow and that would, `tipping_undecided` how much more (or less) often than the decided ones the
undecided renderings of one group would have to be women. `condition` states what a row depends on that the data do not
settle (these two, or a group too small to say); gates and headlines do not treat such a row as a firm finding.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from evenhand.notes import NoteKind, read_notes
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Statistics
from evenhand.storage.tables import ESTIMATES, conform, schema

EstimateRow = dict[str, str | float | int | None]

FURTHER = {
    **schema(pl.String, "independent_test"),
    **schema(pl.Float64, "independent_statistic", "independent_p", "effect", "tipping_icc", "tipping_undecided"),
    **schema(pl.String, "condition"),
}


def columns(interval: Interval) -> EstimateRow:
    """An interval as columns of the estimates."""
    return {"value": interval.value, "low": interval.low, "high": interval.high, "interval": interval.method}


def estimate_row(
    measure: str, group: str, level: str, interval: Interval, *parts: Statistics, **more: str | float | None
) -> EstimateRow:
    """An estimate of one part, or of several together; `more` are other columns, or other values of these."""
    valid = [part.valid for part in parts]
    row: EstimateRow = {"measure": measure, "group": group, "level": level, "variant": "raw", **columns(interval)}
    row |= {"n": sum(part.n for part in parts), "n_decided": sum(part.decided for part in parts)}
    row["n_valid"] = None if None in valid else sum(v for v in valid if v is not None)
    return row | {"n_clusters": parts[0].sizes[0] if len(parts) == 1 else interval.n} | more


def joined(*notes: object) -> str | None:
    """Remarks as one; None where there is none."""
    return "; ".join(str(note) for note in notes if note) or None


def as_estimates(rows: Sequence[EstimateRow]) -> pl.DataFrame:
    """Rows in the ESTIMATES schema (NaN becomes null), the further columns last."""
    types = {**ESTIMATES, **FURTHER}
    table = pl.DataFrame([{c: row.get(c) for c in types} for row in rows], schema=types)
    return conform(table.with_columns(pl.col(pl.Float64).fill_nan(None)), types, name="estimates")


def condition_of(row: Mapping[str, object]) -> str:
    """What a row depends on; empty where on nothing. Tables up to 0.1.0 say it in their notes alone."""
    if "condition" in row:
        return str(row["condition"] or "")
    notes = read_notes(str(row.get("note") or "").split("; "))
    return "; ".join(note for note in notes if note.kind is NoteKind.CONDITION)
