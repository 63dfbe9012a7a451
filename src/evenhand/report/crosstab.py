"""Estimates as a table a reader can take in at once: one row a level, one column a measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from evenhand.report.vocabulary import show_p, valued, wording

Cells = tuple[list[str], list[list[str]]]


def crosstab(estimates: pl.DataFrame, measures: Iterable[str], *, head: str) -> Cells:
    """Column names and rows of text. Columns nothing was measured for are left out; `head` names the levels.

    A measure with tests has its adjusted p beside it, one of the unit "test" only that. Where every level covers as
    many words of a list, the column's name says how many.
    """
    order = {measure: n for n, measure in enumerate(measures)}
    listed = estimates.filter(pl.col("measure").is_in(list(order)))
    levels = listed["level"].unique(maintain_order=True).to_list()
    asked = listed.select("measure", "reference").unique(maintain_order=True).rows()
    columns: list[str] = [head]
    rows: list[list[str]] = [[level] for level in levels]
    for measure, reference in sorted(asked, key=lambda key: order[key[0]]):
        matching = (pl.col("measure") == measure) & pl.col("reference").eq_missing(pl.lit(reference, pl.String))
        by_level = {row["level"]: row for row in listed.filter(matching).iter_rows(named=True)}
        for name, cells in _columns(measure, reference, [by_level.get(level) for level in levels]):
            if any(cells):
                columns.append(name)
                rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    return columns, rows


def _columns(
    measure: str, reference: str | None, estimates: Sequence[Mapping[str, object] | None]
) -> Iterator[tuple[str, list[str]]]:
    words = wording(measure)
    title = words.title + (f" · {reference}" if reference else "")
    if words.unit == "test":
        yield f"p, {title}", [_p(row) for row in estimates]
        return
    coverage = {(row["n_decided"], row["n"]) if row else (None, None) for row in estimates}
    covered, of = coverage.pop() if len(coverage) == 1 else (None, None)
    counted = f" ({covered:,} of {of:,})" if isinstance(covered, int) and of else ""
    yield title + counted, [_value(row, words.unit) for row in estimates]
    yield "p, adjusted", [_p(row) for row in estimates]


def _value(row: Mapping[str, object] | None, unit: str) -> str:
    if row is None or row["value"] is None:
        return ""
    return valued(row["value"], row["low"], row["high"], unit)


def _p(row: Mapping[str, object] | None) -> str:
    p = None if row is None else row["p"] if row["p_adjusted"] is None else row["p_adjusted"]
    return show_p(p) if isinstance(p, float) else ""
