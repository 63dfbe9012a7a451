"""Parquet, row group by row group; a row's line is its number in the file."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Layout, check_names
from evenhand.readers.opening import UserFile

ROWS = 65_536  # at a time


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # a table of its own types
    try:
        table = pl.scan_parquet(file.plain or io.BytesIO(file.content()))
        check_names(file, None, table.collect_schema().names())
        raw = next((name for name, kind in table.collect_schema().items() if kind in (pl.Binary, pl.Object)), None)
        if raw is not None:
            raise BadInput(f"{file.name} column {raw}: holds bytes, not text")
        at = 0
        table = table.with_row_index(LINE, offset=1).cast({LINE: pl.Int64})
        while (batch := table.slice(at, ROWS).collect()).height or not at:
            yield batch
            at += ROWS
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise BadInput(f"{file.name}: cannot be read as Parquet ({str(error).splitlines()[0]})") from error


FORMAT = Format("parquet", (".parquet",), "columns", batches)
