"""One compared number of a paper: what it prints, what comes out here, and what the recomputation rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from evenhand.errors import Unknown
from evenhand.measures.definitions.registry import by_name
from evenhand.statistics.measure import Measure, Statistics
from evenhand.tsv import rows

Input = Literal[
    "authors' outputs",  # translations the authors published, judged here
    "authors' labels",  # genders the authors published, measured here
    "authors' word lists",
    "the paper's printed table",  # counts or shares the paper prints, measured here
    "typed constant",  # an example of the paper's text
    "other data",  # the paper's method on data of others
]
Rounding = Callable[[float, int], float]


@dataclass(frozen=True)
class TableCell:
    """A published number beside the recomputed one; `agrees` is None where nothing is published."""

    paper: str
    table: str
    system: str
    row: str
    column: str
    published: float | None
    computed: float
    agrees: bool | None
    input: Input
    note: str = ""


def compare(
    paper: str,
    key: CellKey,
    computed: float,
    source: Input,
    note: str = "",
    *,
    printed: Published | None = None,
    cut: Rounding = round,
) -> TableCell:
    """The computed number of (table, system, row, column) beside the one printed for this key, else beside `printed`:
    they agree when they are equal to as many decimals as are printed; `cut` shortens otherwise (a paper may
    truncate)."""
    printed = published(paper).get(key, printed)
    if printed is None:
        return TableCell(paper, *key, None, computed, None, source, note)
    agrees = math.isfinite(computed) and abs(cut(computed, printed.decimals) - printed.value) < 1e-9
    notes = "; ".join(filter(None, (note, printed.note)))
    return TableCell(paper, *key, printed.value, computed, agrees, source, notes)


def chosen(known: Iterable[str], system: str | None, *, what: str = "system", hint: str = "") -> list[str]:
    """All known systems, or the one asked for."""
    names = list(known)
    if system is None:
        return names
    if system not in names:
        raise Unknown(what, system, names, hint=hint)
    return [system]


def truncated(value: float, decimals: int) -> float:
    """Cut, not rounded; the nudge keeps 0.0650 from becoming 0.0649 in binary."""
    scale: int = 10**decimals
    return math.floor(value * scale + 1e-9) / scale


def summary(rows: Iterable[TableCell]) -> list[str]:
    """How many published cells agree, and the same for each kind of input, in the order in which they first occur."""
    judged = [row for row in rows if row.agrees is not None]
    lines = [f"{sum(bool(r.agrees) for r in judged)} of {len(judged)} published cells agree."]
    for kind in dict.fromkeys(r.input for r in judged):
        agreeing = [bool(r.agrees) for r in judged if r.input == kind]
        lines.append(f"  from {kind}: {sum(agreeing)} of {len(agreeing)}")
    return lines


# The numbers the papers print, as data files: table, system, row, column, value, where (section or page), note.

CellKey = tuple[str, str, str, str]
"""table, system, row, column"""


class Published(NamedTuple):
    """One printed number, with how many decimals it is printed, and what is known about it (a misprint, say)."""

    value: float
    decimals: int
    note: str = ""


@cache
def published(paper: str) -> dict[CellKey, Published]:
    """The paper's numbers by (table, system, row, column)."""
    return {
        (row["table"], row["system"], row["row"], row["column"]): Published(
            float(row["value"]), len(row["value"].partition(".")[2]), row["note"]
        )
        for row in rows(files("evenhand.replicate") / "published" / f"{paper}.tsv")
    }


def printed_remarks(paper: str) -> list[str]:
    """What a reader must know of this paper whatever the data: its slips and misprints, what cannot be recomputed."""
    listed = rows(files("evenhand.replicate") / "published" / "remarks.tsv")
    return [row["remark"] for row in listed if row["paper"] == paper]


# Single values from the real measures: the same statistics and formula that an audit uses, without resampling.


def formula(measure: str | Measure) -> Measure:
    """The measure of that name, or the measure itself."""
    return by_name(measure) if isinstance(measure, str) else measure


def value(measure: str | Measure, table: pl.DataFrame) -> float:
    """The measure over all rows of a joined table; NaN where it is undefined."""
    return float(formula(measure).value(*_whole(measure, table))[0])


def counts(measure: str, table: pl.DataFrame) -> list[int]:
    """The cells the measure rests on, summed: for %TFG how many are female and male."""
    statistics, ones = _whole(measure, table)
    return [int(cell) for cell in statistics.totals(ones)[0]]


def _whole(measure: str | Measure, table: pl.DataFrame) -> tuple[Statistics, np.ndarray]:
    statistics = formula(measure).statistics(table.with_columns(_one=pl.lit(0, dtype=pl.Int64)), ("_one",))
    return statistics, np.ones((1, len(statistics.codes)))
