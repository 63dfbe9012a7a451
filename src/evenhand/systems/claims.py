"""Who is asking what: processes that share a memory do not pay twice for one question.

A process claims questions before it asks them; another one leaves them alone until they are answered, or until the
claim is void: its process ended (the operating system then frees the lock on its own small file), or it has held the
claim for longer than any call may take. Claims are a courtesy, not a promise: where they cannot be written nobody
waits, and the memory still keeps the first answer only. They lie beside the memory, in a file that may be deleted when
nobody is asking.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from evenhand.systems.memory import writing

LONGEST_SECONDS = 900.0
"""After this a claim is void though its process lives: it may have been stopped, or hang."""
_BUSY_SECONDS = 10.0


class Claims:
    """The claims of one run on the memory at `path`. Use `close`, which gives back what is still held."""

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(f"{path.name}-claims")
        self._owner = secrets.token_hex(8)
        self._turn = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._alive: sqlite3.Connection | None = None

    def take(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that are now ours to ask; the others are being asked by somebody else."""
        wanted = list(keys)
        with self._turn:
            try:
                return self._take(wanted)
            except (sqlite3.Error, OSError):
                return set(wanted)

    def release(self, keys: Iterable[bytes]) -> None:
        """Give back what has been answered, or will not be asked."""
        with self._turn, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                with writing(self._connection):
                    rows = [(key, self._owner) for key in keys]
                    self._connection.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", rows)

    def close(self) -> None:
        with self._turn, contextlib.suppress(sqlite3.Error, OSError):
            if self._connection is not None:
                self._forget(self._connection, self._owner)
                self._connection.close()
            if self._alive is not None:
                self._alive.close()
                self._lock_file(self._owner).unlink(missing_ok=True)
            self._connection = self._alive = None

    def _take(self, wanted: list[bytes]) -> set[bytes]:
        connection = self._connection = self._connection or self._open()
        others = connection.execute("SELECT DISTINCT owner FROM claims WHERE owner <> ?", (self._owner,)).fetchall()
        for (owner,) in others:
            if not self._lives(owner):
                self._forget(connection, owner)
                self._lock_file(owner).unlink(missing_ok=True)
        now = time.time()
        with writing(connection):
            connection.execute("DELETE FROM claims WHERE since < ?", (now - LONGEST_SECONDS,))
            rows = [(key, self._owner, now) for key in wanted]
            connection.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", rows)
            ours = connection.execute("SELECT key FROM claims WHERE owner = ?", (self._owner,)).fetchall()
        return {key for (key,) in ours}.intersection(wanted)

    def _forget(self, connection: sqlite3.Connection, owner: str) -> None:
        with writing(connection):
            connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))

    def _open(self) -> sqlite3.Connection:
        # the lock first: a claim without a living owner would be void at once
        self._alive = self._alive or _locked(self._lock_file(self._owner))
        try:
            return _claims_file(self._file)
        except sqlite3.DatabaseError as error:
            if "malformed" not in str(error) and "not a database" not in str(error):
                raise
            # after a power cut: nothing in it is worth keeping
            for end in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)
            return _claims_file(self._file)

    def _lock_file(self, owner: str) -> Path:
        return self._file.with_name(f"{self._file.name}-{owner}")

    def _lives(self, owner: str) -> bool:
        file = self._lock_file(owner)
        if not owner.isalnum() or not file.exists():
            return False
        try:
            _locked(file).close()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        return False


def _locked(file: Path) -> sqlite3.Connection:
    """SQLite's own exclusive lock on an empty file: freed by the operating system when its process ends."""
    connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _claims_file(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")  # a claim that a power cut takes away has done its work
        connection.execute(
            "CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, owner TEXT NOT NULL, since REAL NOT NULL)"
        )
    except sqlite3.Error:
        connection.close()
        raise
    return connection
