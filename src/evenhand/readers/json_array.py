"""JSON: an array of objects, where an element is what a line is in JSONL; or one object of messages by their keys."""

import json
import re
from collections.abc import Iterator
from itertools import count
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
        raise BadInput.at(file.name, line, "there is more after the end of the array")


FORMATS = (Format("json", (".json", ".arb"), "columns", batches, parts=False),)


# One JSON object of messages, flat or nested, as i18next, vue-i18n, Chrome and Flutter (ARB) keep them.
# The keys on the way to a text are joined by dots: {"menu": {"open": "Open"}} has the id menu.open; elements of an
# array are counted from 0. Numbers, true, false and null are no messages; keys that begin with @ are ARB's notes.

DEEPEST = 100
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Message(NamedTuple):
    line: int
    key: str
    text: str


def messages(file: UserFile, text: str) -> list[Message]:
    """Every text of the object in the file's order, with the line it begins on; no JSON is an error with its line."""
    rows, line, counted = list[Message](), 1, 0
    scanner = _Scanner(file, text)
    for at, key, value in scanner.texts("", 0):
        line, counted = line + text.count("\n", counted, at), at
        try:
            f"{key}{value}".encode()
        except UnicodeEncodeError as error:
            told = "half a surrogate pair (\\ud800 to \\udfff) is no character"
            raise BadInput.at(file.name, line, told) from error
        rows.append(Message(line, key, value))
    scanner.end()
    return rows


class _Scanner:
    """Goes through the text once; `_at` is the next sign that is no blank."""

    def __init__(self, file: UserFile, text: str) -> None:
        self._file, self._text, self._at = file, text, 0
        self._go(0)

    def texts(self, key: str, depth: int) -> Iterator[tuple[int, str, str]]:
        """Place, joined keys and value of each text in the value that begins here."""
        begin, sign = self._at, self._sign
        if sign not in ("{", "["):
            value = self._value()
            if isinstance(value, str):
                yield begin, key, value
            return
        if depth == DEEPEST:
            raise self._wrong(f"more than {DEEPEST} objects inside each other")
        for name in self._members("}" if sign == "{" else "]"):
            inside = self.texts(f"{key}.{name}" if key else name, depth + 1)
            if name.startswith("@"):
                list(inside)
            else:
                yield from inside

    def _members(self, closing: str) -> Iterator[str]:
        """The name of each member, or the number of each element; its value begins where we then are."""
        self._go(self._at + 1)
        for number in count():
            if self._sign == closing:
                self._go(self._at + 1)
                return
            if number:
                self._expect(",", f"a comma or {closing} was expected")
            name: object = str(number)
            if closing == "}":
                name = self._value() if self._sign == '"' else None
                self._expect(":", "a key in quotes and a colon were expected")
            yield str(name)

    def _value(self) -> object:
        """The string, number or word that begins here."""
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
        except (ValueError, RecursionError) as error:
            raise complaint(self._file, self._line(), error) from error
        self._go(end)
        return value

    @property
    def _sign(self) -> str:
        return self._text[self._at : self._at + 1]

    def _go(self, at: int) -> None:
        blank = _BLANK.match(self._text, at)
        self._at = blank.end() if blank else at

    def _expect(self, sign: str, told: str) -> None:
        if self._sign != sign:
            raise self._wrong(told)
        self._go(self._at + 1)

    def end(self) -> None:
        if self._at != len(self._text):
            raise self._wrong("there is more after the end of the object")

    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1

    def _wrong(self, told: str) -> BadInput:
        return BadInput.at(self._file.name, self._line(), told)
