"""What people look at: one page for a run, one for several, figures and tables for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evenhand.atomic import write_text
from evenhand.errors import BadInput, require
from evenhand.runs import Run


def write_report(runs: Sequence[Path | Run], output: Path, *, figures: Path | None = None) -> Path:
    """One HTML file about one run, or a comparison of several; it asks no other host for anything.

    `figures` is a folder that gets every chart as SVG, PNG and PDF too. Raises MissingExtra when the packages for
    reports are not installed, BadInput when a run cannot be read or the file cannot be written.
    """
    for module in ("jinja2", "altair", "vl_convert"):
        require(module, purpose="writing a report", extra="report")
    if not runs:
        raise BadInput("a report needs at least one run folder")
    from evenhand.report import build, drawing

    loaded = [run if isinstance(run, Run) else Run.load(run) for run in runs]
    page, made = build.single_page(loaded[0]) if len(loaded) == 1 else build.comparison_page(loaded)
    write_text(output, page)
    if figures is not None:
        drawing.write_figures(made, figures)
    return output


def write_figures(runs: Sequence[Run], folder: Path) -> list[Path]:
    """Only the charts of a report, as SVG, PNG and PDF."""
    for module in ("altair", "vl_convert"):
        require(module, purpose="drawing charts", extra="report")
    from evenhand.report import drawing, several, single

    made = single.figures(runs[0]) if len(runs) == 1 else several.figures(several.name_all(runs))
    return drawing.write_figures(made, folder)
