"""Rows of cells under a header, as TSV and CSV have them, and batches of bounded size for every format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.layout import LINE, Layout
from evenhand.readers.opening import BLOCK_BYTES, BLOCK_LINES, UserFile

RowType = TypeVar("RowType")


class Cells(NamedTuple):
    """The cells of one row and the line it begins on."""

    number: int
    cells: list[str]


def batched(
    rows: Iterable[tuple[int, RowType]], size: Callable[[RowType], int]
) -> Iterator[tuple[list[int], list[RowType]]]:
    """Line numbers and rows in batches that fit into memory; one empty batch where there is nothing."""
    lines: list[int] = []
    waiting: list[RowType] = []
    length, first = 0, True
    for number, row in rows:
        lines.append(number)
        waiting.append(row)
        length += size(row)
        if len(lines) >= BLOCK_LINES or length >= BLOCK_BYTES:
            yield lines, waiting
            lines, waiting, length, first = [], [], 0, False
    if lines or first:
        yield lines, waiting


def framed(lines: Sequence[int], columns: dict[str, Iterable[str | None]]) -> pl.DataFrame:
    """Text columns with the line of each row."""
    numbers = pl.Series(LINE, lines, dtype=pl.Int64)
    return pl.DataFrame([numbers, *(pl.Series(name, list(texts), pl.String) for name, texts in columns.items())])


def named(file: UserFile, layout: Layout, first: Cells, separator: str) -> tuple[list[str], bool]:
    """The names of the columns, and whether the first row is a header that has them."""
    names = [name.strip() for name in first.cells]
    if not layout.headed(names):
        return [str(n) for n in range(1, len(names) + 1)], False
    layout.check_names(file, first.number, names, separator)
    return names, True


def nothing(file: UserFile, layout: Layout) -> pl.DataFrame:
    """A file without a single row, where a caller can do without."""
    if layout.columns or layout.some:
        raise BadInput(f"{file.name}: the file is empty; a header and rows were expected")
    return framed([], {})


def wrong_width(file: UserFile, number: int, cells: int, width: int) -> BadInput:
    told = f"{cells} columns, but the header has {width}; a separator inside a text must be removed or quoted"
    return BadInput.at(file.name, number, told)


def blank_between(file: UserFile, number: int) -> BadInput:
    return BadInput.at(file.name, number, "a blank line between rows; remove it")
