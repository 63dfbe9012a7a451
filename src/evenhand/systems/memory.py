"""The translation memory: every answer ever paid for, in one SQLite file that survives `kill -9`.

A row's key is a hash of fingerprint + languages + context + sample number (+ probe id for systems that answer by id) +
text (+ the rendering to score; a score is kept as text). The first answer to a question wins, also between processes
that share the file. Errors are never stored, nor is what a check of the caller's finds to be no rendering; a refusal
that the service marks as one is an answer and is stored. Each row keeps its date, the question and the answer in plain
text, so that the file can be read with any SQLite client.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from evenhand.errors import BadInput
from evenhand.systems.protocol import Answer, Request, unbroken

# The memory's file: its format, how an older one becomes a current one, and how damage is detected.
# A file is ours by its application id; files of 0.1 and 0.2, which have none, by their only table. Every row has a
# checksum over what is read from it, so that a flipped bit on the disk is an answer to ask for again and not a wrong
# one.

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
    "checked": "INTEGER",  # 1 where the answer was found to be a rendering, NULL where it was not checked
    "checksum": "BLOB",  # 8 bytes over SUMMED
}
SUMMED = ("key", "answer", "alternatives", "refusal", "asked_at", "version", "checked")
_NULL = b"\0-"
_FIRST = [*list(COLUMNS)[:10], "date"]

SqlValue = bytes | str | int | float | None


def checksum(*values: SqlValue) -> bytes:
    """A checksum of the values, 8 bytes: against damage, not against forgers."""
    parts = [
        value if isinstance(value, bytes) else _NULL if value is None else str(value).encode("utf-8", "surrogatepass")
        for value in values
    ]
    return blake2b(b"\0".join(parts), digest_size=8).digest()


def opened(path: Path) -> sqlite3.Connection:
    """A connection to a current memory, which gives texts as bytes: made where there is none, an older one brought up
    to date."""
    with explained(path):
        # it holds texts: a new one is its owner's alone; SQLite's other files follow it
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
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
            _keep_journal(connection)
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


def _keep_journal(connection: sqlite3.Connection) -> None:
    """Write ahead. SQLite does not wait for another process that is just changing the same, so we do."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _is_current(connection: sqlite3.Connection, path: Path) -> bool:
    """True for a memory of this format, False for a new file or an older memory; an error for anything else."""
    application, version = (_pragma(connection, name) for name in ("application_id", "user_version"))
    if application == APPLICATION:
        if version > VERSION:
            newer = f"has format {version}, this Evenhand knows {VERSION}"
            raise BadInput(f"the translation memory {path} {newer}: upgrade Evenhand or name another file")
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
    """Delete those of the rows that were not checked, or whose checksum is wrong, inside a transaction of the caller's.
    Where there is damage, the index may have it."""
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
            "disk is full": "free some space and start again: earlier answers are kept",
            "readonly": "the file or its folder may not be written",
            "unable to open": "the folder may not be written, or the path is a folder",
            "not a database": "the file is something else; name another one",
            "malformed": "the file is damaged; move it away, or recover it with `sqlite3 FILE .recover`",
            "locked": "another process has held it for a minute",
        }
        hint = next((h for words, h in hints.items() if words in str(error)), "")
        raise BadInput(f"the translation memory {path}: {error}{': ' + hint if hint else ''}") from error


Keeps: TypeAlias = Callable[[str, str], bool]
"""Whether an answer (second) is a rendering of a text (first) at all and worth remembering."""

_READ = (*SUMMED, "checksum", "iif(checked, NULL, text)")
_WRITTEN = (*SUMMED, "fingerprint", "source", "target", "context", "sample", "text", "checksum")
_INSERT = (
    f"INSERT INTO answers ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))}) ON CONFLICT DO NOTHING"
)


