"""A gate for continuous integration: limits a run must keep, or a baseline it must not fall behind.

A limits file is TOML, one table a limit:

    [[limit]]
    measure = "P_S"          # as in the estimates
    group = "sets"           # default: all
    level = "occupation"     # default: the whole group
    variant = "raw"          # or corrected
    min = 0.3                # at least one of min and max
    max = 0.9
    by = "value"             # or "interval": broken only when the whole interval lies outside
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.level import ALPHA, LEVEL, interval_words
from evenhand.measures.paired import Comparison
from evenhand.readers.toml_tables import read_toml_tables
from evenhand.tables import ALL

By = Literal["value", "interval"]
_KEYS = ("measure", "group", "level", "variant", "min", "max", "by")


@dataclass(frozen=True)
class Limit:
    """The range one estimate has to stay in."""

    measure: str
    low: float | None = None
    high: float | None = None
    group: str = ALL
    level: str = ""
    variant: str = "raw"
    by: By = "value"

    @property
    def where(self) -> str:
        part = "" if self.group == ALL else f" ({self.group}: {self.level})"
        return f"{self.measure}{part}" + ("" if self.variant == "raw" else f", {self.variant}")


def read_limits(path: Path) -> list[Limit]:
    """The limits of a TOML file; every mistake is an error that names the file and the limit."""
    example = '[[limit]] measure = "P_S" min = 0.3'
    return [_limit(where, entry) for where, entry in read_toml_tables(path, "limit", keys=_KEYS, example=example)]


def _limit(where: str, entry: dict[str, object]) -> Limit:
    measure, by = entry.get("measure"), str(entry.get("by", "value"))
    if not isinstance(measure, str):
        raise BadInput(f'{where}: a limit names its measure: measure = "P_S"')
    ends: list[float | None] = []
    for key in ("min", "max"):
        value = entry.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise BadInput(f"{where}: {key} must be a number, not {value!r}")
        ends.append(None if value is None else float(value))
    low, high = ends
    if low is None and high is None:
        raise BadInput(f"{where}: give min, max or both")
    if low is not None and high is not None and low > high:
        raise BadInput(f"{where}: min {low:g} is above max {high:g}")
    if by not in get_args(By):
        raise BadInput(f"{where}: {Unknown('by', by, get_args(By))}")
    texts = {k: str(entry.get(k, d)) for k, d in (("group", ALL), ("level", ""), ("variant", "raw"))}
    return Limit(measure, low, high, by="interval" if by == "interval" else "value", **texts)


def check_limits(estimates: pl.DataFrame, limits: Sequence[Limit], *, level: float = LEVEL) -> list[str]:
    """One line for each limit that is broken; a limit on something the run does not estimate is an error."""
    failures = []
    for limit in limits:
        row = _row(estimates, limit)
        value, low, high = row["value"], row["low"], row["high"]
        if value is None:
            failures.append(f"{limit.where}: undefined, nothing was decided")
            continue
        at_least, at_most = (value, value) if limit.by == "value" else (high, low)
        interval = "" if low is None or high is None else f" ({interval_words(level)} {low:.4g} to {high:.4g})"
        if limit.low is not None and at_least is not None and at_least < limit.low:
            failures.append(f"{limit.where}: {value:.4g} is below the limit {limit.low:g}{interval}")
        if limit.high is not None and at_most is not None and at_most > limit.high:
            failures.append(f"{limit.where}: {value:.4g} is above the limit {limit.high:g}{interval}")
    return failures


def _row(estimates: pl.DataFrame, limit: Limit) -> dict[str, float | None]:
    wanted = {"measure": limit.measure, "group": limit.group, "level": limit.level, "variant": limit.variant}
    rows = estimates
    for column, name in wanted.items():
        known = rows[column].drop_nulls().unique().to_list()
        rows = rows.filter(pl.col(column) == name)
        if not rows.height:
            raise Unknown(f"{column} of a limit", name, known)
    row: dict[str, float | None] = rows.select("value", "low", "high").row(0, named=True)
    return row


def worse(comparison: Comparison, run: str, baseline: str) -> list[str]:
    """One line for each measure that got significantly worse than the baseline run, in its own direction.

    `run` and `baseline` are the systems' names in the comparison. A measure without a good direction of its own (share
    of female renderings) is worse when it moved away from its neutral point. Where more than a
    tenth of either run's answers are no renderings at all, that is the failure, and measures say nothing.
    """
    ranks = {(m, s): (r, v) for m, r, s, v, *_ in comparison.ranking.iter_rows()}
    if comparison.unranked:
        return comparison.remarks
    failures = []
    for row in comparison.differences.iter_rows(named=True):
        measure, p = row["measure"], row["ranking_p"]
        (now, value), (before, was) = ranks[measure, run], ranks[measure, baseline]
        if p is not None and p < ALPHA and now > before:
            change = f"{was:.4g} to {value:.4g}, change {row['value']:+.4g} [{row['low']:.4g}, {row['high']:.4g}]"
            failures.append(f"{measure}: significantly worse than the baseline: {change}, corrected p {p:.3g}")
    return failures
