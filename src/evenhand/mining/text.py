"""Natural text in: files, folders and stdin; plain, JSONL, TSV or Parquet; compressed or not; as sentences."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

import polars as pl

from evenhand.errors import BadInput, require

COMPRESSED = (".gz", ".xz", ".zst")
PLAIN = (".txt", ".text", "")
KNOWN = (".txt", ".text", ".jsonl", ".ndjson", ".tsv", ".parquet")
FIELDS = ("text", "sentence", "source", "content")
ROWS = 65_536  # of a Parquet file at a time
SHORTEST, LONGEST, MOST_WORDS = 8, 400, 60

_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_SHORT = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|sr|jr|rev|hon|capt|gen|col|lt|sgt|gov|sen|vs|etc|e\.g|i\.e|no|inc|ltd|co|cf|ca|fig|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|a\.m|p\.m|u\.s|u\.k)|\b[A-Z])\.\s*$",
    re.IGNORECASE,
)


class TextLine(NamedTuple):
    """A piece of text and where it came from; lines count from 1."""

    file: str
    number: int
    text: str


def inputs(paths: Iterable[Path | str]) -> list[Path | None]:
    """The files behind paths and folders, in order; None is stdin. A folder gives the files of known kinds in it."""
    found: list[Path | None] = []
    for given in paths:
        if str(given) == "-":
            found.append(None)
            continue
        path = Path(given)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and kind_of(p) in KNOWN)
            if not inside:
                raise BadInput(f"{path}: no text in this folder (kinds: {', '.join(KNOWN)}, also .gz, .xz, .zst)")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise BadInput(f"{path}: no such file or folder")
    if not found:
        raise BadInput("no text given: name files, folders, or - for stdin")
    return found


def kind_of(path: Path) -> str:
    """The suffix that tells the format, without that of a compression."""
    return Path(path.stem).suffix.lower() if path.suffix.lower() in COMPRESSED else path.suffix.lower()


def read_text(path: Path | None, *, field: str | None = None) -> Iterator[TextLine]:
    """Pieces of text one after another, never the whole file at once. Blank lines are left out.

    `field`: the JSON key or Parquet column (by default text, sentence, source or content), or the TSV column by number
    from 1 (by default the first) or by the name in its header.
    """
    name = "stdin" if path is None else str(path)
    kind = "" if path is None else kind_of(path)
    if kind == ".parquet" and path is not None:
        yield from _parquet(path, field)
        return
    with _opened(path) as stream:
        column: int | None = None
        try:
            for number, raw in enumerate(stream, 1):
                text = raw.rstrip("\r\n")
                if kind in (".jsonl", ".ndjson"):
                    text = _json_text(text, field, name, number) if text.strip() else ""
                elif kind == ".tsv":
                    cells = text.split("\t")
                    if column is None:
                        column, header = _tsv_column(cells, field, name)
                        if header:
                            continue
                    text = cells[column] if column < len(cells) else ""
                if text.strip():
                    yield TextLine(name, number, text)
        except UnicodeDecodeError as error:
            raise BadInput(f"{name}: not UTF-8 ({error.reason}); convert it first (iconv -t utf-8)") from error
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise BadInput(f"{name}: cannot be read to its end ({error})") from error


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
        return
    with _stream(path) as stream:
        yield stream


def _stream(path: Path) -> IO[str]:
    suffix = path.suffix.lower()
    try:
        if suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8-sig", newline="\n")
        if suffix == ".xz":
            return lzma.open(path, "rt", encoding="utf-8-sig", newline="\n")
        if suffix == ".zst":
            zstandard = require("zstandard", purpose="reading .zst files", extra="mining")
            return cast("IO[str]", zstandard.open(path, "rt", encoding="utf-8-sig", newline="\n"))
        return path.open(encoding="utf-8-sig", newline="\n")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error


def _json_text(text: str, field: str | None, name: str, number: int) -> str:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput.at(name, number, f"not JSON ({error.msg})") from error
    if isinstance(row, str):
        return row
    if not isinstance(row, dict):
        raise BadInput.at(name, number, "a line must be a JSON object or a string")
    chosen = field or next((f for f in FIELDS if f in row), None)
    if chosen is None or chosen not in row:
        raise BadInput.at(name, number, f"no field {field or ' or '.join(FIELDS)}; it has {', '.join(row) or 'none'}")
    return str(row[chosen] or "")


def _tsv_column(cells: list[str], field: str | None, name: str) -> tuple[int, bool]:
    """Index of the wanted column, and whether the first line is a header."""
    if field is None:
        return (cells.index("text"), True) if "text" in cells else (0, False)
    if field.isdigit():
        return int(field) - 1, False
    if field not in cells:
        raise BadInput.at(name, 1, f"no column {field!r} in the header; it has {', '.join(cells)}")
    return cells.index(field), True


def _parquet(path: Path, field: str | None) -> Iterator[TextLine]:
    try:
        columns = list(pl.read_parquet_schema(path))
        chosen = field or next((f for f in FIELDS if f in columns), None)
        if chosen is None or chosen not in columns:
            raise BadInput(f"{path}: no column {field or ' or '.join(FIELDS)}; it has {', '.join(columns)}")
        at, lazy = 0, pl.scan_parquet(path).select(pl.col(chosen).cast(pl.String))
        while (texts := lazy.slice(at, ROWS).collect().to_series()).len():
            for number, text in enumerate(texts, at + 1):
                if text and text.strip():
                    yield TextLine(str(path), number, text)
            at += ROWS
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BadInput(f"{path}: cannot be read as Parquet ({error})") from error


def normalise(text: str) -> str:
    """NFC, one blank for every run of blanks and control signs, none at the ends."""
    if not text.isascii():
        text = "".join(" " if unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs"} else c for c in text)
        text = unicodedata.normalize("NFC", text)
    elif not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return _BLANKS.sub(" ", text).strip()


def sentences(text: str) -> list[str]:
    """Cut at sentence ends before a capital or a figure, not after abbreviations and initials."""
    text = normalise(text)
    found, start = [], 0
    for end in _END.finditer(text):
        if not _SHORT.search(text, start, end.end()):
            found.append(text[start : end.end()].strip())
            start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def usable(sentence: str) -> bool:
    """Neither too short to hold a statement nor too long to be one; with letters in it."""
    return (
        SHORTEST <= len(sentence) <= LONGEST
        and 3 <= sentence.count(" ") + 1 <= MOST_WORDS
        and any(c.isalpha() for c in sentence)
    )
