"""Lines of CSV and TSV that a spreadsheet takes for text and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_QUOTED = frozenset(',"\r\n')


def as_text(value: object) -> str:
    """A cell. A spreadsheet runs a text that starts with one of = + - @ (behind blanks too) as a formula: a quote in
    front keeps it text. A number stays a number."""
    cell = "" if value is None else str(value)
    risky = isinstance(value, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA))
    return f"'{cell}" if risky else cell


def csv_line(values: Sequence[object]) -> str:
    """A line of CSV: what holds a comma, a quote or a line break of any kind is quoted (RFC 4180)."""
    cells = [as_text(value) for value in values]
    quoted = ['"' + cell.replace('"', '""') + '"' if _QUOTED & set(cell) else cell for cell in cells]
    return ",".join(quoted) + "\n"


def tsv_line(values: Sequence[object]) -> str:
    """A line of TSV, which has no quotes: tabs and line breaks inside a cell are blanks."""
    cells = [as_text(value) for value in values]
    return "\t".join(" ".join(cell.split()) if set("\t\n\r") & set(cell) else cell for cell in cells) + "\n"
