"""TSV: one header, one tab between cells, no quoting and no escaping (a quote is a character); cut in columns."""

from collections.abc import Iterable, Iterator

import polars as pl

from evenhand.readers.cells import Cells, blank_between, framed, named, nothing, wrong_width
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Layout
from evenhand.readers.opening import UserFile

_TEXT = pl.col("text")
_NOTE = _TEXT.str.starts_with("# ") | (_TEXT.str.starts_with("#") & ~_TEXT.str.contains("\t", literal=True))
_BLANK = _TEXT.str.strip_chars() == ""
_WIDTH = _TEXT.str.count_matches("\t", literal=True) + 1


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    """A blank line between rows, or a row of another width, is an error with its line."""
    header: list[str] = []
    blank = 0  # the first of the blank lines after the last row
    for first, texts in file.blocks():
        block = framed(range(first, first + len(texts)), {"text": texts})
        if not header:
            usable = block.filter(~_BLANK if layout.notes == "nowhere" else ~(_BLANK | _NOTE))
            if usable.is_empty():
                continue
            number, text = usable.row(0)
            header, headed = named(file, layout, Cells(number, text.split("\t")), "\t")
            block = block.filter(pl.col(LINE) >= number + headed)
        if layout.notes == "anywhere":
            block = block.filter(~_NOTE)
        rows, blanks = block.filter(~_BLANK), block.filter(_BLANK)[LINE].to_list()
        if not layout.gaps:
            last = rows[LINE][-1] if rows.height else 0
            between = blank if blank and last else next((line for line in blanks if line < last), 0)
            if between:
                raise blank_between(file, between)
            blank = blank or next(iter(blanks), 0)
        yield _cut(file, layout, rows, header)
    if not header:
        yield nothing(file, layout)


def _cut(file: UserFile, layout: Layout, rows: pl.DataFrame, header: list[str]) -> pl.DataFrame:
    wrong = rows.filter(len(header) != _WIDTH)
    if wrong.height and not layout.ragged:
        number, text = wrong.row(0)
        raise wrong_width(file, number, text.count("\t") + 1, len(header))
    cells = _TEXT.str.split_exact("\t", len(header) - 1).struct.rename_fields(header)
    return rows.select(LINE, cells).unnest("text").with_columns(pl.col(pl.String).fill_null(""))


def fits(lines: Iterable[str]) -> bool:
    """The first line is a header with an id in front of something else."""
    return "id" in next(iter(lines), "").split("\t")[:-1]


FORMATS = (Format("tsv", (".tsv",), "columns", batches, fits),)
