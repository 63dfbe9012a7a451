"""The file behind `simulated:`: which probes a row fits, how likely each gender is, and what is written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read

GENDERS = (Gender.FEMALE, Gender.MALE, Gender.NEUTRAL)
_CHANCES = ("p_female", "p_male", "p_neutral")
LAYOUT = Layout(
    "row",
    (
        *(
            Column(
                name, type=pl.Float64(), required=True, filled=True, within=(0, 1), means="a probability from 0 to 1"
            )
            for name in _CHANCES
        ),
        Column("pattern"),
        *(Column(gender.value) for gender in GENDERS),
    ),
    notes="anywhere",
    gaps=True,
)


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
    file = UserFile(path)
    table = read(file, LAYOUT)
    return [_row(path, row.pop(LINE), row) for row in table.iter_rows(named=True)], file.content()


def _row(path: Path, number: int, row: dict[str, Any]) -> Row:
    female, male, neutral = (row.pop(column) for column in _CHANCES)
    if not math.isclose(female + male + neutral, 1.0, abs_tol=1e-6):
        raise BadInput.at(path, number, f"the probabilities add up to {female + male + neutral:g}, not to 1")
    pattern = row.pop("pattern", "")
    try:
        compiled = re.compile(pattern) if pattern else None
    except re.error as error:
        raise BadInput.at(path, number, f"not a regular expression: {error}", column="pattern") from error
    renderings = {gender: row[gender.value] for gender in GENDERS if row.get(gender.value)}
    fits = {column: str(value) for column, value in row.items() if value and column not in {*GENDERS}}
    return Row(number, (female, male, neutral), fits, compiled, renderings)
