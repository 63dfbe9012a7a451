"""Pairs as `source ||| target`, one a line: the columns `source` and `rendering`, without an id."""

from collections.abc import Iterable, Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import batched, framed
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile

SEPARATOR = "|||"


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # the columns are always these two
    for lines, pairs in batched(_pairs(file), lambda pair: len(pair[0]) + len(pair[1])):
        sources, renderings = zip(*pairs, strict=True) if pairs else ((), ())
        yield framed(lines, {"source": sources, "rendering": renderings})


def _pairs(file: UserFile) -> Iterator[tuple[int, tuple[str, str]]]:
    """Blank lines are nothing; a line without the mark is an error."""
    for number, text in file.lines():
        source, mark, rendering = text.partition(SEPARATOR)
        if mark:
            yield number, (source.strip(), rendering.strip())
        elif text.strip():
            raise BadInput.at(file.name, number, f"there is no {SEPARATOR!r} between source and translation")


def fits(lines: Iterable[str]) -> bool:
    """Every line that is not blank has the mark."""
    marked = [SEPARATOR in text for text in lines if text.strip()]
    return bool(marked) and all(marked)


FORMATS = (Format("pairs", (), "pairs", batches, fits),)
