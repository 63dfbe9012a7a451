"""The translation memory: every answer ever paid for, in one SQLite file that survives `kill -9`.

A row's key is a hash of fingerprint + languages + context + sample number (+ probe id for systems that answer by id)
+ text. The first answer to a question wins, also between processes that share the file. Errors are never stored;
a system's refusal in words is an answer and is stored. Each row keeps its date, the question and the answer in plain
text, so that the file can be read with any SQLite client.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from types import TracebackType

from evenhand.errors import BadInput
from evenhand.systems.protocol import Answer, Request, unbroken

VERSION = 1
BUSY_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key          BLOB PRIMARY KEY,   -- 16 bytes, see key_of
    fingerprint  TEXT NOT NULL,
    source       TEXT NOT NULL,
    target       TEXT NOT NULL,
    context      TEXT,
    sample       INTEGER NOT NULL,
    text         TEXT NOT NULL,
    answer       TEXT NOT NULL,
    alternatives TEXT,               -- a JSON list, or NULL
    refusal      TEXT,
    date         TEXT NOT NULL       -- UTC, when the answer was stored
)
"""
# Rows are appended and only the narrow index of keys is written at random places; with the rows themselves in key order
# (WITHOUT ROWID) a commit rewrites a page for almost every row once the file is large.
CHECKPOINT_PAGES = 16_000


def key_of(request: Request, fingerprint: str, *, by_probe: bool = False) -> bytes:
    """16 bytes that stand for the whole question. Free parts are preceded by their length: no two can run together."""
    context = "-" if request.context is None else f"{len(request.context)}:{request.context}"
    probe = (request.probe or "") if by_probe else ""
    head = f"{fingerprint}\0{request.source}\0{request.target}\0{request.sample}\0{context}\0{len(probe)}:{probe}\0"
    return blake2b((head + request.text).encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Memory:
    """A translation memory at `path` (made when absent). Use one instance in one thread at a time.

    Several processes may open the same file: readers never wait, writers wait for each other up to a minute.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"the translation memory {self.path} cannot be made: {error.strerror}") from error
        with self._explained():
            # autocommit mode: transactions are ours to begin and end; the dispatcher's writer thread uses it too
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            self._connection.execute("PRAGMA temp_store = MEMORY")
            version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
            if version > VERSION:
                raise BadInput(
                    f"the translation memory {self.path} has format {version}, this Evenhand knows {VERSION}: "
                    "upgrade Evenhand or name another file"
                )
            with self._writing():
                self._connection.execute(_SCHEMA)
                self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def look_up(self, keys: Sequence[bytes]) -> dict[bytes, Answer]:
        """The answers that are there, by key; one query whatever the number of keys."""
        found: dict[bytes, Answer] = {}
        if not keys:
            return found
        with self._explained():
            cursor = self._connection
            cursor.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (key BLOB PRIMARY KEY) WITHOUT ROWID")
            cursor.execute("BEGIN")
            try:
                cursor.execute("DELETE FROM wanted")
                # sorted, so that both trees are walked once from left to right
                cursor.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", ((key,) for key in sorted(set(keys))))
                rows = cursor.execute(
                    "SELECT key, answer, alternatives, refusal FROM wanted CROSS JOIN answers USING (key)"
                )
                for key, text, alternatives, refusal in rows:
                    found[key] = Answer(text, tuple(json.loads(alternatives)) if alternatives else (), refusal)
            finally:
                cursor.execute("COMMIT")
        return found

    def store(self, rows: Iterable[tuple[bytes, str, Request, Answer]]) -> dict[bytes, Answer]:
        """Commit (key, fingerprint, request, answer) rows in one transaction; on return they are on the disk.

        Returned are the answers another process stored first, by key: they count instead of ours, so that two runs that
        share a memory agree.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        listed = list(rows)
        values = [_row(key, fingerprint, request, answer, now) for key, fingerprint, request, answer in listed]
        with self._explained(), self._writing():
            before = self._connection.total_changes
            self._connection.executemany(
                "INSERT INTO answers VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (key) DO NOTHING", values
            )
            complete = self._connection.total_changes - before == len(values)
        return {} if complete else self.look_up([row[0] for row in listed])

    def __len__(self) -> int:
        with self._explained():
            return int(self._connection.execute("SELECT count(*) FROM answers").fetchone()[0])

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A write transaction: taken at once (IMMEDIATE), so that waiting for another process comes first."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
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
            raise BadInput(f"the translation memory {self.path}: {error}{': ' + hint if hint else ''}") from error


def _row(
    key: bytes, fingerprint: str, request: Request, answer: Answer, now: str
) -> tuple[bytes | str | int | None, ...]:
    return (
        key,
        fingerprint,
        request.source,
        request.target,
        request.context,
        request.sample,
        unbroken(request.text),
        answer.text,
        json.dumps(answer.alternatives, ensure_ascii=False) if answer.alternatives else None,
        answer.refusal,
        now,
    )
