"""Records on the disk, grouped by their key: equal keys come into memory together, a bounded part at a time."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

BUCKETS = 256  # open files per level
LARGEST = 2_000_000  # records of a bucket in memory; a larger one is split again

Keys = npt.NDArray[np.uint64]
Records = npt.NDArray[np.void]


def hashes(texts: Iterable[str], order: str = "<") -> Keys:
    """64 bits per text. Among 10^8 texts any two collide with probability 1 in 3,700; of 10^10, three pairs collide."""
    digests = b"".join([hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts])
    return np.frombuffer(digests, dtype=f"{order}u8").astype(np.uint64)


class Buckets:
    """Records in `count` files of a folder that exists as long as the `with` block; their first field is the key."""

    def __init__(
        self, folder: Path, record: np.dtype[np.void], *, count: int = BUCKETS, largest: int = LARGEST, divisor: int = 1
    ) -> None:
        self._folder, self._record, self._count, self._divisor = folder, record, count, divisor
        self._key = (record.names or ("",))[0]
        self._most = largest * record.itemsize
        self._open = ExitStack()

    def __enter__(self) -> Buckets:
        shutil.rmtree(self._folder, ignore_errors=True)  # of a run that was killed
        self._folder.mkdir(parents=True)
        paths = [self._folder / f"{number:03d}" for number in range(self._count)]
        self._files = [self._open.enter_context(path.open("w+b")) for path in paths]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        shutil.rmtree(self._folder, ignore_errors=True)

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
