"""JSON: one array of objects; an element is what a line is in JSONL."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.json_lines import complaint, objects
from evenhand.readers.layout import Format, Layout
from evenhand.readers.opening import UserFile

_OPEN, _CLOSE, _COMMA, _END = (re.compile(rf"[ \t\r\n]*{mark}[ \t\r\n]*") for mark in (r"\[", r"\]", ",", "$"))


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    return objects(file, layout, _elements(file))


def _elements(file: UserFile) -> Iterator[tuple[int, object]]:
    """The array's elements by the line they begin on."""
    text = "\n".join(line for _, line in file.lines())
    decoder, line, counted = json.JSONDecoder(), 1, 0
    mark = _OPEN.match(text)
    if mark is None:
        told = "a JSON array of objects was expected; name a file with one object a line .jsonl"
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


FORMAT = Format("json", (".json",), "columns", batches, parts=False)
