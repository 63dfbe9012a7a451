"""A text per line (the column `text`; an empty line is an empty text), or a pair, `source ||| target` (the columns
`source` and `rendering`, without an id)."""

from collections.abc import Iterable, Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import batched, framed
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile

SEPARATOR = "|||"


def pairs(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
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


def texts(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # there is one column
    for first, texts in file.blocks():
        yield framed(range(first, first + len(texts)), {"text": texts})


FORMATS = (
    Format("pairs", (), "pairs", pairs, fits),
    Format("lines", (".txt", ".text"), "texts", texts),
)
