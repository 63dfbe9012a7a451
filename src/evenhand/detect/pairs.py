"""Reading source and rendering pairs: TSV in constant memory, and where the focus is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl

from evenhand.errors import BadInput

REQUIRED = ("id", "source", "rendering")
BATCH_ROWS = 20_000
BATCH_BYTES = 32 << 20  # rows of a megabyte must not pile up


def read_pairs(path: Path | str, *, needs_focus: bool = True) -> Iterator[pl.DataFrame]:
    """Batches of a PAIRS.tsv ("-" is stdin): id, source, rendering, then focus_start and focus_end or focus, and any
    further columns as they are. UTF-8 with LF and a header, no quoting. A wrong number of columns, bytes that are not
    UTF-8 or a duplicate id is a BadInput that names file and line. For the duplicate check a hash of each id is kept: a
    million rows take about 60 MB.
    """
    if str(path) == "-":
        yield from _batches(sys.stdin.buffer, "stdin", needs_focus)
        return
    try:
        with Path(path).open("rb") as stream:
            yield from _batches(stream, str(path), needs_focus)
    except OSError as error:
        raise BadInput.at(path, None, f"cannot be read: {error.strerror}") from error


def _batches(stream: BinaryIO, name: str, needs_focus: bool) -> Iterator[pl.DataFrame]:
    header = _text(stream.readline(), name, 1).removeprefix("\ufeff").split("\t")
    missing = [column for column in REQUIRED if column not in header]
    if missing:
        raise BadInput.at(name, 1, f"the header lacks {', '.join(missing)}; it has {', '.join(header) or 'nothing'}")
    if len(set(header)) != len(header):
        raise BadInput.at(name, 1, "a column name stands twice in the header")
    if needs_focus and not {"focus_start", "focus_end"} <= set(header) and "focus" not in header:
        raise BadInput.at(name, 1, "the header needs focus_start and focus_end, or focus")
    id_at = header.index("id")
    seen: set[int] = set()
    batch: list[list[str]] = []
    first, size, blank = 2, 0, 0
    for number, raw in enumerate(stream, start=2):
        text = _text(raw, name, number)
        if not text:  # blank lines at the end are nothing, one between rows is a mistake
            blank = blank or number
            continue
        if blank:
            raise BadInput.at(name, blank, "a blank line between rows; remove it")
        values = text.split("\t")
        if len(values) != len(header):
            raise BadInput.at(
                name,
                number,
                f"{len(values)} columns where the header has {len(header)}; a tab inside a text must be removed",
            )
        key = hash(values[id_at])
        if key in seen:
            raise BadInput.at(name, number, f"id {values[id_at]!r} was there before; every row needs its own id")
        seen.add(key)
        batch.append(values)
        size += len(raw)
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield _frame(batch, header, name, first)
            first, size, batch = number + 1, 0, []
    if batch or first == 2:
        yield _frame(batch, header, name, first)


def _text(raw: bytes, name: str, number: int) -> str:
    try:
        return raw.decode("utf-8").rstrip("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise BadInput.at(name, number, f"not UTF-8 (byte {error.start + 1} of the line)") from error


def _frame(batch: list[list[str]], header: list[str], name: str, first: int) -> pl.DataFrame:
    columns = {column: [values[k] for values in batch] for k, column in enumerate(header)}
    data: dict[str, pl.Series] = {}
    for column, values in columns.items():
        if column in {"focus_start", "focus_end"}:
            data[column] = pl.Series(column, _offsets(values, column, name, first), dtype=pl.Int64)
        else:
            data[column] = pl.Series(column, values, dtype=pl.String)
    return resolve_focus(pl.DataFrame(data), name=name, first_line=first)


def _offsets(values: list[str], column: str, name: str, first: int) -> list[int | None]:
    found: list[int | None] = []
    for k, value in enumerate(values):
        if not value:
            found.append(None)
        elif value.isascii() and value.isdigit():
            found.append(int(value))
        else:
            raise BadInput.at(name, first + k, f"{value!r} is not a character offset", column=column)
    return found


def resolve_focus(pairs: pl.DataFrame, *, name: str = "pairs", first_line: int | None = None) -> pl.DataFrame:
    """`pairs` with focus_start and focus_end (code points, end exclusive) on every row that has a focus.

    Offsets must lie inside the source. Without offsets the text in `focus` must occur exactly once as a whole word, or
    else exactly once at all. An empty focus leaves both null. Errors name the row by line, or by id in a plain table.
    """
    n = pairs.height
    blank: list[int | None] = [None] * n
    starts = pairs["focus_start"].to_list() if "focus_start" in pairs.columns else blank
    ends = pairs["focus_end"].to_list() if "focus_end" in pairs.columns else blank
    texts = pairs["focus"].to_list() if "focus" in pairs.columns else [None] * n
    sources, ids = pairs["source"].to_list(), pairs["id"].to_list()
    out: list[tuple[int | None, int | None]] = []
    for k in range(n):
        start, end, text, source = starts[k], ends[k], texts[k], sources[k] or ""
        problem = ""
        if start is not None and end is not None:
            if not 0 <= start < end <= len(source):
                problem = f"the focus {start}-{end} is not inside the source of {len(source)} characters"
        elif text:
            places = _places(source, text)
            if len(places) == 1:
                start, end = places[0], places[0] + len(text)
            else:
                problem = f"the focus {text!r} occurs {len(places)} times in the source; give focus_start and focus_end"
        else:
            start = end = None
        if problem:
            where = None if first_line is None else first_line + k
            raise BadInput.at(name, where, problem if where is not None else f"id {ids[k]!r}: {problem}")
        out.append((start, end))
    return pairs.with_columns(
        pl.Series("focus_start", [start for start, _ in out], dtype=pl.Int64),
        pl.Series("focus_end", [end for _, end in out], dtype=pl.Int64),
    )


def _places(source: str, text: str) -> list[int]:
    everywhere, at = [], source.find(text)
    while at >= 0:
        everywhere.append(at)
        at = source.find(text, at + 1)
    whole = [
        i
        for i in everywhere
        if not (i and source[i - 1].isalnum()) and not source[i + len(text) : i + len(text) + 1].isalnum()
    ]
    return whole or everywhere
