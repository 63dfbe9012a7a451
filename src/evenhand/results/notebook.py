"""A result as a notebook shows it: a table of the overall estimates, as HTML in which all text is text."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence

import polars as pl

from evenhand.level import interval_words


def notebook_html(title: str, estimates: pl.DataFrame, level: float, notes: Sequence[str], signature: str) -> str:
    """Title, overall estimates with their intervals, notes and signature; a note that many rows have stands once."""
    head = ("measure", "reference", "value", interval_words(level), "method", "valid", "decided", "note")
    overall = estimates.filter(pl.col("level") == "")
    often = [note for note, times in Counter(overall["note"].drop_nulls().to_list()).items() if times > 1]
    once = overall.with_columns(pl.when(~pl.col("note").is_in(often)).then("note").alias("note"))
    rows = [_shown(row) for row in once.iter_rows(named=True)]
    keep = [n for n, name in enumerate(head) if name in ("measure", "value") or any(row[n] for row in rows)]
    lines = [_html_row("th", [head[n] for n in keep]), *(_html_row("td", [row[n] for n in keep]) for row in rows)]
    more = estimates.height - len(rows)
    told = [*often, *notes, *([f"{more:,} more estimates by group are in .estimates"] if more else [])]
    below = "".join(f"<p>{html.escape(note)}</p>" for note in told)
    table = f"<table>{''.join(lines)}</table>"
    return f"<h4>{html.escape(title)}</h4>{table}{below}<p><small>{html.escape(signature)}</small></p>"


def _shown(row: dict[str, object]) -> list[str]:
    """An estimate as the cells of a table; an undefined number is a dash."""

    def number(name: str) -> str:
        value = row[name]
        return f"{value:.3f}" if isinstance(value, float) and not math.isnan(value) else "–"

    variant = "" if row["variant"] in (None, "raw") else f" ({row['variant']})"
    low, high = number("low"), number("high")
    return [
        f"{row['measure']}{variant}",
        str(row["reference"] or ""),
        number("value"),
        "" if low == high == "–" else f"[{low}, {high}]",
        str(row["interval"] or ""),
        f"{row['n_valid']:,} of {row['n']:,}" if row["n"] and row.get("n_valid") is not None else "",
        f"{row['n_decided']:,} of {row['n']:,}" if row["n"] else "",
        str(row["note"] or ""),
    ]


def _html_row(cell: str, texts: list[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{html.escape(text)}</{cell}>" for text in texts) + "</tr>"
