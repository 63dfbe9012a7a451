"""The memory's file: its format, how an older one becomes a current one, and how damage is told.

A file is ours by its application id; files of 0.1 and 0.2, which have none, by their only table. Every row has a
checksum over what is read from it, so that a flipped bit on the disk is an answer to ask for again and not a wrong one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from evenhand.errors import BadInput

APPLICATION = 0x45766E68  # "Evnh", in the file's header
VERSION = 2
BUSY_SECONDS = 60.0
# Rows are appended and only the narrow index of keys is written at random places; with the rows themselves in key order
# (WITHOUT ROWID) a commit rewrites a page for almost every row once the file is large.
CHECKPOINT_PAGES = 16_000

COLUMNS = {
    "key": "BLOB PRIMARY KEY",  # 16 bytes, see key_of
    "fingerprint": "TEXT NOT NULL",
    "source": "TEXT NOT NULL",
    "target": "TEXT NOT NULL",
    "context": "TEXT",
    "sample": "INTEGER NOT NULL",
    "text": "TEXT NOT NULL",
    "answer": "TEXT NOT NULL",
    "alternatives": "TEXT",  # a JSON list, or NULL
    "refusal": "TEXT",
    "asked_at": "TEXT NOT NULL",  # UTC, when the answer came
    "version": "TEXT",  # what the system called itself then, or NULL
    "checked": "INTEGER",  # 1 where the answer was found to be a rendering, NULL where nobody looked
    "checksum": "BLOB",  # 8 bytes over SUMMED
}
SUMMED = ("key", "answer", "alternatives", "refusal", "asked_at", "version", "checked")
_NULL = b"\0-"
_FIRST = [*list(COLUMNS)[:10], "date"]

Value = bytes | str | int | float | None


def checksum(*values: Value) -> bytes:
    """8 bytes that stand for the values: against damage, not against forgers."""
    parts = [
        value if isinstance(value, bytes) else _NULL if value is None else str(value).encode("utf-8", "surrogatepass")
        for value in values
    ]
    return blake2b(b"\0".join(parts), digest_size=8).digest()


def opened(path: Path) -> sqlite3.Connection:
    """A connection to a current memory: made where there is none, brought up to date where it is an older one.

    It gives texts as bytes.
    """
    with explained(path):
        # autocommit mode: transactions are ours to begin and end; the dispatcher's writer thread uses it too
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            # in one transaction: another process may make the memory between two questions
            connection.execute("BEGIN")
            try:
                current = _is_current(connection, path)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            connection.execute("PRAGMA temp_store = MEMORY")
            if not current:
                with writing(connection):
                    _bring_up_to_date(connection, path)
            # texts as they lie there: a broken letter is found by the checksum, an exception would hide all other rows
            connection.text_factory = bytes
        except BaseException:
            connection.close()
            raise
    return connection


def _is_current(connection: sqlite3.Connection, path: Path) -> bool:
    """True for a memory of this format, False for a new file or an older memory; an error for anything else."""
    application, version = (_pragma(connection, name) for name in ("application_id", "user_version"))
    if application == APPLICATION:
        if version > VERSION:
            raise BadInput(
                f"the translation memory {path} has format {version}, this Evenhand knows {VERSION}: "
                "upgrade Evenhand or name another file"
            )
        return version == VERSION
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    columns = [row[1] for row in connection.execute("PRAGMA table_info(answers)")] if tables == ["answers"] else []
    new = not tables and version == 0
    if application or not (new or (version == 1 and columns == _FIRST)):
        raise BadInput(f"{path} is a database of another program, not a translation memory; name another file")
    return False


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """In one transaction, so that a process that dies, or another one that is as quick, leaves one whole memory."""
    if _is_current(connection, path):
        return
    if _pragma(connection, "user_version") == 1:
        connection.execute("ALTER TABLE answers RENAME COLUMN date TO asked_at")
        for added in ("version", "checked", "checksum"):
            connection.execute(f"ALTER TABLE answers ADD COLUMN {added} {COLUMNS[added]}")
        connection.create_function("row_checksum", len(SUMMED), checksum, deterministic=True)
        raw = ", ".join(f"CAST({name} AS BLOB)" for name in SUMMED)
        connection.execute(f"UPDATE answers SET checksum = row_checksum({raw})")
    else:
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        connection.execute(f"CREATE TABLE answers ({columns})")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def remove_void(connection: sqlite3.Connection, keys: Sequence[bytes], *, damaged: bool) -> None:
    """Delete those of the rows that nobody checked, or whose checksum is wrong, inside a transaction of the caller's.

    Another process may have put a good row in the place of one. Where there is damage, the index may have it.
    """
    if damaged:
        connection.execute("REINDEX answers")
    for key in keys:
        row = connection.execute(f"SELECT {', '.join(SUMMED)}, checksum FROM answers WHERE key = ?", (key,)).fetchone()
        if row is not None and (checksum(*row[:-1]) != row[-1] or not row[-2]):
            connection.execute("DELETE FROM answers WHERE key = ?", (key,))


@contextlib.contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A write transaction: taken at once (IMMEDIATE), so that waiting for another process comes first."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """SQLite's errors as one line that names the file and says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        hints = {
            "disk is full": "make room and start again: what was answered before is kept",
            "readonly": "the file or its folder may not be written",
            "unable to open": "the folder may not be written, or the path is a folder",
            "not a database": "the file is something else; name another one",
            "malformed": "the file is damaged; move it away, or recover it with `sqlite3 FILE .recover`",
            "locked": "another process has held it for a minute",
        }
        hint = next((h for words, h in hints.items() if words in str(error)), "")
        raise BadInput(f"the translation memory {path}: {error}{': ' + hint if hint else ''}") from error
