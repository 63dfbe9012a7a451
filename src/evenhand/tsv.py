"""Reading our own TSV tables: `#` source lines, a header, then rows. No quoting, no escaping: a quote is a
character."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import BadInput

if TYPE_CHECKING:
    import polars as pl


def rows(path: Path | Traversable) -> Iterator[dict[str, str]]:
    """Rows as dictionaries; lines that start with # and empty lines are skipped; a missing file has no rows."""
    if not path.is_file():
        return
    header: list[str] | None = None
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.rstrip("\r\n")
            if not text or text.startswith("#"):
                continue
            values = text.split("\t")
            if header is None:
                header = values
                continue
            if len(values) != len(header):
                raise BadInput.at(str(path), number, f"{len(values)} columns where the header has {len(header)}")
            yield dict(zip(header, values, strict=True))


def words(path: Path | Traversable, column: str = "word") -> frozenset[str]:
    """One column of a table as a set; several words in a cell are separated by blanks."""
    return frozenset(word for row in rows(path) for word in row[column].split())


def tables_hash(*parts: str, tables: Iterable[Path | Traversable]) -> str:
    """A hash of some words and of tables (names and contents, in their order), for fingerprints; absent ones count
    nothing."""
    digest = hashlib.sha256("\0".join(parts).encode())
    for table in tables:
        if table.is_file():
            digest.update(table.name.encode() + b"\0" + table.read_bytes())
    return digest.hexdigest()


def frame(path: Path | Traversable) -> pl.DataFrame:
    """The table as text columns; an empty cell is null. A table without rows is an error."""
    import polars as pl  # not at the top: `evenhand --help` reads a table too, and is quick

    cells = [{column: value or None for column, value in row.items()} for row in rows(path)]
    if not cells:
        raise BadInput(f"{path}: the table has no rows")
    return pl.DataFrame(cells, schema=dict.fromkeys(cells[0], pl.String))
