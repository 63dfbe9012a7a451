"""HTML for notebooks: a title, tables and notes, everything escaped."""

import html
from collections.abc import Iterable, Sequence


def html_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def html_notes(notes: Iterable[str]) -> str:
    return "".join(f"<p>{html.escape(note)}</p>" for note in notes)


def html_title(title: str) -> str:
    return f"<h4>{html.escape(title)}</h4>"


def _row(cell: str, texts: Sequence[object]) -> str:
    shown = ("" if text is None else f"{text:.3f}" if isinstance(text, float) else str(text) for text in texts)
    return "<tr>" + "".join(f"<{cell}>{html.escape(text)}</{cell}>" for text in shown) + "</tr>"
