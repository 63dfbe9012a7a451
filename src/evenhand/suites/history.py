"""Earlier versions of the word lists: `lexicon/changes.tsv` says what each version changed, and `evenhand audit
pronouns-hungarian@1.0` asks the sentences of that version again."""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.errors import BadInput, Unknown

CHANGES = Path(__file__).resolve().parent / "lexicon" / "changes.tsv"
CURRENT = "1.1"
VERSIONS = ("1.0", CURRENT)
WHOLE_COLUMN = "*"  # the key of a change that added a column

LexiconRow = dict[str, str | None]


@cache
def changes() -> pl.DataFrame:
    """version, language, table, key, column, old, new, why; an empty old was added, an empty new left out."""
    return tsv.frame(CHANGES)


def check_version(suite: str, version: str) -> str:
    """The version, if the suite has it."""
    if version not in VERSIONS:
        raise Unknown(f"version of suite {suite}", version, VERSIONS)
    return version


def as_of(
    table: pl.DataFrame, name: str, *, language: str, version: str, key: str | Callable[[LexiconRow], str] = "concept"
) -> pl.DataFrame:
    """The table `name` of a language as it was in `version`: later changes undone, last one first; a row that was left
    out comes back at the end. `key` is the column that names a row, or a function of the row."""
    later = changes().filter(pl.col("version") > version, pl.col("language") == language, pl.col("table") == name)
    rows: list[LexiconRow] = table.to_dicts()
    added: list[str] = []
    named = itemgetter(key) if isinstance(key, str) else key
    for one, column, old, new in later.reverse().select("key", "column", "old", "new").iter_rows():
        here = [row for row in rows if named(row) == one and row[column] == new]
        if one == WHOLE_COLUMN:
            added.append(column)
        elif new is None and isinstance(key, str):
            rows.append({**dict.fromkeys(table.columns), key: one, column: old})
        elif not here:
            raise BadInput.at(CHANGES, None, f"{name} of {language} has no {one!r} with {column} {new!r}")
        elif old is None:
            rows = [row for row in rows if row not in here]
        else:
            for row in here:
                row[column] = old
    return pl.DataFrame(rows, schema=dict.fromkeys(table.columns, pl.String)).drop(added)
