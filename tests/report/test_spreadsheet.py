"""CSV and TSV of whole tables: cell by cell what a plain reading of the rules says, whatever stands in the cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.report.exchange.spreadsheet import as_text, csv_table, tsv_table

cells = st.none() | st.text(
    st.sampled_from(" =+-@\t\r\n,\"'ab1\x0b\x1c\x1f\x85\xa0\u2003\u2028\u3000\ufeff"), max_size=4
)
numbers = st.none() | st.floats() | st.sampled_from([1e16, -0.0, 1e-7])
tables = st.lists(st.tuples(cells, numbers, st.none() | st.booleans(), st.none() | st.integers(-(2**40), 2**40)))


def made(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    schema = {"=text": pl.String, "number": pl.Float64, "flag": pl.Boolean, "count": pl.Int64}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.with_columns(kind=pl.col("=text").cast(pl.Categorical), parts=pl.concat_list("count", "count"))


@given(tables)
def test_a_table_as_csv_is_what_pythons_reader_gives_back_cell_by_cell(rows: list[tuple[object, ...]]) -> None:
    table = made(rows)
    read = list(csv.reader(io.StringIO(csv_table(table), newline=""), strict=True))
    assert read == [[as_text(value) for value in row] for row in (table.columns, *table.iter_rows())]


@given(tables)
def test_a_table_as_tsv_has_a_line_a_row_and_blanks_for_what_would_break_it(rows: list[tuple[object, ...]]) -> None:
    table = made(rows)
    lines = tsv_table(table).removesuffix("\n").split("\n")
    expected = [
        [" ".join(cell.split()) if any(sign in cell for sign in "\t\r\n") else cell for cell in map(as_text, row)]
        for row in (table.columns, *table.iter_rows())
    ]
    assert [line.split("\t") for line in lines] == expected


@pytest.mark.parametrize("written", [csv_table, tsv_table])
def test_pieces_without_the_names_put_together_are_the_whole_table(written: Callable[..., str]) -> None:
    table = made([("a", 1.0, True, 1), (None, None, None, None), ("=b,\n", -0.5, False, -2)])
    pieces = [written(part, header=number == 0) for number, part in enumerate(table.iter_slices(1))]
    assert "".join(pieces) == written(table)
    assert written(table.head(0), header=False) == ""


@pytest.mark.parametrize("text", ["=1", " +1", "\t-1", "\u3000@x", "\x1c=1", "\nplain"])
def test_a_text_that_would_run_as_a_formula_has_a_quote_in_front(text: str) -> None:
    table = pl.DataFrame({"a": [text]})
    assert csv_table(table, header=False).lstrip('"').startswith("'")
    assert tsv_table(table, header=False).startswith("'")
