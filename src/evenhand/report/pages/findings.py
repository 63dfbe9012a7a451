"""The pages of findings, whatever their kind: one of them, or several side by side."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from evenhand._version import __version__
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.pages.kinds import shown
from evenhand.report.pages.page import drawn, estimate_rows, render
from evenhand.report.studies import study_tables
from evenhand.report.words.glossary import used
from evenhand.report.words.headlines import Headline
from evenhand.report.words.tables import differences
from evenhand.report.words.vocabulary import wording
from evenhand.results.findings import Findings
from evenhand.workflows.compare import UNPAIRED, SideBySide, side_by_side

ROWS = 300  # of a table on the page; all are in the folder
CHARTS, LEVELS = 6, 30


def single_page(findings: Findings) -> tuple[str, list[Figure]]:
    """The page of one result, and its charts."""
    what = shown(findings)
    made = what.figures()
    context = {
        **_shared([findings], findings.manifest.title),
        "info": findings.manifest,
        "answer": what.answer,
        "sections": what.sections,
        "limits": what.limits,
        "study": study_tables(findings),
        "typical": what.typical,
        "figures": drawn(made),
        "estimates": estimate_rows(findings.estimates.head(ROWS)),
        "estimated": findings.estimates.height,
        "tables": [
            {"name": name, "columns": table.columns, "rows": table.head(ROWS).rows(), "height": table.height}
            for name, table in findings.tables.items()
        ],
        **what.context,
    }
    return render(what.template, context), made


def comparison_page(several: Sequence[Findings]) -> tuple[str, list[Figure]]:
    """Several results of one kind: values with their intervals, differences without a test."""
    beside = side_by_side(several)
    made = comparison_figures(several)
    table = differences(beside)
    left = len(table.rows) - ROWS
    more = f" {left:,} more rows are in what `evenhand compare --json` prints." if left > 0 else ""
    context = {
        **_shared(several, f"{len(several)} results side by side"),
        "subjects": list(zip(beside.names, (found.manifest.measured for found in several), strict=True)),
        "answer": _answer(beside),
        "section": replace(table, rows=table.rows[:ROWS], lead=table.lead + more),
        "alone": beside.alone,
        "study": study_tables(*several),
        "figures": drawn(made),
    }
    return render("findings_comparison.html", context), made


def comparison_figures(several: Sequence[Findings]) -> list[Figure]:
    """The first measures that all have with intervals at several levels, one mark per result."""
    beside = side_by_side(several)
    asked = ("measure", "reference", "group")
    several_groups = beside.table["group"].n_unique() > 1
    made: list[Figure] = []
    for key, common in beside.table.group_by(asked, maintain_order=True):
        measure, reference, group = (str(part or "") for part in key)
        matching = common.select(*asked, "level").head(LEVELS)
        rows = [
            found.estimates.filter(pl.col("low").is_not_null())
            .join(matching, on=matching.columns, nulls_equal=True, maintain_order="right")
            .with_columns(pl.lit(name).alias("system"))
            for name, found in zip(beside.names, several, strict=True)
        ]
        if matching.height < 2 or any(table.is_empty() for table in rows) or len(made) == CHARTS:
            continue
        words = wording(measure)
        title = " · ".join(filter(None, (words.title, reference, group if several_groups else "")))
        caption = "One mark per result; lines are its intervals. Nothing is tested here."
        heading = Heading(f"measure-{len(made) + 1}", title, caption)
        made.append(basic.by_system([("", pl.concat(rows, how="diagonal"))], words.unit, heading))
    return made


def _answer(beside: SideBySide) -> Headline:
    names = ", ".join(beside.names)
    return Headline(
        f"We compared {len(beside.names)} results: {names}.",
        f"They share {beside.table.height:,} estimates"
        + (f"; {beside.alone:,} more are in some of them only." if beside.alone else "."),
        UNPAIRED,
        fixed=False,
    )


def _shared(results: Sequence[Findings], title: str) -> dict[str, object]:
    measures = [measure for result in results for measure in result.estimates["measure"].unique(maintain_order=True)]
    return {
        "title": title,
        "glossary": used(measures, ("interval", "p_adjusted", "decided", "signature")),
        "signatures": [result.signature for result in results],
        "version": __version__,
    }
