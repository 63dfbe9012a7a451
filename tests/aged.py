"""A translation memory whose answers were given long ago."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from evenhand.systems.memory import SUMMED, checksum


def made_older(path: Path, *, most: int = -1) -> None:
    """Answers of 2020, with checksums that fit: the first `most` by their texts, or all."""
    with sqlite3.connect(path) as memory:
        for (key,) in memory.execute("SELECT key FROM answers ORDER BY text LIMIT ?", (most,)).fetchall():
            memory.execute("UPDATE answers SET asked_at = '2020-01-01T00:00:00+00:00' WHERE key = ?", (key,))
            row = memory.execute(f"SELECT {', '.join(SUMMED)} FROM answers WHERE key = ?", (key,)).fetchone()
            memory.execute("UPDATE answers SET checksum = ? WHERE key = ?", (checksum(*row), key))
