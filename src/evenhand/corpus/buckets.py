"""Records on the disk by a key of theirs: those that belong together come into memory together, a part at a time."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

BUCKETS = 256  # open files at a time, at most

Keys = npt.NDArray[np.uint64]
Records = npt.NDArray[np.void]


def hashes(texts: Iterable[str]) -> bytes:
    """Eight bytes for each text. That any two of 100 million agree by chance has a probability of 1 in 3,700."""
    return b"".join([hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts])


class Buckets:
    """Records of one kind in `count` files of a folder, which is there as long as the `with` block lasts."""

    def __init__(self, folder: Path, record: np.dtype[np.void], count: int = BUCKETS) -> None:
        self._folder, self._record, self._count = folder, record, count
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

    def add(self, records: Records, keys: Keys) -> None:
        """Put every record to the others with the same key."""
        places = (keys % np.uint64(self._count)).astype(np.int64)
        order = np.argsort(places, kind="stable")
        ends = np.cumsum(np.bincount(places, minlength=self._count))
        for file, some in zip(self._files, np.split(records[order], ends[:-1]), strict=True):
            file.write(some.tobytes())

    def __iter__(self) -> Iterator[Records]:
        """Bucket after bucket; within one the order in which records came."""
        for file in self._files:
            file.seek(0)
            yield np.frombuffer(file.read(), dtype=self._record)
