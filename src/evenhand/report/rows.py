"""Any table as text for spreadsheets, machines and people: TSV, CSV, JSON lines, Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from evenhand.report.exports import markdown_text
from evenhand.report.spreadsheet import csv_table, tsv_table


def to_jsonl(table: pl.DataFrame) -> str:
    """One object a row; undefined numbers are null."""
    return table.with_columns(pl.col(pl.Float64).fill_nan(None)).write_ndjson()


def to_markdown(table: pl.DataFrame) -> str:
    """One table, in which text stays text."""
    return _row(table.columns) + "|---" * table.width + "|\n" + "".join(map(_row, table.iter_rows()))


def _row(values: Sequence[object]) -> str:
    cells = (markdown_text("" if value is None else " ".join(str(value).split())) for value in values)
    return "| " + " | ".join(cells) + " |\n"


WRITERS: dict[str, Callable[[pl.DataFrame], str]] = {
    "tsv": tsv_table,
    "csv": csv_table,
    "jsonl": to_jsonl,
    "md": to_markdown,
}
