"""TSV: one header, one tab between cells, no quoting and no escaping (a quote is a character)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from evenhand.readers.cells import Cells, tabulated
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    rows = (Cells(number, text.split("\t")) for number, text in file.lines())
    return tabulated(file, layout, rows, "\t")


def fits(lines: Iterable[str]) -> bool:
    """The first line is a header with an id in front of something else."""
    return "id" in next(iter(lines), "").split("\t")[:-1]


FORMAT = Format("tsv", (".tsv",), "columns", batches, fits)
