"""CSV and TSV that a spreadsheet takes for text and nothing else, line by line or a whole table at once."""

from collections.abc import Callable

import polars as pl

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_STARTS_FORMULA = r"^(?:[\t\r\n]|[\s\x1c-\x1f]*[=+\-@])"  # as_text's rule; \s is Unicode's, which lacks four separators
_QUOTED = frozenset(',"\r\n')
_BROKEN = frozenset("\t\r\n")


def as_text(value: object) -> str:
    """A cell. A spreadsheet runs a text that starts with one of = + - @ (behind blanks too) as a formula: a quote in
    front keeps it text. A number stays a number."""
    cell = "" if value is None else str(value)
    risky = isinstance(value, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA))
    return f"'{cell}" if risky else cell


def csv_table(table: pl.DataFrame, *, header: bool = True) -> str:
    """The table as CSV: what holds a comma, a quote or a line break of any kind is quoted (RFC 4180)."""
    return _written(table, ",", r'[,"\r\n]', _csv_cell, header=header)


def tsv_table(table: pl.DataFrame, *, header: bool = True) -> str:
    """The same as TSV, which has no quotes: tabs and line breaks inside a cell are blanks."""
    return _written(table, "\t", r"[\t\r\n]", _tsv_cell, header=header)


def _csv_cell(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _QUOTED & set(cell) else cell


def _tsv_cell(cell: str) -> str:
    return " ".join(cell.split()) if _BROKEN & set(cell) else cell


def _written(table: pl.DataFrame, separator: str, unusual: str, fixed: Callable[[str], str], *, header: bool) -> str:
    """The rows, column by column: Python looks only at the cells that the pattern `unusual` finds."""
    names = separator.join(fixed(as_text(name)) for name in table.columns) + "\n" if header else ""
    if not (table.width and table.height):
        return names + "\n" * table.height
    columns = [_cells(column).alias(str(number)) for number, column in enumerate(table.iter_columns())]
    for number, column in enumerate(columns):
        where = column.str.contains(unusual)
        if where.any():
            known = {cell: fixed(cell) for cell in column.filter(where).unique().to_list()}
            columns[number] = column.replace(known)
    lines = pl.DataFrame(columns).select(pl.concat_str(pl.all(), separator=separator)).to_series()
    return names + "\n".join(lines.to_list()) + "\n"


def _cells(column: pl.Series) -> pl.Series:
    """`as_text` of every value."""
    if column.dtype == pl.String or isinstance(column.dtype, pl.Categorical | pl.Enum):
        text = column.cast(pl.String).fill_null("")
        risky = text.str.contains(_STARTS_FORMULA)
        return text.zip_with(~risky, "'" + text) if risky.any() else text
    if column.dtype.is_integer():
        return column.cast(pl.String).fill_null("")
    return pl.Series([as_text(value) for value in column.to_list()], dtype=pl.String)
