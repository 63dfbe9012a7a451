"""Plain text: one text a line, in the column `text`; an empty line is an empty text."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from evenhand.readers.cells import framed
from evenhand.readers.layout import Format, Layout
from evenhand.readers.opening import UserFile


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # there is one column
    for first, texts in file.blocks():
        yield framed(range(first, first + len(texts)), {"text": texts})


FORMAT = Format("lines", (".txt", ".text"), "texts", batches)
