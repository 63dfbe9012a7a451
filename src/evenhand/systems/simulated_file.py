"""The file behind `simulated:`: which probes a row fits, how likely each gender is, and what is written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.gender import Gender

GENDERS = (Gender.FEMALE, Gender.MALE, Gender.NEUTRAL)
_CHANCES = ("p_female", "p_male", "p_neutral")


@dataclass(frozen=True)
class Row:
    """One line of the file. `fits` are probe columns and the values they must have."""

    number: int
    probabilities: tuple[float, float, float]
    fits: dict[str, str]
    pattern: re.Pattern[str] | None
    renderings: dict[Gender, str]

    def suits(self, probe: Mapping[str, object]) -> bool:
        if self.pattern is not None and self.pattern.search(str(probe["source"])) is None:
            return False
        return all(str(probe.get(column)) == value for column, value in self.fits.items())


def read_rows(path: Path) -> tuple[list[Row], bytes]:
    """The rows in order, and the file's bytes. Wrong numbers and patterns name their line and column."""
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8-sig").split("\n")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadInput.at(path, content.count(b"\n", 0, error.start) + 1, "this is not UTF-8") from error
    numbered = [(n, line.removesuffix("\r")) for n, line in enumerate(lines, 1)]
    kept = [(n, line) for n, line in numbered if line and not line.startswith("# ")]
    if len(kept) < 2:
        raise BadInput(f"{path}: a header and at least one row were expected")
    number, first = kept[0]
    header = first.split("\t")
    for column in _CHANCES:
        if column not in header:
            raise BadInput.at(path, number, f"the header has no column {column!r}; it has {', '.join(header)}")
    return [_row(path, n, header, line.split("\t")) for n, line in kept[1:]], content


def _row(path: Path, number: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) != len(header):
        raise BadInput.at(path, number, f"{len(cells)} columns, but the header has {len(header)}")
    row = dict(zip(header, cells, strict=True))
    female, male, neutral = (_chance(path, number, column, row.pop(column)) for column in _CHANCES)
    if not math.isclose(female + male + neutral, 1.0, abs_tol=1e-6):
        raise BadInput.at(path, number, f"the probabilities add up to {female + male + neutral:g}, not to 1")
    pattern = row.pop("pattern", "")
    try:
        compiled = re.compile(pattern) if pattern else None
    except re.error as error:
        raise BadInput.at(path, number, f"not a regular expression: {error}", column="pattern") from error
    renderings = {gender: row.pop(gender.value) for gender in GENDERS if row.get(gender.value)}
    names = {gender.value for gender in GENDERS}
    fits = {column: value for column, value in row.items() if value and column not in names}
    return Row(number, (female, male, neutral), fits, compiled, renderings)


def _chance(path: Path, number: int, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise BadInput.at(path, number, f"a probability from 0 to 1 was expected, not {text!r}", column=column)
    return value
