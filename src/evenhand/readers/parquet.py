"""Parquet, some rows at a time; a row's line is its number in the file. Polars reads a row group's packed bytes for
every part of it; pyarrow (the extra `parquet`) goes page by page, so that memory does not grow with the group."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, require
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Layout, check_names
from evenhand.readers.opening import BLOCK_BYTES, READ, UserFile
from evenhand.storage.tables import MOST_UNPACKED, UNPACKED_FREELY, check_unfolds

ROWS = 65_536  # at a time, or fewer where they are long
SMALL = 64 << 20  # bytes of a file that may be read again for every part


def batches(
    file: UserFile, layout: Layout, *, wanted: Callable[[Sequence[str]], Sequence[str]] = list
) -> Iterator[pl.DataFrame]:
    """The columns `wanted` of all there are; every column where nothing else is said."""
    del layout  # a table of its own types
    try:
        with _on_disk(file) as path:
            check_unfolds(path)
            scan = pl.scan_parquet(path, glob=False)
            check_names(file, None, scan.collect_schema().names())
            table = scan.select(wanted(scan.collect_schema().names()))
            raw = next((name for name, kind in table.collect_schema().items() if kind in (pl.Binary, pl.Object)), None)
            if raw is not None:
                raise BadInput(f"{file.name} column {raw}: holds bytes, not text")
            at, held = 0, 0
            most = max(UNPACKED_FREELY, MOST_UNPACKED * path.stat().st_size)
            for batch in _parts(path, table):
                held += sum(int(text.str.len_bytes().sum()) for text in batch if text.dtype == pl.String)
                if held > most:
                    raise BadInput(f"{file.name}: its texts unfold to more than {MOST_UNPACKED} times its size")
                lines = pl.int_range(at + 1, at + 1 + batch.height, eager=True).alias(LINE)
                yield batch.insert_column(0, lines)
                at += batch.height
    except (OSError, ValueError, NotImplementedError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise BadInput(f"{file.name}: cannot be read as Parquet ({str(error).splitlines()[0]})") from error


@contextmanager
def _on_disk(file: UserFile) -> Iterator[Path]:
    """The file where it lies, or unpacked beside the system's other temporary files: its end is read first."""
    if file.plain is not None:
        yield file.plain
        return
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        path = Path(folder, "unpacked.parquet")
        with file.opened() as packed, path.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked, READ)
        yield path


def _parts(path: Path, table: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """All rows in their order; one empty part of a table without rows."""
    if path.stat().st_size > SMALL and find_spec("pyarrow") is not None:
        yield from _by_pages(path, table.collect_schema())
        return
    at = 0
    while (part := table.slice(at, ROWS).collect()).height or not at:
        yield part
        at += ROWS


def _by_pages(path: Path, schema: pl.Schema) -> Iterator[pl.DataFrame]:
    parquet = require("pyarrow.parquet", purpose="reading large Parquet files in parts", extra="parquet")
    names, at = schema.names(), 0
    with parquet.ParquetFile(path, buffer_size=READ, pre_buffer=False) as opened:
        longest = 1.0  # bytes of a row, in the mean of the row group with the longest
        for group in map(opened.metadata.row_group, range(opened.metadata.num_row_groups)):
            columns = [
                column for column in group.to_dict()["columns"] if column["path_in_schema"].split(".")[0] in names
            ]
            longest = max(longest, sum(c["total_uncompressed_size"] for c in columns) / max(group.num_rows, 1))
        for batch in opened.iter_batches(
            max(1, min(ROWS, int(BLOCK_BYTES / longest))), columns=names, use_threads=False
        ):
            batch.validate(full=True)  # text must be UTF-8, which polars does not ask of Arrow
            part = pl.DataFrame(batch)
            same = part.schema == schema  # a cast copies the texts
            yield part if same else part.select(pl.col(name).cast(kind) for name, kind in schema.items())
            at += batch.num_rows
    if not at:
        yield pl.DataFrame(schema=schema)


FORMATS = (Format("parquet", (".parquet",), "columns", batches),)
