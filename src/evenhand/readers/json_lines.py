"""JSONL: one JSON object a line; a line that is a string alone is an object with that `text`."""

import json
from collections.abc import Iterable, Iterator

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import batched
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Layout, check_names
from evenhand.readers.opening import UserFile

Object = dict[str, object]
_LARGEST = 1 << 63  # whole numbers beyond it are kept as text


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    return objects(file, layout, _rows(file))


def _rows(file: UserFile) -> Iterator[tuple[int, object]]:
    """Blank lines are nothing."""
    for number, text in file.lines():
        if text.strip():
            try:
                yield number, json.loads(text)
            except (ValueError, RecursionError) as error:
                raise complaint(file, number, error) from error


def complaint(file: UserFile, number: int, error: Exception) -> BadInput:
    """Why the JSON value that begins on this line cannot be read."""
    if isinstance(error, json.JSONDecodeError):
        return BadInput.at(file.name, max(number, error.lineno), f"not JSON ({error.msg})", column=error.colno)
    return BadInput.at(file.name, number, "a JSON number too long or a value too deep to be read")


def objects(file: UserFile, layout: Layout, values: Iterable[tuple[int, object]]) -> Iterator[pl.DataFrame]:
    """Batches of JSON objects: a key is a column, a missing one is null. A list or object inside is kept as its JSON
    text, but an error in a column that the layout knows."""
    known = {name for column in layout.columns for name in column.names}
    rows = ((number, _flat(file, number, value, known)) for number, value in values)
    for lines, batch in batched(rows, lambda row: sum(len(v) for v in row.values() if isinstance(v, str))):
        table = pl.from_dicts(batch, infer_schema_length=None) if any(batch) else pl.DataFrame()
        check_names(file, None, table.columns)
        yield pl.concat([pl.DataFrame({LINE: pl.Series(lines, dtype=pl.Int64)}), table], how="horizontal")


def _flat(file: UserFile, number: int, value: object, known: set[str]) -> Object:
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        raise BadInput.at(file.name, number, f"a JSON object was expected, not {_shown(value)}")
    row: Object = {}
    for name, cell in value.items():
        if isinstance(cell, list | dict) and name in known:
            raise BadInput.at(file.name, number, f"a text was expected, not {_shown(cell)}", column=name)
        whole = isinstance(cell, int) and not -_LARGEST <= cell < _LARGEST
        row[name] = json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) or whole else cell
    try:
        "".join([*row, *(cell for cell in row.values() if isinstance(cell, str))]).encode()
    except UnicodeEncodeError as error:
        raise BadInput.at(file.name, number, "half a surrogate pair (\\ud800 to \\udfff) is not a character") from error
    return row


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"


FORMATS = (Format("jsonl", (".jsonl", ".ndjson"), "columns", batches),)