def key_of(request: Request, fingerprint: str, *, by_probe: bool = False) -> bytes:
    """A hash of the whole question, 16 bytes. Free parts are preceded by their length: no two can run together."""
    context = "-" if request.context is None else f"{len(request.context)}:{request.context}"
    probe = (request.probe or "") if by_probe else ""
    head = f"{fingerprint}\0{request.source}\0{request.target}\0{request.sample}\0{context}\0{len(probe)}:{probe}\0"
    if request.ask is not None or request.wish is not None:  # the keys of plain questions stay what they were
        wish = request.wish or ""
        head += f"ask:{request.ask}\0{len(wish)}:{wish}\0"
    if request.rendering is not None:
        reference = request.reference or ""
        head += f"score:{len(request.rendering)}:{request.rendering}\0{len(reference)}:{reference}\0"
    return blake2b((head + request.text).encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Memory(contextlib.AbstractContextManager["Memory"]):
    """A translation memory at `path` (made when absent). Its threads take turns.

    Several processes may open the same file: readers never wait, writers wait for each other up to a minute. `damaged`
    are the keys of rows whose checksum was found to be wrong: they count as not there and are replaced when answered.
    So do answers that were given before `since` (UTC, in ISO's form).
    """

    def __init__(self, path: Path | str, *, since: str | None = None) -> None:
        self.path, self._since = Path(path), since or ""
        self.damaged: set[bytes] = set()
        self._void: set[bytes] = set()  # rows to replace: damaged ones, and those that are no renderings
        self._turn = threading.RLock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"the translation memory {self.path} cannot be made: {error.strerror}") from error
        self._connection = opened(self.path)

    def look_up(self, keys: Sequence[bytes], keeps: Keeps | None = None) -> dict[bytes, Answer]:
        """The answers that are there, by key, in one query. Unchecked ones (of older memories) that `keeps` finds to be
        no rendering count as not there, and are replaced when answered."""
        answers: dict[bytes, Answer] = {}
        if not keys:
            return answers
        with self._turn, explained(self.path):
            cursor = self._connection
            cursor.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (key BLOB PRIMARY KEY) WITHOUT ROWID")
            cursor.execute("BEGIN")
            try:
                cursor.execute("DELETE FROM wanted")
                # sorted, so that both trees are walked once from left to right
                cursor.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", ((key,) for key in sorted(set(keys))))
                for row in cursor.execute(f"SELECT {', '.join(_READ)} FROM wanted CROSS JOIN answers USING (key)"):
                    answer = _answer(row)
                    if answer is None:
                        self.damaged.add(row[0])
                        self._void.add(row[0])
                    elif (answer.asked_at or "") < self._since:
                        continue
                    elif row[6] or keeps is None or answer.refusal is not None or keeps(_text(row[8]), answer.text):
                        answers[row[0]] = answer
                    else:
                        self._void.add(row[0])
            finally:
                cursor.execute("COMMIT")
        return answers

    def store(
        self, rows: Iterable[tuple[bytes, str, Request, Answer]], *, checked: bool = False
    ) -> dict[bytes, Answer]:
        """Commit (key, fingerprint, request, answer) rows in one transaction; `checked`: they are renderings. Returned
        are the answers another process stored first, by key, which count instead of ours."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        listed = list(rows)
        values = [_row(*row, now, checked=checked) for row in listed]
        with self._turn, explained(self.path):
            with writing(self._connection):
                void = [row[0] for row in listed if row[0] in self._void]
                if void:
                    remove_void(self._connection, void, damaged=not self.damaged.isdisjoint(void))
                if self._since:
                    outdated = [(row[0], self._since) for row in listed]
                    self._connection.executemany("DELETE FROM answers WHERE key = ? AND asked_at < ?", outdated)
                before = self._connection.total_changes
                self._connection.executemany(_INSERT, values)
                complete = self._connection.total_changes - before == len(values)
            self._void.difference_update(void)
            return {} if complete else self.look_up([row[0] for row in listed])

    def __len__(self) -> int:
        with self._turn, explained(self.path):
            return int(self._connection.execute("SELECT count(*) FROM answers").fetchone()[0])

    def close(self) -> None:
        self._connection.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _answer(row: Sequence[SqlValue]) -> Answer | None:
    """The answer of a row, or None where the row is damaged."""
    if row[len(SUMMED)] != checksum(*row[: len(SUMMED)]):
        return None
    _, text, alternatives, refusal, asked_at, version, _ = row[: len(SUMMED)]
    try:
        others = json.loads(_text(alternatives)) if alternatives else []
    except (ValueError, RecursionError):
        return None
    if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
        return None
    why = None if refusal is None else _text(refusal)
    return Answer(_text(text), tuple(others), why, None if version is None else _text(version), _text(asked_at))


def _text(value: SqlValue) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _row(key: bytes, fingerprint: str, request: Request, answer: Answer, now: str, *, checked: bool) -> list[SqlValue]:
    """The values of _WRITTEN."""
    others = json.dumps(answer.alternatives, ensure_ascii=False) if answer.alternatives else None
    summed = (key, answer.text, others, answer.refusal, answer.asked_at or now, answer.version, 1 if checked else None)
    context = None if request.context is None else unbroken(request.context)
    question = (fingerprint, request.source, request.target, context, request.sample, unbroken(request.text))
    return [*summed, *question, checksum(*summed)]
