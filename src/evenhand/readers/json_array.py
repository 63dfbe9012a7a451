"""JSON: an array of objects, where an element is what a line is in JSONL; or one object of messages by their keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import framed
from evenhand.readers.format import Format
from evenhand.readers.json_lines import complaint, objects
from evenhand.readers.json_messages import messages
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
        told = "a JSON array of objects, or an object of messages, was expected; a file of one object a line is .jsonl"
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


FORMAT = Format("json", (".json", ".arb"), "columns", batches, parts=False)
