"""JSON: an array of objects, where an element is what a line is in JSONL; or one object of messages by their keys."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import framed
from evenhand.readers.format import Format
from evenhand.readers.json_lines import complaint, objects
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile

_OPEN, _CLOSE, _COMMA, _END = (re.compile(rf"[ \t\r\n]*{mark}[ \t\r\n]*") for mark in (r"\[", r"\]", ",", "$"))


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    text = "\n".join(line for _, line in file.lines())
    if not text.lstrip().startswith("{"):
        return objects(file, layout, _elements(file, text))
    lines, keys, texts = zip(*rows, strict=True) if (rows := messages(file, text)) else ((), (), ())
    return iter([framed(lines, {"id": keys, "text": texts})])


def _elements(file: UserFile, text: str) -> Iterator[tuple[int, object]]:
    """The array's elements by the line they begin on."""
    decoder, line, counted = json.JSONDecoder(), 1, 0
    mark = _OPEN.match(text)
    if mark is None:
        told = (
            "a JSON array of objects, or an object of messages, was expected; a file of one object per line is .jsonl"
        )
        raise BadInput.at(file.name, 1, told)
    begin, closed = mark.end(), _CLOSE.match(text, mark.end())
    while closed is None:
        line, counted = line + text.count("\n", counted, begin), begin
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            raise complaint(file, line, error) from error
        yield line, value
        comma, closed = _COMMA.match(text, end), _CLOSE.match(text, end)
        if comma is None and closed is None:
            raise BadInput.at(file.name, line, "a comma or ] was expected after the element that begins here")
        begin = comma.end() if comma else end
    if _END.fullmatch(text, closed.end()) is None:
        raise BadInput.at(file.name, line, "text follows the end of the array")


FORMATS = (Format("json", (".json", ".arb"), "columns", batches, parts=False),)


# One JSON object of messages, flat or nested, as i18next, vue-i18n, Chrome and Flutter (ARB) keep them.
# The keys on the way to a text are joined by dots: {"menu": {"open": "Open"}} has the id menu.open; elements of an
# array are counted from 0. Numbers, true, false and null are no messages; keys that begin with @ are ARB's notes.

DEEPEST = 100
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(?=[ \t\r\n]*(:)?)')  # a colon follows a key


class Message(NamedTuple):
    line: int
    key: str
    text: str


def messages(file: UserFile, text: str) -> list[Message]:
    """Every text of the object in the file's order, with the line it begins on; no JSON is an error with its line."""
    rows, line, counted = list[Message](), 1, 0
    try:
        tree = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError) as error:
        raise complaint(file, 1, error) from error
    places = (match.start() for match in _STRING.finditer(text) if not match[1])
    for at, (key, value) in zip(places, _texts(file, tree, "", 0), strict=True):
        line, counted = line + text.count("\n", counted, at), at
        try:
            f"{key}{value}".encode()
        except UnicodeEncodeError as error:
            told = "half a surrogate pair (\\ud800 to \\udfff) is not a character"
            raise BadInput.at(file.name, line, told) from error
        if key is not None:
            rows.append(Message(line, key, value))
    return rows


def _texts(file: UserFile, value: object, key: str | None, depth: int) -> Iterator[tuple[str | None, str]]:
    """Every text with the joined keys on the way to it; no key for one of a note. An object is a tuple of pairs."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, tuple | list):
        if depth == DEEPEST:
            raise BadInput(f"{file.name}: more than {DEEPEST} objects inside each other")
        for name, inside in value if isinstance(value, tuple) else enumerate(value):
            noted = key is None or str(name).startswith("@")
            yield from _texts(file, inside, None if noted else f"{key}.{name}".removeprefix("."), depth + 1)
