"""CSV: commas between cells, quotes around a cell that holds a comma, a quote or a line break (RFC 4180)."""

from __future__ import annotations

import csv
from collections.abc import Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import Cells, tabulated
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    return tabulated(file, layout, _rows(file), ",")


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


FORMAT = Format("csv", (".csv",), "columns", batches)
