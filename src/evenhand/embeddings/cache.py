"""The memory-mapped copy of a vector file: matrix.npy, words.txt, notes.json, in a folder named by content.

The key is a hash of the file's bytes and of the reading options. So that a later load need not read the file again,
a small index remembers which hash a file had at a given size, modification time, change time and inode; anything that
touches the file changes one of them. Nothing is pickled. Writes go to a temporary folder and are renamed, so a reader
never sees half a cache, and two writers can race.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.embeddings.notes import Notes
from evenhand.embeddings.vectors import Matrix
from evenhand.errors import BadInput
from evenhand.storage.atomic import write_text

LAYOUT = "1"  # part of every key: raise it when reading changes


def cache_home() -> Path:
    """$EVENHAND_CACHE, else $XDG_CACHE_HOME/evenhand, else ~/.cache/evenhand."""
    if given := os.environ.get("EVENHAND_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "evenhand"


@dataclass(frozen=True)
class VectorCache:
    """Where parsed vectors are kept. A folder that cannot be written is no error: loading is then just slower."""

    home: Path

    @classmethod
    def default(cls) -> VectorCache:
        return cls(cache_home() / "vectors")

    def key(self, path: Path, options: str) -> str:
        """Content hash and options; the hash is looked up by the file's status first."""
        status = path.stat()
        mark = f"{path.resolve()}|{status.st_size}|{status.st_mtime_ns}|{status.st_ctime_ns}|{status.st_ino}"
        remembered = self.home / "index" / hashlib.sha256(mark.encode()).hexdigest()
        try:
            content = remembered.read_text(encoding="ascii")
        except OSError:
            content = ""
        if len(content) != 64:
            content = file_hash(path)
            with contextlib.suppress(BadInput):
                write_text(remembered, content)
        return f"{content[:40]}-{hashlib.sha256(f'{LAYOUT}|{options}'.encode()).hexdigest()[:12]}"

    def read(self, key: str) -> tuple[list[str], Matrix, Notes] | None:
        """The cached vectors, memory-mapped; None when there are none or they are damaged."""
        folder = self.home / key
        try:
            matrix = np.load(folder / "matrix.npy", mmap_mode="r", allow_pickle=False)
            words = (folder / "words.txt").read_bytes().decode("utf-8").split("\n")
            notes = Notes.from_json((folder / "notes.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if matrix.ndim != 2 or matrix.dtype != np.float32 or len(words) != len(matrix):
            return None
        return words, matrix, notes

    def write(self, key: str, words: list[str], matrix: Matrix, notes: Notes) -> None:
        """Keep the vectors; silently not when the cache cannot be written or a word holds a line break."""
        text = "\n".join(words)
        if text.count("\n") != len(words) - 1:
            return
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=self.home))
        except OSError:
            return
        try:
            with (temporary / "matrix.npy").open("wb") as stream:
                np.save(stream, matrix, allow_pickle=False)
            (temporary / "words.txt").write_bytes(text.encode("utf-8"))
            (temporary / "notes.json").write_text(notes.to_json(), encoding="utf-8")
            target = self.home / key
            if target.exists():  # damaged (read() refused it) or written meanwhile by another process
                shutil.rmtree(target, ignore_errors=True)
            temporary.rename(target)
        except OSError:
            shutil.rmtree(temporary, ignore_errors=True)


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
