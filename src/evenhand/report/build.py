"""Which page for which runs: gathers what a template shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.report.composition import counts, first_answers
from evenhand.report.narrative import answer
from evenhand.report.page import drawn, estimate_rows, render
from evenhand.report.sentences import sections
from evenhand.report.single import figures, overall_estimates
from evenhand.runs import Run

if TYPE_CHECKING:
    from evenhand.report.charts import Figure


def single_page(run: Run) -> tuple[str, list[Figure]]:
    """The report of one run, and its charts."""
    made = figures(run)
    table = first_answers(run.table)
    context = {
        "title": f"{run.manifest.suite.name} through {run.manifest.system}",
        "run": run,
        "info": run.manifest,
        "answer": answer(run),
        "headline": estimate_rows(overall_estimates(run)),
        "by_group": estimate_rows(run.estimates.filter(run.estimates["level"] != "")),
        "counts": counts(table).row(0, named=True),
        "empty": int((table["rendering"].fill_null("").str.strip_chars() == "").sum()),
        "figures": drawn(made),
        "sections": sections(run),
        "version": __version__,
    }
    return render("single.html", context), made


def comparison_page(runs: list[Run]) -> tuple[str, list[Figure]]:
    raise BadInput("comparison pages are not there yet")
