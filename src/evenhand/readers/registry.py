"""The formats a user's file may have. A new one is a module with a `FORMAT` and one line in `FORMATS`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.readers import (
    apple,
    comma_separated,
    fluent,
    gettext_mo,
    gettext_po,
    json_array,
    json_lines,
    parquet,
    plain_lines,
    properties,
    source_target,
    subtitles,
    tab_separated,
    tmx,
    workbook,
    xliff,
    xml_resources,
    yaml_messages,
)
from evenhand.readers.format import Format
from evenhand.readers.layout import CheckedRows, Layout
from evenhand.readers.opening import UserFile

FORMATS = {
    format.name: format
    for format in (
        tab_separated.FORMAT,
        comma_separated.FORMAT,
        json_lines.FORMAT,
        json_array.FORMAT,
        parquet.FORMAT,
        xliff.FORMAT,
        tmx.FORMAT,
        gettext_po.FORMAT,
        gettext_mo.FORMAT,
        *xml_resources.FORMATS,
        *apple.FORMATS,
        properties.FORMAT,
        yaml_messages.FORMAT,
        fluent.FORMAT,
        subtitles.FORMAT,
        workbook.FORMAT,
        source_target.FORMAT,
        plain_lines.FORMAT,
    )
}
BY_SUFFIX = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}


def chosen(file: UserFile, *, otherwise: str, given: str = "auto", guess: bool = False) -> Format:
    """The format of a file: the one the user named, that of its suffix, with `guess` that of its content.

    `otherwise` is taken where none of these tells. Standard input is never guessed: it can be read only once.
    """
    if given != "auto":
        if given not in FORMATS:
            raise Unknown("file format", given, ("auto", *FORMATS))
        return FORMATS[given]
    format = BY_SUFFIX.get(file.suffix)
    if format is not None and format.carries != "texts":  # a table may well be called .txt
        return format
    if guess and file.path is not None:
        for candidate in FORMATS.values():
            if candidate.fits is not None and candidate.fits(text for _, text in file.lines()):
                return candidate
    return FORMATS[otherwise]


def stream(given: Path | str | UserFile, layout: Layout, *, format: Format | str = "tsv") -> Iterator[pl.DataFrame]:
    """Batches of a file, checked against the layout, with the line of each row in `LINE`; memory stays bounded.

    `format` is a format, or the name of the one taken where the file's suffix tells none.
    """
    file = given if isinstance(given, UserFile) else UserFile.of(given)
    reader = format if isinstance(format, Format) else chosen(file, otherwise=format)
    checked = CheckedRows(file, layout)
    for batch in reader.batches(file, layout):
        yield checked(batch)
    checked.end()


def read(given: Path | str | UserFile, layout: Layout, *, format: Format | str = "tsv") -> pl.DataFrame:
    """The whole file as one table, checked against the layout, with the line of each row in `LINE`."""
    file = given if isinstance(given, UserFile) else UserFile.of(given)
    try:
        return pl.concat(stream(file, layout, format=format), how="diagonal_relaxed")
    except pl.exceptions.PolarsError as error:
        raise BadInput(f"{file.name}: a column holds values of different kinds ({error})") from error
