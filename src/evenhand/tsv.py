"""Reading the small TSV tables that ship with a language: `#` source lines, a header, then rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evenhand.errors import BadInput


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Rows as dictionaries; lines that start with # and empty lines are skipped; a missing file has no rows."""
    if not path.exists():
        return
    header: list[str] | None = None
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.rstrip("\r\n")
            if not text or text.startswith("#"):
                continue
            values = text.split("\t")
            if header is None:
                header = values
                continue
            if len(values) != len(header):
                raise BadInput.at(path, number, f"{len(values)} columns where the header has {len(header)}")
            yield dict(zip(header, values, strict=True))


def words(path: Path, column: str = "word") -> frozenset[str]:
    """One column of a table as a set; several words in a cell are separated by blanks."""
    return frozenset(word for row in rows(path) for word in row[column].split())
