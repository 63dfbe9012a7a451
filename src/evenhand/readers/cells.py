"""Rows of cells under a header, as TSV and CSV have them, and batches of bounded size for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple, TypeVar

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.layout import LINE, Layout
from evenhand.readers.opening import UserFile

BATCH_ROWS = 20_000
BATCH_CHARACTERS = 32 << 20  # rows of a megabyte must not pile up
Row = TypeVar("Row")


class Cells(NamedTuple):
    """The cells of one row and the line it begins on."""

    number: int
    cells: list[str]


def batched(rows: Iterable[tuple[int, Row]], size: Callable[[Row], int]) -> Iterator[tuple[list[int], list[Row]]]:
    """Line numbers and rows in batches that fit into memory; one empty batch where there is nothing."""
    lines: list[int] = []
    waiting: list[Row] = []
    length, first = 0, True
    for number, row in rows:
        lines.append(number)
        waiting.append(row)
        length += size(row)
        if len(lines) >= BATCH_ROWS or length >= BATCH_CHARACTERS:
            yield lines, waiting
            lines, waiting, length, first = [], [], 0, False
    if lines or first:
        yield lines, waiting


def framed(lines: list[int], columns: dict[str, Iterable[str | None]]) -> pl.DataFrame:
    """Text columns with the line of each row."""
    numbers = pl.Series(LINE, lines, dtype=pl.Int64)
    return pl.DataFrame([numbers, *(pl.Series(name, list(texts), pl.String) for name, texts in columns.items())])


def tabulated(file: UserFile, layout: Layout, rows: Iterator[Cells], separator: str) -> Iterator[pl.DataFrame]:
    """Batches of text columns named by the header. A row of another width is an error with its line."""
    told = _without_notes_and_blanks(file, layout, rows)
    first = next(told, None)
    if first is None:
        if layout.columns or layout.some:
            raise BadInput(f"{file.name}: the file is empty; a header and rows were expected")
        yield framed([], {})
        return
    number, header = first[0], [name.strip() for name in first[1]]
    if layout.headed(header):
        layout.check_names(file, number, header, separator)
    else:
        told, header = chain([first], told), [str(n) for n in range(1, len(header) + 1)]
    fitting = ((n, _fitted(file, layout, n, cells, len(header))) for n, cells in told)
    for lines, batch in batched(fitting, lambda cells: sum(map(len, cells))):
        yield framed(lines, dict(zip(header, zip(*batch, strict=True) if batch else [()] * len(header), strict=True)))


def _without_notes_and_blanks(file: UserFile, layout: Layout, rows: Iterator[Cells]) -> Iterator[Cells]:
    """Blank lines at the end are an editor's; one between rows is a mistake, unless the layout says otherwise."""
    begun, blank = False, 0
    for number, cells in rows:
        if _is_note(cells) and (layout.notes == "anywhere" or (layout.notes == "before" and not begun)):
            continue
        if not any(cell.strip() for cell in cells):
            blank = blank or number
            continue
        if blank and begun and not layout.gaps:
            raise BadInput.at(file.name, blank, "a blank line between rows; remove it")
        begun, blank = True, 0
        yield Cells(number, cells)


def _is_note(cells: list[str]) -> bool:
    """ "# ..." or "#..." without another cell: a header may well begin with a column called "#"."""
    return bool(cells) and (cells[0].startswith("# ") or (cells[0].startswith("#") and len(cells) == 1))


def _fitted(file: UserFile, layout: Layout, number: int, cells: list[str], width: int) -> list[str]:
    if len(cells) == width:
        return cells
    if not layout.ragged:
        told = f"{len(cells)} columns, but the header has {width}; a separator inside a text must be removed or quoted"
        raise BadInput.at(file.name, number, told)
    return (cells + [""] * (width - len(cells)))[:width]
