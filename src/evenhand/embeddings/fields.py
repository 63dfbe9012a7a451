"""Published evaluation files come in every dress: tabs, semicolons, commas or spaces, with a header or without.

What separates the fields is decided once for the whole file, so that "New York" stays one entry in a file with tabs.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.readers.cells import Cells
from evenhand.readers.opening import UserFile

SEPARATORS = ("\t", ";", ",", " ")  # the earlier one where two fit a file equally well
NOT_SCORES = ("id", "index", "no", "nr", "n", "#", "")  # headers of a column that only numbers the lines
UNKNOWN = ("na", "nan", "n/a", "null", "none", "inf", "-inf", "-", "?", "")


@dataclass(frozen=True)
class Fields:
    """Every line that is neither empty nor a comment (`#` before the first other line)."""

    lines: tuple[Cells, ...]
    separator: str

    @property
    def spaced(self) -> bool:
        """Separated by spaces: an entry cannot hold one."""
        return self.separator == " "


def read_fields(path: Path, wanted: int) -> Fields:
    """The lines of a file with at least `wanted` fields each, split by what gives the most lines that many."""
    lines: list[tuple[int, str]] = []
    for number, line in UserFile(path).lines():
        if line.strip() and (lines or not line.startswith("#")):
            lines.append((number, line))
    texts = [line for _, line in lines]
    fitting = {mark: sum(_fits(_split(text, mark), wanted) for text in texts) for mark in SEPARATORS}
    if not any(fitting.values()):  # nothing fits: the complaint should count the fields a reader sees
        fitting = {mark: max((len(_split(text, mark)) for text in texts), default=0) for mark in SEPARATORS}
    separator = max(SEPARATORS, key=lambda mark: fitting[mark])
    return Fields(tuple(Cells(number, _split(line, separator)) for number, line in lines), separator)


def number_in(text: str) -> float | None:
    """A finite number, with a decimal point or comma, or None."""
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def score_column(lines: Sequence[Cells], path: Path) -> tuple[int, bool]:
    """Which column holds the scores, and whether the first line is a header.

    The scores are the only column of numbers. Of several it is the last of three (a word can be a number), else the
    first that does not merely number the lines: published sets put the mean before single ratings and other norms.
    """
    width = _width(lines, path)
    body = lines[1:]
    named, full = _number_columns(lines[0].cells, body)
    headed = bool(body and named) and (not full or width > 3)
    full = [*named, *full] if headed else full
    full = [i for i in full if not _numbering(lines, i, headed)] or full
    if not full:
        nearly = max(range(width), key=lambda i: (_numbers_in(body, i), i))
        bad = next(line for line in (body if headed else lines) if number_in(line.cells[nearly]) is None)
        raise BadInput.at(path, bad.number, f"{bad.cells[nearly]!r} is not a score", column=nearly + 1)
    return (full[-1] if width == 3 else full[0]), headed


def _width(lines: Sequence[Cells], path: Path) -> int:
    """How many fields every line has: three at least."""
    width = len(lines[0].cells)
    bad = next((line for line in lines if len(line.cells) != width or width < 3), None)
    if bad is not None:
        also = f" (line 1 has {width} fields)" if width >= 3 else ""
        raise BadInput.at(path, bad.number, f"expected two words and a score, found {_told(bad)}{also}")
    return width


def _number_columns(first: Sequence[str], body: Sequence[Cells]) -> tuple[list[int], list[int]]:
    """The columns that hold numbers in every line of the body: those with a name in the first line, and the others."""
    numbers = [i for i in range(len(first)) if _numbers_in(body, i) == len(body)]
    named = [i for i in numbers if number_in(first[i]) is None and first[i].casefold() not in UNKNOWN]
    return named, [i for i in numbers if number_in(first[i]) is not None]


def _numbers_in(lines: Sequence[Cells], column: int) -> int:
    return sum(number_in(line.cells[column]) is not None for line in lines)


def _numbering(lines: Sequence[Cells], column: int, headed: bool) -> bool:
    """Whether a column only numbers the lines: by its header, or because it counts them."""
    if headed and lines[0].cells[column].casefold() in NOT_SCORES:
        return True
    values = [number_in(line.cells[column]) for line in lines[headed:]]
    return len(values) > 2 and any(values == [float(i) for i in range(s, s + len(values))] for s in (0, 1))


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    if separator == "\t":
        return [field.strip() for field in line.split("\t")]
    return [field.strip() for field in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def _fits(fields: Sequence[str], wanted: int) -> bool:
    return len(fields) >= wanted and all(fields[:wanted])


def _told(line: Cells) -> str:
    return f"{len(line.cells)} field{'s' if len(line.cells) != 1 else ''}"
