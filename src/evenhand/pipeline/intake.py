"""Text on its way to the disk: rows in their order, each once (64-bit hashes in buckets on the disk), cut into shards,
which end where a `cluster` ends; read again only if it changed."""

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.errors import BadInput
from evenhand.pipeline.shards import Keys, write_parquet
from evenhand.readers.opening import UserFile
from evenhand.storage.atomic import write_text

BUCKETS = 256  # open files per level
LARGEST = 2_000_000  # records of a bucket in memory; a larger one is split again

Records = npt.NDArray[np.void]


class Buckets:
    """Records in `count` files of a folder that exists as long as the `with` block; their first field is the key."""

    def __init__(
        self, folder: Path, record: np.dtype[np.void], *, count: int = BUCKETS, largest: int = LARGEST, divisor: int = 1
    ) -> None:
        self._folder, self._record, self._count, self._divisor = folder, record, count, divisor
        self._key = (record.names or ("",))[0]
        self._most = largest * record.itemsize
        self._open = ExitStack()

    def __enter__(self) -> Self:
        shutil.rmtree(self._folder, ignore_errors=True)  # of a run that was killed
        self._folder.mkdir(parents=True)
        paths = [self._folder / f"{number:03d}" for number in range(self._count)]
        self._open.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self._files = [self._open.enter_context(path.open("w+b")) for path in paths]
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def add(self, records: Records) -> None:
        """Put every record to the others with the same key."""
        places = (records[self._key] // np.uint64(self._divisor) % np.uint64(self._count)).astype(np.int64)
        order = np.argsort(places, kind="stable")
        ends = np.cumsum(np.bincount(places, minlength=self._count))
        for file, some in zip(self._files, np.split(records[order], ends[:-1]), strict=True):
            file.write(some.tobytes())

    def __iter__(self) -> Iterator[Records]:
        """Part after part; all records of a key are in one part, in the order in which they were added."""
        for file in self._files:
            size, _ = file.tell(), file.seek(0)
            if size <= self._most or self._divisor > BUCKETS**4:  # many records of one key cannot be split
                yield np.frombuffer(file.read(), dtype=self._record)
                continue
            finer = Buckets(
                self._folder / "split",
                self._record,
                count=min(BUCKETS, 2 * size // self._most + 1),
                largest=self._most // self._record.itemsize,
                divisor=self._divisor * self._count,
            )
            with finer:
                while chunk := file.read(self._most):
                    finer.add(np.frombuffer(chunk, dtype=self._record))
                yield from finer


PLAN, REPEATS = "plan.json", "repeats"
_RECORD = np.dtype([("key", "<u8"), ("row", "<u8")])

Rows = tuple[int, pl.DataFrame]
"""Lines read, and the rows they gave: `line`, the texts, and `bad`, why a row is left out (null: it is not)."""


@dataclass(frozen=True)
class Taken:
    """What became of the text: lines, why rows were left out, repeated rows, distinct ones, a hash. `by_file` has the
    distinct rows per file, in the order of `files`."""

    lines: int
    bad: dict[str, int]
    repeated: int
    distinct: int
    shards: int
    files: list[str]
    by_file: list[int]
    digest: str
    seconds: float = 0.0


def files_in(given: Path | str, kinds: Sequence[str], *, what: str) -> list[UserFile]:
    """The file behind a path, or those of these kinds in a folder, in order; "-" is standard input."""
    file = UserFile.of(given)
    if file.path is None or file.path.is_file():
        return [file]
    if not file.path.is_dir():
        raise BadInput(f"{file.path}: no such file or folder")
    inside = [UserFile(path) for path in sorted(file.path.rglob("*")) if path.is_file()]
    files = [one for one in inside if one.suffix in kinds]
    if not files:
        raise BadInput(f"{file.path}: no {what} in this folder (kinds: {', '.join(kinds)}, also .gz, .xz, .zst)")
    return files


def take_in(
    texts: Iterable[tuple[str, Iterable[Rows]]],
    folder: Path,
    *,
    size: int,
    keys: Callable[[pl.DataFrame], Keys],
    tick: Callable[[int], None] = lambda count: None,
) -> Taken:
    """Write `folder`/NNNNNN.parquet: the distinct rows (by `keys`) of named texts, in their order, `size` per shard,
    `file` the number of the text; REPEATS lists the other copies (file, line, key)."""
    shutil.rmtree(folder, ignore_errors=True)
    start, lines, rows, files = time.perf_counter(), 0, 0, list[str]()
    bad, digest, sizes = Counter[str](), hashlib.sha256(), list[int]()
    buckets = Buckets(folder / "buckets", _RECORD)

    def usable() -> Iterator[pl.DataFrame]:
        nonlocal lines, rows
        for name, batches in texts:
            files.append(name)
            for count, batch in batches:
                lines += count
                tick(count)
                bad.update(dict(batch.drop_nulls("bad")["bad"].value_counts().iter_rows()))
                good = batch.filter(pl.col("bad").is_null()).drop("bad")
                records = np.empty(good.height, dtype=_RECORD)
                records["key"], records["row"] = keys(good), np.arange(rows, rows + good.height)
                digest.update(records["key"].tobytes())
                buckets.add(records)
                rows += good.height
                yield good.select(pl.lit(len(files) - 1, pl.Int32).alias("file"), pl.all())

    with buckets:
        for number, table in enumerate(_cut(usable(), size)):
            write_parquet(table, folder / f"{number:06d}.parquet")
            sizes.append(table.height)
        repeated = _repeated(buckets, np.memmap(folder / "repeated", np.uint8, "w+", shape=max(1, -(-rows // 8))))
    by_file = _remove(repeated, folder, sizes, len(files), keys)
    del repeated
    (folder / "repeated").unlink()
    left_out, distinct = dict(sorted(bad.items())), sum(by_file)
    digest.update(repr(left_out).encode())
    seconds = round(time.perf_counter() - start, 3)
    return Taken(
        lines, left_out, rows - distinct, distinct, len(sizes), files, by_file, digest.hexdigest()[:16], seconds
    )


def _cut(tables: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """Tables of about `size` rows that do not divide a cluster, unless it alone is larger."""
    waiting: pl.DataFrame | None = None
    for table in tables:
        waiting = table if waiting is None else pl.concat([waiting, table])
        while waiting.height > size:
            end, clusters = size, waiting["cluster"] if "cluster" in waiting.columns else None
            while clusters is not None and end and clusters[end] == clusters[end - 1]:
                end -= 1
            yield waiting.head(end or size)
            waiting = waiting.slice(end or size)
    if waiting is not None and waiting.height:
        yield waiting


def _repeated(buckets: Buckets, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Set a bit, eight to a byte and the lowest first, for every row that repeats an earlier one."""
    for records in buckets:
        ordered = records[np.argsort(records["key"], kind="stable")]  # the first comes first
        rows = ordered["row"][1:][ordered["key"][1:] == ordered["key"][:-1]]
        np.bitwise_or.at(bits, rows >> 3, np.uint8(1) << (rows & 7).astype(np.uint8))
    return bits


def _remove(
    repeated: npt.NDArray[np.uint8],
    folder: Path,
    sizes: Sequence[int],
    files: int,
    keys: Callable[[pl.DataFrame], Keys],
) -> list[int]:
    """Move repeated rows from the shards to REPEATS; the rows that stay, by file."""
    start, by_file = 0, np.zeros(files, dtype=np.int64)
    for number, size in enumerate(sizes):
        path = folder / f"{number:06d}.parquet"
        some = np.unpackbits(repeated[start // 8 : (start + size + 7) // 8], bitorder="little")
        again = pl.Series(some[start % 8 : start % 8 + size].astype(np.bool_))
        table = pl.read_parquet(path, columns=None if again.any() else ["file"])
        if again.any():
            copies, table = table.filter(again), table.filter(~again)
            keyed = copies.select("file", "line").with_columns(key=pl.Series(keys(copies)))
            write_parquet(keyed, folder / REPEATS / path.name)
            write_parquet(table, path)
        by_file += np.bincount(table["file"].to_numpy(), minlength=files)
        start += size
    return [int(count) for count in by_file]


def planned(folder: Path, paths: Iterable[Path | None], cut: Mapping[str, object], read: Callable[[], Taken]) -> Taken:
    """What was read from the same files (by size and time) with the same cut before, else what `read` gives now, as
    always of standard input (None)."""
    stamps = [(str(p), p.stat().st_size, p.stat().st_mtime_ns) if p else None for p in paths]
    plan, question = folder / PLAN, json.dumps([stamps, cut])
    try:
        stored = json.loads(plan.read_text("utf-8"))
        if stored["asked"] == question and None not in stamps:
            return Taken(**stored["intake"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    plan.unlink(missing_ok=True)
    taken = read()
    write_text(plan, json.dumps({"asked": question, "intake": asdict(taken)}, indent=1) + "\n")
    return taken


def stored_intake(folder: Path) -> Taken:
    """What was taken in by the run whose work is in this folder."""
    try:
        return Taken(**json.loads((folder / PLAN).read_text("utf-8"))["intake"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{folder.parent}: no text was read into it, or its work was deleted ({error})") from error
