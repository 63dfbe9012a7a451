"""The formats a user's file may have. A new one is a module with its `FORMATS`, and its name in `MODULES`."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.readers.format import Format
from evenhand.readers.layout import CheckedRows, Layout
from evenhand.readers.opening import UserFile

MODULES = """
    tab_separated comma_separated json_lines json_array parquet xliff tmx gettext_po xml_resources apple
    properties yaml_messages fluent subtitles workbook plain_lines
""".split()  # where two fit a content, the earlier one
FORMATS: dict[str, Format] = {
    format.name: format for name in MODULES for format in import_module(f"evenhand.readers.{name}").FORMATS
}
BY_SUFFIX = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}


def chosen(file: UserFile, *, otherwise: str, given: str = "auto", guess: bool = False) -> Format:
    """The format of a file: the one the user named, that of its suffix, with `guess` that of its content (not of
    standard input, which can be read only once), else `otherwise`."""
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
    """Batches of a file, checked against the layout, with the line of each row in `LINE`; `format` is a format, or the
    name of the one taken where the suffix tells none."""
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
