"""CSV: commas between cells, quotes around a cell that holds a comma, a quote or a line break (RFC 4180)."""

import csv
from collections.abc import Iterator
from itertools import chain

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import Cells, batched, blank_between, framed, named, nothing, wrong_width
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    rows = _without_notes_and_blanks(file, layout)
    first = next(rows, None)
    if first is None:
        yield nothing(file, layout)
        return
    header, headed = named(file, layout, first, ",")
    rows = rows if headed else chain([first], rows)
    fitting = ((row.number, _fitted(file, layout, row, len(header))) for row in rows)
    for lines, batch in batched(fitting, lambda cells: sum(map(len, cells))):
        columns = zip(*batch, strict=True) if batch else [()] * len(header)
        yield framed(lines, dict(zip(header, columns, strict=True)))


def _rows(file: UserFile) -> Iterator[Cells]:
    """Rows by the line they begin on; a quote that is never closed is an error there."""
    reader = csv.reader((text + "\n" for _, text in file.lines()), strict=True)
    number = 1
    try:
        for cells in reader:
            yield Cells(number, cells)
            number = reader.line_num + 1
    except csv.Error as error:
        raise BadInput.at(file.name, number, f"not CSV ({error}); a quote inside quotes is written twice") from error


def row_lines(file: UserFile) -> dict[int, int]:
    """The line each row ends on, by the line it begins on; blank lines are no rows."""
    rows = [(row.number, any(row.cells)) for row in _rows(file)]
    ends = [number - 1 for number, _ in rows[1:]] + [sum(1 for _ in file.lines())]
    return {number: end for (number, filled), end in zip(rows, ends, strict=True) if filled}


def _without_notes_and_blanks(file: UserFile, layout: Layout) -> Iterator[Cells]:
    begun, blank, noted = False, 0, layout.notes != "nowhere"
    for row in _rows(file):
        opening = row.cells[0] if row.cells else ""
        if noted and opening.startswith("#") and (opening.startswith("# ") or len(row.cells) == 1):
            continue
        if not any(cell.strip() for cell in row.cells):
            blank = blank or row.number
            continue
        if blank and begun and not layout.gaps:
            raise blank_between(file, blank)
        begun, blank, noted = True, 0, layout.notes == "anywhere"
        yield row


def _fitted(file: UserFile, layout: Layout, row: Cells, width: int) -> list[str]:
    if len(row.cells) == width:
        return row.cells
    if not layout.ragged:
        raise wrong_width(file, row.number, len(row.cells), width)
    return (row.cells + [""] * (width - len(row.cells)))[:width]


FORMATS = (Format("csv", (".csv",), "columns", batches),)
