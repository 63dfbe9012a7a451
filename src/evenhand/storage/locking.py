"""One writer at a time, on every platform: SQLite's own lock on an empty file beside what is written, which the
operating system frees when its holder dies."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from evenhand.errors import BadInput

PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.005  # SQLite's own wait grows to 0.1 s and misses the short gaps a busy writer leaves


def locked(file: Path) -> sqlite3.Connection | None:
    """SQLite's exclusive lock on an empty file until the connection is closed; None where another process has it."""
    connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return None
        raise
    return connection


@contextmanager
def one_writer(place: Path, *, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold a file or folder for writing until the block ends; others wait for up to a minute. `.NAME.lock` beside it
    stays, empty: deleting it would let a third writer pass one that waits."""
    real = place.resolve()
    path = real.with_name(f".{real.name}.lock")
    deadline = time.monotonic() + patience
    try:
        while (connection := locked(path)) is None:
            if time.monotonic() > deadline:
                since = f"has held it for {patience:g} seconds" if patience else "is writing it"
                why = f"another process {since}; wait for it"
                raise BadInput(f"{place}: cannot be written ({why}). Nothing was written.")
            time.sleep(LOOK_SECONDS)
    except sqlite3.Error as error:
        raise BadInput(f"{place}: cannot be written ({error}). Nothing was written.") from error
    with closing(connection):
        yield
