"""Published evaluation files: tabs, semicolons, commas or spaces, with a header or without. What separates is decided
once for the whole file, so that "New York" stays one entry in a file with tabs."""

import csv
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from evenhand.errors import BadInput
from evenhand.readers.cells import Cells
from evenhand.readers.opening import UserFile

SEPARATORS = ("\t", ";", ",", " ")  # the earlier one where two fit a file equally well
NOT_SCORES = ("id", "index", "no", "nr", "n", "#", "")  # headers of a column that only numbers the lines
UNKNOWN = ("na", "nan", "n/a", "null", "none", "inf", "-inf", "-", "?", "")


class Fields(NamedTuple):
    """Every line that is neither empty nor a comment (`#` before the first other line); `spaced` where spaces separate
    entries, which then cannot hold one."""

    lines: tuple[Cells, ...]
    spaced: bool


def read_fields(path: Path, wanted: int) -> Fields:
    """The lines of a file with at least `wanted` fields each, split by what gives the most lines that many."""
    filled = (line for line in UserFile(path).lines() if line[1].strip())
    lines = list(dropwhile(lambda line: line[1].startswith("#"), filled))
    split = {mark: [_split(text, mark) for _, text in lines] for mark in SEPARATORS}
    fitting = {mark: sum(len(one) >= wanted and all(one[:wanted]) for one in cells) for mark, cells in split.items()}
    if not any(fitting.values()):  # nothing fits: the complaint should count the fields a reader sees
        fitting = {mark: max(map(len, cells), default=0) for mark, cells in split.items()}
    mark = max(SEPARATORS, key=lambda mark: fitting[mark])
    numbers = (number for number, _ in lines)
    return Fields(tuple(map(Cells, numbers, split[mark])), spaced=mark == " ")


def number_in(text: str) -> float | None:
    """A finite number, with a decimal point or comma, or None."""
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def score_column(lines: Sequence[Cells], path: Path) -> tuple[int, bool]:
    """Which column holds the scores (the only numbers; of several the last of three, else the first that does not
    number the lines), and whether the first line is a header."""
    width, first, body = len(lines[0].cells), lines[0].cells, lines[1:]
    for line in lines:
        if len(line.cells) != width or width < 3:
            also = f" (line 1 has {width} fields)" if width >= 3 else ""
            count = f"{len(line.cells)} field{'s' * (len(line.cells) != 1)}"
            raise BadInput.at(path, line.number, f"expected two words and a score, found {count}{also}")
    columns = [[number_in(line.cells[i]) for line in lines] for i in range(width)]
    numbers = [i for i, column in enumerate(columns) if None not in column[1:]]
    named = [i for i in numbers if columns[i][0] is None and first[i].casefold() not in UNKNOWN]
    full = [i for i in numbers if columns[i][0] is not None]
    headed = bool(body and named) and (not full or width > 3)
    full = [*named, *full] if headed else full
    full = [i for i in full if not _numbers_lines(columns[i][headed:], first[i] if headed else "x")] or full
    if not full:
        nearly = max(range(width), key=lambda i: (-columns[i][1:].count(None), i))
        bad = next(line for line in (body if headed else lines) if number_in(line.cells[nearly]) is None)
        raise BadInput.at(path, bad.number, f"{bad.cells[nearly]!r} is not a score", column=nearly + 1)
    return (full[-1] if width == 3 else full[0]), headed


def _numbers_lines(values: Sequence[float | None], header: str) -> bool:
    """Whether a column only numbers the lines: by its header, or because it counts them."""
    counted = len(values) > 2 and any(list(values) == list(range(s, s + len(values))) for s in (0, 1))
    return header.casefold() in NOT_SCORES or counted


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    if separator == "\t":
        return [field.strip() for field in line.split("\t")]
    return [field.strip() for field in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]
