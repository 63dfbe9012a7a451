"""Excel's .xlsx, by openpyxl: the first sheet whose first row names the columns, as a table of text."""

import io
import zipfile
from collections.abc import Iterator

import polars as pl

from evenhand.errors import BadInput, require
from evenhand.readers.catalogue import LARGEST, whole
from evenhand.readers.cells import Cells, framed, named, nothing
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


def _batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    openpyxl = require("openpyxl", purpose="workbooks of Excel", extra="files")
    content = whole(file)
    try:
        unpacked = sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist())
        if unpacked > LARGEST:
            raise ValueError(f"it unpacks to more than {LARGEST >> 20} MiB")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = [["" if cell is None else str(cell) for cell in row] for row in book.worksheets[0].values]
    except Exception as error:  # a damaged archive breaks openpyxl, zipfile, zlib or the XML parser, each in its way
        raise BadInput(f"{file.name}: not a workbook of Excel (.xlsx): {error}") from error
    rows = [(n, row) for n, row in enumerate(sheet, start=1) if any(row)]
    if not rows:
        yield nothing(file, layout)
        return
    while rows[0][1] and not rows[0][1][-1]:  # columns that were only formatted
        rows = [(n, row[:-1]) for n, row in rows]
    header, headed = named(file, layout, Cells(*rows[0]), "")
    body = rows[headed:]
    columns = zip(*(row for _, row in body), strict=True) if body else [()] * len(header)
    yield framed([n for n, _ in body], dict(zip(header, columns, strict=True)))


FORMATS = (Format("xlsx", (".xlsx",), "columns", _batches, parts=False),)
