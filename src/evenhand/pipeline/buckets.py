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
LARGEST = 32 << 20  # bytes of a bucket in memory; a larger one is split again

Keys = npt.NDArray[np.uint64]
Records = npt.NDArray[np.void]


def hashes(texts: Iterable[str], order: str = "<") -> Keys:
    """64 bits per text. Among 10^8 texts any two collide with probability 1 in 3,700; of 10^10, three pairs collide."""
    digests = b"".join([hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts])
    return np.frombuffer(digests, dtype=f"{order}u8").astype(np.uint64)


class Buckets:
    """Records in `count` files of a folder that exists as long as the `with` block; their first field is the key."""

    def __init__(self, folder: Path, record: np.dtype[np.void], count: int = BUCKETS, *, divisor: int = 1) -> None:
        self._folder, self._record, self._count, self._divisor = folder, record, count, divisor
        self._key = (record.names or ("",))[0]
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
        step = LARGEST // self._record.itemsize * self._record.itemsize
        for file in self._files:
            size, _ = file.tell(), file.seek(0)
            if size <= step or self._divisor >= BUCKETS**4:
                yield np.frombuffer(file.read(), dtype=self._record)
                continue
            finer = min(BUCKETS, 2 * size // step + 1)
            with Buckets(self._folder / "split", self._record, finer, divisor=self._divisor * self._count) as split:
                while chunk := file.read(step):
                    split.add(np.frombuffer(chunk, dtype=self._record))
                yield from split
