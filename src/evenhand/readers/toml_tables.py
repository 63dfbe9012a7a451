"""TOML that a user writes: tables checked for keys nobody knows and values of the wrong kind (limits, projects)."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import BadInput, Unknown


def read_toml(path: Path) -> dict[str, object]:
    """The content of a TOML file, or one sentence on why there is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # also numbers too long for Python, and brackets without end
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
        check_keys(where, table, keys)
        yield where, table


def check_keys(where: str, table: Collection[str], keys: Collection[str]) -> None:
    """An error for a key that nobody knows: a slip would else be a setting that silently does nothing."""
    for key in table:
        if key not in keys:
            raise BadInput(f"{where}: {Unknown('key', key, keys)}")


@dataclass(frozen=True)
class TomlTable:
    """One table with where it stands ("evenhand.toml: system 2"): values are asked for by the kind they must be."""

    where: str
    content: Mapping[str, object]

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty; an error where there is none and no default."""
        value = self.content.get(key, default)
        if value is None:
            raise BadInput(f"{self.where}: {key} is missing")
        if not isinstance(value, str) or (not value and default is None):
            raise self.wrong(key, "a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of different texts; empty where there is none."""
        value = self.content.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise self.wrong(key, "a list of texts")
        if len(set(value)) < len(value):
            raise BadInput(f"{self.where}: {key} names something twice")
        return tuple(value)

    def number(self, key: str) -> float | None:
        """A number from 0 up; None where there is none."""
        value = self.content.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0):
            raise self.wrong(key, "a number, 0 or more")
        return value

    def whole(self, key: str, *, least: int = 0) -> int | None:
        """A whole number; None where there is none."""
        value = self.content.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise self.wrong(key, f"a whole number, {least} or more")
        return value

    def flag(self, key: str) -> bool:
        """true or false; false where there is none."""
        value = self.content.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def table(self, key: str) -> dict[str, object]:
        """A table inside; empty where there is none."""
        value = self.content.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "a table")
        return value

    def wrong(self, key: str, wanted: str) -> BadInput:
        return BadInput(f"{self.where}: {key} must be {wanted}, not {self.content[key]!r}")
