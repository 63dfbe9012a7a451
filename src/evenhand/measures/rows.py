"""Rows of the estimates table.

`group` "all" with level "" is the whole run. Where clusters cross, the wider interval stands in `low`, `high` and
`interval`, the other in `other_low`, `other_high`, `other_interval`. Differences of shares carry the test that takes
sentences for independent (`independent_test`, `independent_p`) and Cohen's h (`effect`) beside the cluster-robust `p`.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand.statistics.cluster_intervals import Interval
from evenhand.tables import ESTIMATES, conform

Row = dict[str, str | float | int | None]

FURTHER: dict[str, pl.DataType] = {
    "other_low": pl.Float64(),
    "other_high": pl.Float64(),
    "other_interval": pl.String(),
    "independent_test": pl.String(),
    "independent_statistic": pl.Float64(),
    "independent_p": pl.Float64(),
    "effect": pl.Float64(),
}


def lead(intervals: Sequence[Interval]) -> tuple[Row, str]:
    """The widest interval as columns; where there are two, the other one as columns and in words."""
    ordered = sorted(intervals, key=lambda i: -i.width if i.width == i.width else 0.0)
    first = ordered[0]
    row: Row = {"value": first.value, "low": first.low, "high": first.high, "interval": first.method}
    if len(ordered) == 1:
        return row, ""
    other = ordered[1]
    row |= {"other_low": other.low, "other_high": other.high, "other_interval": other.method}
    return row, f"{other.method}: [{other.low:.4f}, {other.high:.4f}]"


def as_estimates(rows: Sequence[Row]) -> pl.DataFrame:
    """Rows in the ESTIMATES schema (NaN becomes null), the further columns last."""
    schema = {**ESTIMATES, **FURTHER}
    table = pl.DataFrame([{c: row.get(c) for c in schema} for row in rows], schema=schema)
    return conform(table.with_columns(pl.col(pl.Float64).fill_nan(None)), schema, name="estimates")
