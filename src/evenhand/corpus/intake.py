"""Parallel text on its way to the disk: counted, each pair once, cut into shards.

Duplicates are found by hashes in 256 buckets on the disk; what stays in memory is one bit a line. The order of the text
is kept, and a shard ends where a cluster ends: a document, or a block of lines that stand together.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.corpus.buckets import Buckets, Keys, hashes
from evenhand.mining.shards import write_parquet

BLOCK = 200  # lines of a cluster where the text names no documents
LONGEST = 2_000  # characters of a side; what is longer is no sentence
EMPTY, BROKEN, LONG = "a side is empty", "not UTF-8", f"longer than {LONGEST:,} characters"
REPEATS = "repeats"
_RECORD = np.dtype([("key", "<u8"), ("row", "<u8")])
SPOOL: dict[str, pl.DataType] = {
    "file": pl.Int32(),
    "line": pl.Int64(),
    "cluster": pl.String(),
    "source": pl.String(),
    "rendering": pl.String(),
}


@dataclass(frozen=True)
class Taken:
    """What became of the text: lines, why some are no pairs, pairs that were there before, distinct ones, a hash."""

    lines: int
    bad: dict[str, int]
    repeated: int
    distinct: int
    shards: int
    files: list[str]
    by_file: list[int]
    """Distinct pairs of each file."""
    digest: str


def take_in(
    texts: Iterable[tuple[str, Iterable[pl.DataFrame]]],
    folder: Path,
    *,
    shard_size: int,
    block: int = BLOCK,
    tick: Callable[[int], None] = lambda count: None,
) -> Taken:
    """Write `folder`/NNNNNN.parquet (columns SPOOL): the distinct pairs of named texts in their order.

    Where the other copies of a pair stand (file, line, key) lies in `folder`/REPEATS.
    """
    shutil.rmtree(folder, ignore_errors=True)
    buckets = Buckets(folder / "buckets", _RECORD)
    pairs = _Pairs(buckets)
    files: list[str] = []
    bad: Counter[str] = Counter()
    lines = 0

    def usable() -> Iterator[pl.DataFrame]:
        nonlocal lines
        for name, batches in texts:
            files.append(name)
            for batch in batches:
                lines += batch.height
                tick(batch.height)
                marked = _marked(batch)
                bad.update(dict(marked.drop_nulls("bad")["bad"].value_counts().iter_rows()))
                good = marked.filter(pl.col("bad").is_null())
                pairs.add(good)
                yield _spooled(good, len(files) - 1, block)

    sizes = []
    with buckets:
        for number, table in enumerate(cut(usable(), shard_size)):
            write_parquet(table, folder / f"{number:06d}.parquet")
            sizes.append(table.height)
        again = pairs.repeated()
    distinct = np.zeros(len(files), dtype=np.int64)
    start = repeated = 0
    for number, size in enumerate(sizes):
        path, fresh = folder / f"{number:06d}.parquet", ~_bits(again, start, size)
        table = pl.read_parquet(path)
        if not fresh.all():
            (folder / REPEATS).mkdir(exist_ok=True)
            write_parquet(_keyed(table.filter(pl.Series(~fresh))), folder / REPEATS / path.name)
            table = table.filter(pl.Series(fresh))
            write_parquet(table, path)
        distinct += np.bincount(table["file"].to_numpy(), minlength=len(files))
        start, repeated = start + size, repeated + size - int(fresh.sum())
    counts = dict(sorted(bad.items()))
    return Taken(lines, counts, repeated, start - repeated, len(sizes), files, distinct.tolist(), pairs.digest(counts))


def _marked(batch: pl.DataFrame) -> pl.DataFrame:
    """Blanks around the sides taken away, and why a line is no pair in `bad`."""
    sides = pl.col("source", "rendering")
    trimmed = batch.with_columns(sides.fill_null("").str.strip_chars())
    bad = (
        pl.when(pl.any_horizontal(sides == ""))
        .then(pl.lit(EMPTY))
        .when(pl.any_horizontal(sides.str.contains("\ufffd", literal=True)))
        .then(pl.lit(BROKEN))
        .when(pl.any_horizontal(sides.str.len_bytes() > LONGEST) & pl.any_horizontal(sides.str.len_chars() > LONGEST))
        .then(pl.lit(LONG))
    )
    return trimmed.with_columns(bad=bad)


def _spooled(pairs: pl.DataFrame, file: int, block: int) -> pl.DataFrame:
    blocks = ((pl.col("line") - 1) // block).cast(pl.String)
    cluster = pl.concat_str(pl.lit(f"{file}/"), pl.coalesce("=" + pl.col("document"), blocks))
    return pairs.select(pl.lit(file, pl.Int32).alias("file"), "line", cluster.alias("cluster"), "source", "rendering")


def cut(tables: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """Tables of about `size` rows that do not part a cluster, unless it alone is larger."""
    waiting = pl.DataFrame(schema=SPOOL)
    for table in tables:
        waiting = pl.concat([waiting, table])
        while waiting.height > size:
            end, clusters = size, waiting["cluster"]
            while end and clusters[end] == clusters[end - 1]:
                end -= 1
            yield waiting.head(end or size)
            waiting = waiting.slice(end or size)
    if waiting.height:
        yield waiting


def pair_keys(pairs: pl.DataFrame) -> Keys:
    """A number for each pair (source, rendering) that equal pairs share."""
    texts = pairs.select(pl.concat_str("source", pl.lit("\t"), "rendering"))["source"].to_list()
    return np.frombuffer(hashes(texts), dtype="<u8")


def _keyed(pairs: pl.DataFrame) -> pl.DataFrame:
    return pairs.select("file", "line").with_columns(key=pl.Series(pair_keys(pairs)))


class _Pairs:
    """Hashes of pairs with their numbers, on the disk; then a bit for every pair."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets
        self._rows, self._digest = 0, hashlib.sha256()

    def add(self, pairs: pl.DataFrame) -> None:
        keys = pair_keys(pairs)
        self._digest.update(keys.tobytes())
        records = np.empty(pairs.height, dtype=_RECORD)
        records["key"] = keys
        records["row"] = np.arange(self._rows, self._rows + pairs.height)
        self._rows += pairs.height
        self._buckets.add(records, records["key"])

    def repeated(self) -> npt.NDArray[np.uint8]:
        """A bit for every pair, eight to a byte and the lowest first: whether it was there before."""
        again = np.zeros(-(-self._rows // 8), dtype=np.uint8)
        for records in self._buckets:
            ordered = records[np.argsort(records["key"], kind="stable")]  # the first comes first
            rows = ordered["row"][1:][ordered["key"][1:] == ordered["key"][:-1]]
            np.bitwise_or.at(again, rows >> 3, np.uint8(1) << (rows & 7).astype(np.uint8))
        return again

    def digest(self, counts: dict[str, int]) -> str:
        self._digest.update(repr(counts).encode())
        return self._digest.hexdigest()[:16]


def _bits(packed: npt.NDArray[np.uint8], start: int, count: int) -> npt.NDArray[np.bool_]:
    """`count` bits from number `start` on."""
    some = np.unpackbits(packed[start // 8 : (start + count + 7) // 8], bitorder="little")
    return some[start % 8 : start % 8 + count].astype(np.bool_)
