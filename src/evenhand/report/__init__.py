"""What people look at: one page for a run, one for several, figures and tables for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evenhand.atomic import write_text
from evenhand.errors import BadInput, require
from evenhand.findings import Findings, load_result
from evenhand.measures.paired import Comparison
from evenhand.runs import Run


def require_charts(purpose: str = "writing a report") -> None:
    """MissingExtra, with the command that installs them, where the packages for pages and charts are not there."""
    for module in ("jinja2", "altair", "vl_convert"):
        require(module, purpose=purpose, extra="report")


def write_report(
    results: Sequence[Path | Run | Findings],
    output: Path,
    *,
    figures: Path | None = None,
    comparison: Comparison | None = None,
) -> Path:
    """One HTML file about one result, or a comparison of several of a kind; it asks no other host for anything.

    `figures` is a folder that gets every chart as SVG, PNG and PDF too. A `comparison` of the runs that is made already
    is shown as it is. Raises MissingExtra when the packages for reports are not installed, BadInput when a folder
    cannot be read or the file cannot be written.
    """
    require_charts()
    if not results:
        raise BadInput("a report needs at least one run folder")
    from evenhand.report import build, drawing

    loaded = [load_result(result) if isinstance(result, Path) else result for result in results]
    page, made = build.page_of(loaded, comparison)
    write_text(output, page)
    if figures is not None:
        drawing.write_figures(made, figures)
    return output


def write_figures(results: Sequence[Run | Findings], folder: Path) -> list[Path]:
    """Only the charts of a report, as SVG, PNG and PDF."""
    require_charts("drawing charts")
    from evenhand.report import build, drawing

    return drawing.write_figures(build.figures_of(results), folder)
