"""Which charts a single run gets, from what its tables hold."""

from __future__ import annotations

import polars as pl

from evenhand.measures.estimate import ALL
from evenhand.report import charts
from evenhand.report.charts import Figure
from evenhand.report.composition import by_grouping, counts, first_answers
from evenhand.runs import Run
from evenhand.suites.suite import Grouping

LEVELS = 30  # a grouping with more levels is drawn as a list of occupations is
BARS = ("sector", "isco_major")
TITLES = {
    "sets": "the suite's sentence sets",
    "isco_major": "major group of occupations (ISCO-08)",
    "sector": "sector",
    "template": "sentence frame",
    "adjective": "adjective",
    "verb": "verb",
    "verb_class": "class of verb",
    "formality": "formality",
    "stereotype": "stereotype",
}


def figures(run: Run) -> list[Figure]:
    """The charts of a run in reading order."""
    table = first_answers(run.table)
    made = [_overall(run, table)]
    for grouping in run.manifest.suite.groupings:
        made += _grouped(run, table, grouping)
    made += _occupations(run, table)
    return made


def _overall(run: Run, table: pl.DataFrame) -> Figure:
    counted = counts(table).with_columns(pl.lit(run.manifest.system).alias("system"))
    return charts.stacked(
        counted,
        "system",
        key="overall",
        title="What came out",
        caption="All renderings by the gender they give the person. "
        "F female, M male, N neutral, B both named, ? could not be decided.",
    )


def _grouped(run: Run, table: pl.DataFrame, grouping: Grouping) -> list[Figure]:
    counted = by_grouping(table, grouping)
    if counted.height < 2 or counted.height > LEVELS:
        return []
    name = TITLES.get(grouping.name, grouping.name.replace("_", " "))
    made = []
    estimates = run.estimates.filter((pl.col("group") == grouping.name) & (pl.col("variant") == "raw"))
    if grouping.name in BARS:
        made.append(
            charts.stacked(
                counted.sort("share_female", descending=True, nulls_last=True),
                "level",
                key=f"bars-{grouping.name}",
                title=f"All renderings by {name}",
                caption="Ordered by share female.",
            )
        )
    if estimates.filter(pl.col("measure") == "share_female").height:
        made.append(
            charts.shares(
                estimates,
                key=f"shares-{grouping.name}",
                title=f"Shares by {name}",
                caption="Points are shares of the decided renderings, lines their 95 % intervals. "
                "Circle: female, square: male, triangle: neutral.",
            )
        )
    if estimates.filter(pl.col("measure") == "accuracy").height > 1:
        made.append(
            charts.one_measure(
                estimates,
                "accuracy",
                key=f"accuracy-{grouping.name}",
                title=f"Accuracy by {name}",
                caption="Share of renderings with the gender the source states, with 95 % intervals.",
            )
        )
    return made


def _occupations(run: Run, table: pl.DataFrame) -> list[Figure]:
    column = next((c for c in ("occupation", "concept") if c in table.columns), None)
    if column is None:
        return []
    rows = table.filter(pl.col(column).is_not_null())
    if rows[column].n_unique() < 3:
        return []
    caption = "Lines are Wilson's 95 % intervals for one occupation's renderings: few sentences, wide lines."
    return [charts.occupations(counts(rows, [column]), column, reference=None, caption=caption)]


def overall_estimates(run: Run) -> pl.DataFrame:
    """The rows a headline table shows: everything over the whole run."""
    return run.estimates.filter((pl.col("group") == ALL) | (pl.col("level") == ""))
