"""Which measure stands for a run where there is room for one only."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand.measures.definitions.direction import directed
from evenhand.measures.definitions.registry import names as known_measures
from evenhand.report.pages.page import estimate_rows
from evenhand.results.runs import Manifest
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import ALL

LEAD = ("obeyed", "accuracy", "reference_accuracy", "P_S", "TGBI")


def leading(tables: Sequence[pl.DataFrame], info: Manifest, *, asked: str = "") -> Measure | None:
    """The measure by which runs of one suite (their estimates, and a manifest of theirs) are shown and ordered.

    The one `asked` for, with a direction where the user gives one, where all of them have it; else how far the systems
    obeyed where they were asked for a gender, then accuracy where a gender is stated, then how far gender is kept open,
    then what the suite names first. None where they share nothing.
    """
    there = [set(_overall(table)["measure"].to_list()) for table in tables]
    common = [name for name in there[0] if all(name in names for names in there)]
    if asked.partition(":")[0] in common:
        return directed(asked)
    ours = [*LEAD, *info.suite.measures, *sorted(common)]
    first = next((name for name in ours if name in common and name in known_measures()), None)
    return None if first is None else directed(first)


def leading_row(estimates: pl.DataFrame, measure: Measure) -> dict[str, object]:
    """That measure over the whole run, with what a template prints."""
    wanted = (pl.col("measure") == measure.name) & (pl.col("variant") == "raw")
    return estimate_rows(_overall(estimates).filter(wanted).head(1))[0]


def _overall(estimates: pl.DataFrame) -> pl.DataFrame:
    return estimates.filter(pl.col("group") == ALL, pl.col("level") == "")
