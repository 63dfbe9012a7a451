"""Plain text: one text a line, in the column `text`; an empty line is an empty text."""

from collections.abc import Iterator

import polars as pl

from evenhand.readers.cells import framed
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # there is one column
    for first, texts in file.blocks():
        yield framed(range(first, first + len(texts)), {"text": texts})


FORMATS = (Format("lines", (".txt", ".text"), "texts", batches),)
