"""Limits a run must keep: a TOML file, one table per limit.

[[limit]]
measure = "P_S"          # as in the estimates
group = "sets"           # default: all
level = "occupation"     # default: the whole group
variant = "raw"          # or corrected
min = 0.3                # at least one of min and max; also "30 %" or "30 points"
max = 0.9
by = "value"             # or "interval": broken when the whole interval lies outside, kept when it lies inside
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL, interval_words
from evenhand.measures.decisions.gate import Check, NotShown
from evenhand.measures.decisions.margins import INCONCLUSIVE
from evenhand.measures.definitions import registry
from evenhand.measures.definitions.direction import UNITS, amount
from evenhand.measures.rows import condition_of
from evenhand.readers.toml_tables import TomlTable, read_toml_tables
from evenhand.storage.tables import ALL

By = Literal["value", "interval"]
LimitRow = tuple[float | None, float | None, float | None, str]  # value, low, high, condition
_KEYS = ("measure", "group", "level", "variant", "min", "max", "by")


@dataclass(frozen=True)
class Limit:
    """The range one estimate has to stay in; `unit` ("%", "points" or none) is how it was written and is printed."""

    measure: str
    low: float | None = None
    high: float | None = None
    group: str = ALL
    level: str = ""
    variant: str = "raw"
    by: By = "value"
    unit: str = ""

    @property
    def where(self) -> str:
        part = "" if self.group == ALL else f" ({self.group}: {self.level})"
        return f"{self.measure}{part}" + ("" if self.variant == "raw" else f", {self.variant}")

    @property
    def rule(self) -> str:
        ends = (("at least", self.low), ("at most", self.high))
        return " and ".join(f"{word} {self.show(end)}" for word, end in ends if end is not None)

    def show(self, value: float) -> str:
        """A value in the limit's own unit."""
        return f"{100 * value:.4g} {self.unit}" if self.unit else f"{value:.4g}"


def read_limits(path: Path) -> list[Limit]:
    """The limits of a TOML file; every mistake is an error that names the file and the limit."""
    example = '[[limit]] measure = "P_S" min = 0.3'
    return [_limit(where, entry) for where, entry in read_toml_tables(path, "limit", keys=_KEYS, example=example)]


def _limit(where: str, entry: dict[str, object]) -> Limit:
    table = TomlTable(where, entry)
    by = next((one for one in get_args(By) if one == table.text("by", "value")), None)
    if by is None:
        raise BadInput(f"{where}: {Unknown('by', table.text('by'), get_args(By))}")
    low, high = (_end(where, key, entry.get(key)) for key in ("min", "max"))
    if low is None and high is None:
        raise BadInput(f"{where}: give min, max or both")
    if low is not None and high is not None and low > high:
        raise BadInput(f"{where}: min {low:g} is above max {high:g}")
    measure, level = table.text("measure"), table.text("level", "")
    _in_range(where, measure, (low, high), difference=" - " in level)
    unit = next((unit for unit in UNITS if unit in f"{entry.get('min', '')}{entry.get('max', '')}"), "")
    return Limit(measure, low, high, table.text("group", ALL), level, table.text("variant", "raw"), by, unit)


def _end(where: str, key: str, value: object) -> float | None:
    number = amount(value) if isinstance(value, str) else value
    if value is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
        raise BadInput(f'{where}: {key} must be a number, or a text like "60 %" or "5 points", not {value!r}')
    return float(number) if isinstance(number, int | float) else None


def _in_range(where: str, measure: str, ends: Sequence[float | None], *, difference: bool) -> None:
    """A limit that no value could ever keep or break is a slip: 60 for 60 %."""
    if measure not in registry.names():
        return
    lowest, highest = registry.by_name(measure).bounds
    if difference:  # of two levels
        lowest, highest = lowest - highest, highest - lowest
    for end in ends:
        if end is not None and not lowest <= end <= highest:
            hint = f': for {end:g} % write "{end:g} %"' if 1 < end <= 100 and highest == 1 else ""
            raise BadInput(f"{where}: {end:g} lies outside the range of {measure}, {lowest:g} to {highest:g}{hint}")


def check_limits(
    estimates: pl.DataFrame, limits: Sequence[Limit], *, level: float = LEVEL, not_shown: NotShown | None = None
) -> list[Check]:
    """A check for each limit; a limit on something the run does not estimate is an error. By value a limit is kept or
    broken. By interval it is inconclusive where a part of the interval lies outside, where there is none, or where the
    estimate depends on something that the data do not settle (`condition`): that passes unless `not_shown` is
    "fail"."""
    return [_check(limit, _row(estimates, limit), level, not_shown) for limit in limits]


def estimated_by(estimates: pl.DataFrame, limit: Limit) -> bool:
    """Whether a run estimates what the limit is about."""
    try:
        _row(estimates, limit)
    except Unknown:
        return False
    return True


def _check(limit: Limit, row: LimitRow, level: float, not_shown: NotShown | None) -> Check:
    value, low, high, condition = row
    if value is None:
        return Check("limit", limit.where, limit.rule, "undefined", passed=False, told="undefined, nothing was decided")
    # broken, inconclusive or kept, and what follows the value
    ends = (value, value) if limit.by == "value" else (low, high)
    unsure = limit.by == "interval" and bool(condition)
    broken = _broken(limit, *ends)
    outcome, text = "kept", ""
    if broken and not unsure:
        outcome, text = "broken", f" is {broken}"
    elif unsure or _broken(limit, ends[1], ends[0]) or None in ends:
        outcome, text = INCONCLUSIVE, f", the data cannot confirm {limit.rule}"
    if low is not None and high is not None:
        text += f" ({interval_words(level)} {limit.show(low)} to {limit.show(high)})"
    elif outcome == INCONCLUSIVE:
        text += ", there is no interval"
    words = f"{limit.show(value)}{text}" + (f"; {condition}" if condition else "")
    passed = outcome == "kept" or (outcome == INCONCLUSIVE and not_shown != "fail")
    return Check("limit", limit.where, limit.rule, outcome, passed=passed, told=words, now=value)


def _broken(limit: Limit, low: float | None, high: float | None) -> str:
    """Which limit lies beyond the whole range from low to high (the other way round: beyond any part of it)."""
    if limit.low is not None and high is not None and high < limit.low:
        return f"below the limit {limit.show(limit.low)}"
    if limit.high is not None and low is not None and low > limit.high:
        return f"above the limit {limit.show(limit.high)}"
    return ""


def _row(estimates: pl.DataFrame, limit: Limit) -> LimitRow:
    wanted = {"measure": limit.measure, "group": limit.group, "level": limit.level, "variant": limit.variant}
    rows = estimates
    for column, name in wanted.items():
        known = rows[column].drop_nulls().unique().to_list()
        rows = rows.filter(pl.col(column) == name)
        if not rows.height:
            raise Unknown(f"{column} of a limit", name, known)
    row = rows.row(0, named=True)
    return row["value"], row["low"], row["high"], condition_of(row)
