"""The four ways people keep translations in a file, read into one kind of line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import BadInput, Unknown

FORMATS = ("auto", "lines", "tsv", "pairs", "jsonl")
TEXT_COLUMNS = ("rendering", "translation", "target")
SEPARATOR = "|||"


@dataclass(frozen=True, slots=True)
class FileLine:
    """One translation and where it stands; `id` or `source` say whose it is, where the format does."""

    number: int
    text: str
    id: str | None = None
    source: str | None = None
    sample: int = 0
    candidate: int = 0


def read_lines(path: Path, format: str = "auto") -> tuple[list[FileLine], str, bytes]:
    """The file's translations, its format, and its bytes (for a hash). Wrong encoding names line and byte."""
    if format not in FORMATS:
        raise Unknown("file format", format, FORMATS)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from error
    texts = _decoded(path, content)
    if not texts:
        raise BadInput(f"{path}: the file is empty")
    found = _guessed(path, texts) if format == "auto" else format
    if found != "lines":
        # blank lines at the end are an editor's; in plain lines they are empty translations
        while texts and not texts[-1].strip():
            texts.pop()
        if not texts:
            raise BadInput(f"{path}: the file is empty")
    readers = {"lines": _plain, "tsv": _tsv, "pairs": _pairs, "jsonl": _jsonl}
    return list(readers[found](path, texts)), found, content


def _decoded(path: Path, content: bytes) -> list[str]:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadInput.at(path, 1, "the file is UTF-16; save it as UTF-8")
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        start = content.rfind(b"\n", 0, error.start) + 1
        raise BadInput.at(
            path,
            content.count(b"\n", 0, error.start) + 1,
            f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8",
            column=error.start - start + 1,
        ) from error
    # only "\n" ends a line: a translation may hold U+2028 and its like
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _guessed(path: Path, texts: list[str]) -> str:
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return "jsonl"
    if suffix == ".tsv" or "id" in texts[0].split("\t")[:-1]:
        return "tsv"
    return "pairs" if all(SEPARATOR in text for text in texts if text.strip()) else "lines"


def _plain(path: Path, texts: list[str]) -> Iterator[FileLine]:
    for number, text in enumerate(texts, 1):
        yield FileLine(number, text)


def _pairs(path: Path, texts: list[str]) -> Iterator[FileLine]:
    for number, text in enumerate(texts, 1):
        source, found, target = text.partition(SEPARATOR)
        if found:
            yield FileLine(number, target.strip(), source=source.strip())
        elif text.strip():
            raise BadInput.at(path, number, f"there is no {SEPARATOR!r} between source and translation")


def _tsv(path: Path, texts: list[str]) -> Iterator[FileLine]:
    comments = next((n for n, text in enumerate(texts) if not text.startswith("# ")), len(texts) - 1)
    header = texts[comments].split("\t")
    if "id" not in header:
        raise BadInput.at(path, comments + 1, f"the header has no column 'id'; it has {', '.join(header)}")
    column = next((c for c in TEXT_COLUMNS if c in header), None)
    if column is None:
        raise BadInput.at(path, comments + 1, f"the header has none of the columns {', '.join(TEXT_COLUMNS)}")
    repeated = [name for name in header if header.count(name) > 1]
    if repeated:
        raise BadInput.at(path, comments + 1, f"the column {repeated[0]!r} occurs twice")
    for number, text in enumerate(texts[comments + 1 :], comments + 2):
        cells = text.split("\t")
        if len(cells) != len(header):
            raise BadInput.at(path, number, f"{len(cells)} columns, but the header has {len(header)}")
        row = dict(zip(header, cells, strict=True))
        sample, candidate = (_number(path, number, name, row.get(name) or 0) for name in ("sample", "candidate"))
        yield FileLine(number, row[column], id=row["id"], sample=sample, candidate=candidate)


def _jsonl(path: Path, texts: list[str]) -> Iterator[FileLine]:
    for number, text in enumerate(texts, 1):
        try:
            row = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadInput.at(path, number, f"this is not JSON: {error.msg}", column=error.colno) from error
        if not isinstance(row, dict) or "id" not in row:
            raise BadInput.at(path, number, "expected an object with an 'id'")
        column = next((c for c in TEXT_COLUMNS if c in row), None)
        if column is None:
            raise BadInput.at(path, number, f"the object has none of the keys {', '.join(TEXT_COLUMNS)}")
        value = row[column]
        if not isinstance(value, str):
            raise BadInput.at(path, number, f"the {column} must be a string, not {json.dumps(value)[:40]}")
        sample, candidate = (_number(path, number, name, row.get(name, 0)) for name in ("sample", "candidate"))
        yield FileLine(number, value, id=str(row["id"]), sample=sample, candidate=candidate)


def _number(path: Path, line: int, name: str, value: object) -> int:
    if isinstance(value, int | str) and str(value).isdigit():
        return int(value)
    raise BadInput.at(path, line, f"the {name} must be a whole number, not {value!r}")
