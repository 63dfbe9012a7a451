"""TOML that a user writes: tables of one name, each checked for keys nobody knows (limits, hypotheses)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path

from evenhand.errors import BadInput, Unknown


def read_toml(path: Path) -> dict[str, object]:
    """The content of a TOML file, or one sentence on why there is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not valid TOML: {error}") from error


def read_toml_tables(
    path: Path, name: str, *, keys: Collection[str], example: str = ""
) -> Iterator[tuple[str, dict[str, object]]]:
    """Each [[name]] of the file with where it stands ("limits.toml: limit 2"); a file without one is an error."""
    tables = read_toml(path).get(name)
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise BadInput(f"{path}: no [[{name}]] in it.{' It looks like: ' + example if example else ''}")
    for number, table in enumerate(tables, start=1):
        where = f"{path}: {name} {number}"
        for key in table:
            if key not in keys:
                raise BadInput(f"{where}: {Unknown('key', key, keys)}")
        yield where, table
