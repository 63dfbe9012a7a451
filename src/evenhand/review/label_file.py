"""`labels.tsv` of a run folder: it only grows, line by line; what a full disk cut off costs that line alone.

A line is a label or the undoing of one, with the first letters of the rendering's hash (`text`) and a checksum of the
line. Lines of versions before 0.2 have neither.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import LABEL, SPELLINGS
from evenhand.storage.folders import own_file
from evenhand.storage.locking import one_writer
from evenhand.storage.tables import KEY

FILE = "labels.tsv"
SAID = ["gender", "labeller", "at", "undone"]
COLUMNS = [*KEY, *SAID, "text", "check"]
SCHEMA = {
    **KEY,
    **dict.fromkeys(("gender", "labeller", "at"), pl.String()),
    "undone": pl.Boolean(),
    "text": pl.String(),
}
LARGEST = 2**16  # samples and candidates are numbered below it


@dataclass(frozen=True)
class Line:
    """One line: which rendering (key and text), and what a person said about it or takes back."""

    id: str
    target_lang: str
    sample: int
    candidate: int
    gender: str
    labeller: str
    at: str
    undone: bool
    text: str


@dataclass(frozen=True)
class Lines:
    """The whole lines of the file in their order, and the numbers of those that were cut or damaged."""

    table: pl.DataFrame = field(repr=False)
    unreadable: tuple[int, ...] = ()


def text_mark(rendering: str | None) -> str:
    """What stands for a rendering's text in a label."""
    return hashlib.sha256((rendering or "").encode()).hexdigest()[:16]


def read_lines(folder: Path) -> Lines:
    """Every line that is whole; a whole one that says something impossible is an error with its number."""
    path = folder / FILE
    if not own_file(path):
        return Lines(pl.DataFrame(schema=SCHEMA))
    try:
        raw = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    rows, torn = [], []
    for number, line in enumerate(raw, start=1):
        if not line.strip() or (number == 1 and line.startswith(b"id\t")):
            continue
        cells = line.decode("utf-8", errors="replace").rstrip("\r").split("\t")
        if len(cells) == len(COLUMNS) and cells[-1] == _checksum(cells[:-1]):
            rows.append(_row(path, number, cells[:-1]))
        elif len(cells) == len(KEY) + len(SAID) and number < len(raw):
            rows.append(_row(path, number, [*cells, ""]))
        else:
            torn.append(number)
    return Lines(pl.DataFrame(rows, schema=SCHEMA, orient="row"), tuple(torn))


def _row(path: Path, number: int, cells: list[str]) -> tuple[str | int | bool, ...]:
    id, target, sample, candidate, gender, labeller, at, undone, text = cells
    counts = []
    for column, cell in (("sample", sample), ("candidate", candidate)):
        if not (cell.isascii() and cell.isdigit() and len(cell) < 6 and int(cell) < LARGEST):
            raise BadInput.at(path, number, f"{cell!r} is not a whole number below {LARGEST:,}", column=column)
        counts.append(int(cell))
    if gender.strip().lower() not in SPELLINGS:
        raise BadInput.at(path, number, f"{gender!r} is not {LABEL}", column="gender")
    return id, target, *counts, SPELLINGS[gender.strip().lower()], labeller, at, undone == "1", text


def append(folder: Path, lines: Sequence[Line]) -> None:
    """Add lines; all of them reach the disk or an error is raised. One that was cut before stays by itself."""
    written = []
    for line in lines:
        values = [str(int(v)) if isinstance(v, bool) else str(v) for v in vars(line).values()]
        if any(c in value for value in values for c in "\t\n\r"):
            raise BadInput(f"id {line.id!r} holds a tab or a line break and cannot be labelled")
        written.append("\t".join([*values, _checksum(values)]) + "\n")
    path = folder / FILE
    with one_writer(folder):
        own_file(path)
        try:
            with path.open("ab+") as stream:
                size = stream.seek(0, os.SEEK_END)
                if size:
                    stream.seek(size - 1)
                    cut = stream.read(1) != b"\n"
                    start = "\n" if cut else ""
                else:
                    start = "\t".join(COLUMNS) + "\n"
                stream.write((start + "".join(written)).encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


def _checksum(values: Sequence[str]) -> str:
    return f"{zlib.crc32(chr(9).join(values).encode()):08x}"
