"""The figures of the five papers, drawn from the cells that their tables print."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from evenhand.level import interval_words
from evenhand.replicate.element import Cell
from evenhand.report.charts import basic
from evenhand.report.charts.embeddings import score_figures, study_figures
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.charts.scatter import against_diagonal

if TYPE_CHECKING:
    from evenhand.report.studies import FilledElement

DOMINATED = {"B_female_dominated": "female", "B_male_dominated": "male"}
NUMBERS = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64}


def drawn_figures(filled: FilledElement, level: float) -> list[Figure]:
    """The charts of one figure of a paper; none for a table."""
    drawers = {"shares": _shares, "sectors": _sectors, "references": _references, "errors": _errors}
    drawer = drawers.get(filled.element.drawn, _of_findings)
    return list(drawer(filled, level)) if filled.element.drawn else []


def _of_findings(filled: FilledElement, level: float) -> Iterator[Figure]:
    """A chart of word vectors or word scores, as the report of the findings draws it."""
    for number, subject in enumerate(filled.subjects, start=1):
        made = [*score_figures(subject.findings), *study_figures(subject.findings)]
        for figure in made:
            if figure.key == filled.element.drawn:
                title = f"{filled.element.name}, {subject.name}: {figure.title}"
                yield replace(figure, key=f"{filled.element.key}-{number}", title=title)


def _shares(filled: FilledElement, level: float) -> Iterator[Figure]:
    """Percentages by row (and column), a mark per system."""
    several = len({cell.column for _, cell in filled.cells}) > 1
    data = _data(filled, lambda cell: f"{cell.row}, {cell.column}" if several else cell.row, 0.01)
    yield _figure(filled, data, "percent", f"One mark per system; lines are {interval_words(level)}s.")


def _sectors(filled: FilledElement, level: float) -> Iterator[Figure]:
    """B by sector of each system and reference: female- and male-dominated occupations separately."""
    caption = (
        "0 is the translator that always picks the majority. Circle: occupations held mostly by women; square: mostly "
        f"by men; means are weighted by these people. Lines are {interval_words(level)}s."
    )
    for number, name in enumerate(dict.fromkeys(system for system, _ in filled.cells), start=1):
        data = _data(filled, lambda cell: cell.row, 1.0).filter(system=name)
        data = data.with_columns(system=pl.col("column").replace_strict(DOMINATED))
        yield _figure(filled, data, "number", caption, suffix=f"-{number}", of=f", {name}")


def _references(filled: FilledElement, level: float) -> Iterator[Figure]:
    for number, subject in enumerate(filled.subjects, start=1):
        data = _data(filled, lambda cell: cell.row, 0.01).filter(system=subject.name)
        first, second = data["column"].unique(maintain_order=True).to_list()
        wide = data.filter(column=second).select("level", y="value")
        both = data.filter(column=first).select("level", x="value").join(wide, on="level", maintain_order="left")
        ends = {name: pl.lit(None, dtype=pl.Float64) for name in ("low", "high")}
        axes = (f"share of women, {first}", f"share of women, {second}")
        title = f"{filled.element.name}: {second} against {first}"
        heading = Heading(f"{filled.element.key}-{number}", title, "On the dashed line both references agree.")
        yield against_diagonal(both.rename({"level": "concept"}).with_columns(**ends), axes, heading)


def _errors(filled: FilledElement, level: float) -> Iterator[Figure]:
    for number, subject in enumerate(filled.subjects, start=1):
        data = (
            _data(filled, lambda cell: cell.row, 1.0)
            .filter(system=subject.name)
            .with_columns(pl.col("column").alias("system"))
        )
        caption = "B of the occupations with the largest errors by the first reference, and by the other; 0 is optimal."
        yield _figure(filled, data, "number", caption, suffix=f"-{number}", of=f", {subject.name}")


def _data(filled: FilledElement, name: Callable[[Cell], str], scale: float) -> pl.DataFrame:
    """Rows level, system, column, value, low, high; what is undefined is null."""
    rows = [
        (name(cell), system, cell.column, *(scale * number for number in (cell.value, cell.low, cell.high)))
        for system, cell in filled.cells
        if math.isfinite(cell.value)
    ]
    types = {**dict.fromkeys(("level", "system", "column"), pl.String), **NUMBERS}
    return pl.DataFrame(rows, schema=types, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))


def _figure(
    filled: FilledElement, data: pl.DataFrame, unit: str, caption: str, *, suffix: str = "", of: str = ""
) -> Figure:
    element = filled.element
    heading = Heading(element.key + suffix, f"{element.name}{of}: {element.title}", caption)
    return basic.by_system([("", data)], unit, heading)
