"""One writer at a time, on every platform.

The lock is SQLite's own on an empty file beside what is written: it works wherever Python does (no fcntl, no msvcrt),
the operating system frees it when its holder dies, and the folder itself can be renamed while it is held.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from evenhand.errors import BadInput

PATIENCE_SECONDS = 60.0


@contextmanager
def one_writer(place: Path, *, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold a file or folder for writing until the block ends; other processes and threads wait for up to a minute.

    `.NAME.lock` beside it is left there, empty: deleting it would let a third writer pass one that waits.
    """
    real = place.resolve()
    path = real.with_name(f".{real.name}.lock")
    try:
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    except sqlite3.Error as error:
        raise BadInput(f"{place}: cannot be written ({error}). Nothing was written.") from error
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            why = f"another process has held it for {patience:g} seconds; wait for it" if busy else str(error)
            raise BadInput(f"{place}: cannot be written ({why}). Nothing was written.") from error
        yield
