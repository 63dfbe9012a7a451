"""Every format gives the same rows; hostile files give one clear error; complaints name file, line and column."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import BLOCK_LINES, UserFile
from evenhand.readers.registry import FORMATS, chosen, read, stream

LAYOUT = Layout("row", (Column("id", required=True, filled=True), Column("text", required=True)), unique=("id",))
TABLES = [name for name, format in FORMATS.items() if format.carries == "columns"]
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\ufeff"), max_size=30)
ROWS = st.lists(TEXT.map("x{}".format), min_size=1, max_size=12)


def encoded(format: str, texts: list[str]) -> bytes:
    """A table with the columns id and text, made by somebody else's writer."""
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    stream = io.StringIO(newline="")
    match format:
        case "tsv":
            stream.write("id\ttext\n" + "".join(f"{row['id']}\t{row['text']}\n" for row in rows))
        case "csv":
            writer = csv.DictWriter(stream, ["id", "text"])
            writer.writeheader()
            writer.writerows(rows)
        case "jsonl":
            stream.write("".join(json.dumps(row) + "\n" for row in rows))
        case "json":
            json.dump(rows, stream, indent=1)
        case "parquet":
            held = io.BytesIO()
            pl.DataFrame(rows).write_parquet(held)
            return held.getvalue()
        case "xlsx":
            openpyxl: Any = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
            book, held = openpyxl.Workbook(), io.BytesIO()
            for row in ({"id": "id", "text": "text"}, *rows):
                book.active.append(list(row.values()))
            book.save(held)
            return held.getvalue()
    return stream.getvalue().encode()


def packed(suffix: str, content: bytes) -> bytes:
    if suffix == ".zst":
        return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(content))
    return gzip.compress(content) if suffix == ".gz" else lzma.compress(content) if suffix == ".xz" else content


@pytest.mark.parametrize("format", TABLES)
@settings(max_examples=40, deadline=None)
@given(texts=ROWS)
def test_what_is_written_is_read_back(format: str, texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / f"a.{format}"
    if format == "xlsx":  # Excel has no control characters
        texts = ["".join(sign for sign in text if sign.isprintable()) for text in texts]
    path.write_bytes(encoded(format, texts))
    assert read(path, LAYOUT)["text"].to_list() == texts


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("format", TABLES)
def test_a_compressed_file_is_the_same_file_and_a_cut_one_is_an_error(format: str, suffix: str, tmp_path: Path) -> None:
    texts = [f"The nurse number {n} sings." for n in range(300)]
    path = tmp_path / f"a.{format}{suffix}"
    path.write_bytes(packed(suffix, encoded(format, texts)))
    assert (UserFile(path).suffix, UserFile(path).stem) == (f".{format}", "a")
    assert read(path, LAYOUT)["text"].to_list() == texts
    if suffix:
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(BadInput, match=r"a\.\w+\.\w+: cannot be read"):
            read(path, LAYOUT)


def one_error_or_rows(path: Path, layout: Layout) -> None:
    """Whatever the bytes are: rows, or one sentence that names the file."""
    told = str(path)
    try:
        read(path, layout)
    except BadInput as error:
        told = str(error)
    assert told.startswith(str(path))
    assert "\n" not in told


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=200) | st.text('{}[]":,\t\n#|x1\\ud ', max_size=80).map(str.encode))
def test_hostile_bytes_are_one_error(format: str, content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    suffix = next(iter(FORMATS[format].suffixes), ".any")
    path = tmp_path_factory.mktemp("hostile") / f"a{suffix}"
    path.write_bytes(content)
    one_error_or_rows(path, LAYOUT)
    one_error_or_rows(path, Layout("row", some=False, ragged=True, gaps=True, notes="anywhere", trimmed=True))


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 2_000), byte=st.integers(0, 255), suffix=st.sampled_from(["csv.xz", "jsonl.gz", "json.zst"]))
def test_a_file_with_one_wrong_byte_is_read_or_refused(
    at: int, byte: int, suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    format, _, pack = suffix.partition(".")
    content = bytearray(packed(f".{pack}", encoded(format, [f"A nurse sings {n}." for n in range(40)])))
    content[at % len(content)] = byte
    path = tmp_path_factory.mktemp("bent") / f"a.{suffix}"
    path.write_bytes(content)
    one_error_or_rows(path, LAYOUT)


@settings(max_examples=40, deadline=None)
@given(kept=st.integers(0, 1_000))
def test_a_cut_parquet_file_is_one_error(kept: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A flipped bit inside a page can end the process in Polars' own decoder; nothing here can prevent that."""
    content = encoded("parquet", ["A nurse sings."] * 40)
    path = tmp_path_factory.mktemp("cut") / "a.parquet"
    path.write_bytes(content[: kept % len(content)])
    with pytest.raises(BadInput, match=r"a\.parquet: cannot be read as Parquet"):
        read(path, LAYOUT)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "id\ttext\n1\ta\n\n2\tb\n", r"line 3: a blank line between rows"),
        ("a.tsv", "# made by hand\nid\ttext\n1\ta\tb\n", r"line 3: 3 columns, but the header has 2"),
        (
            "a.tsv",
            "id;text\n1;a\n",
            r"line 1: no column 'id'; it has id;text. Columns are separated by semicolons here, not by tabs: save",
        ),
        ("a.tsv", "#id\ttext\n1\ta\n", r"line 1: no column 'id'; it has #id, text"),
        ("a.csv", 'id,text\n1,"two\nlines"\n1,b\n', r"line 4: id '1' is already used in line 2"),
        ("a.csv", 'id,text\n1,a\n2,"open\n', r"line 3: not CSV \(unexpected end of data\)"),
        ("a.csv", "id\ttext\n1\ta\n", r"line 1: no column 'id'; it has id text. Columns are separated by tabs here"),
        ("a.csv", "id,text\n1,a,b\n", r"line 2: 3 columns"),
        ("a.jsonl", '{"id": 1, "text": "a"}\n\n{"id": 1}\n', r"line 3: id '1' is already used in line 1"),
        ("a.jsonl", '{"id": 1, "text": ["a"]}\n', r"line 1 column text: a text was expected, not \[\"a\"\]"),
        ("a.jsonl", '{"id": 1, "text": "\\ud800"}\n', r"line 1: half a surrogate pair"),
        ("a.jsonl", "[" * 100_000, r"line 1"),
        ("a.jsonl", '{"id": ' + "9" * 5_000 + "}", r"line 1: a JSON number too long"),
        ("a.jsonl", "7\n", r"line 1: a JSON object was expected, not 7"),
        ("a.json", '[\n {"id": 1, "text": "a"},\n {"id": 2\n}\n x]', r"line 3: a comma or \] was expected"),
        ("a.json", '[\n {"id": 1, "text": "a"},\n {"id": 2 "text"}]', r"line 3 column 11: not JSON"),
        ("a.json", '[{"id": 1, "text": "a"}]\n]', r"line 1: text follows the end"),
        ("a.json", "7", r"a JSON array of objects, or an object of messages, was expected; .* \.jsonl"),
        ("a.json", '{"id": 1}', r"there are no rows in it"),
        ("a.json", '{"id": "x",\n "a" 1}', r"line 2 column 6: not JSON \(Expecting ':' delimiter\)"),
        ("a.json", "[\n\n7]", r"line 3: a JSON object was expected, not 7"),
        ("a.json", "[]", r"there are no rows in it"),
        ("a.tsv", "id\ttext\t_line\n1\ta\tb\n", r"line 1: the column '_line' has a name we use ourselves"),
        ("a.jsonl", '{"id": 1, "text": "a", "_line": 2}', r"the column '_line' has a name we use ourselves"),
        ("a.txt", "a\nb\n", r"line 1: no column 'id'; it has a. Is the header missing\? Needed: id"),
        ("a.tsv", "ID\tText\n1\ta\n", r"line 1: no column 'id'; it has ID, Text. Write id for ID"),
        ("a.csv", "text,rest\na,b\n", r"line 1: no column 'id'; it has text, rest. Needed: id"),
        ("a.csv", "PK\x03\x04sheet", r"line 1: a workbook or an archive, not a text; save its sheet as CSV in UTF-8"),
    ],
)
def test_a_complaint_names_the_line_and_the_remedy(name: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(BadInput, match=message):
        read(path, LAYOUT, format=chosen(UserFile(path), otherwise="tsv"))


def test_types_are_checked_by_what_the_caller_says(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    layout = Layout(
        "row", (Column("n", type=pl.Int64(), means="a whole number"), Column("m", type=pl.UInt16(), default=3))
    )
    path.write_text("n,m\n 4 ,\n,7\n")
    assert read(path, layout).select("n", "m").rows() == [(4, 3), (None, 7)]
    path.write_text("n,m\n4,1\n4.5,1\n")
    with pytest.raises(BadInput, match=r"line 3 column n: '4\.5' is not a whole number"):
        read(path, layout)


def test_a_column_may_have_another_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"translation": "a"}\n{"target": "b", "translation": null}\n')
    layout = Layout("row", (Column("rendering", ("translation", "target"), required=True, given=True),))
    assert read(path, layout)["rendering"].to_list() == ["a", "b"]


def test_notes_and_gaps_are_skipped_where_the_caller_says(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("# one, two\n#three\nid,text\n# 1,a note\n\n2,b\n")
    with pytest.raises(BadInput, match="line 5: a blank line"):
        read(path, LAYOUT)
    loose = Layout("row", LAYOUT.columns, notes="anywhere", gaps=True)
    assert read(path, loose).rows() == [(6, "2", "b")]


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl"])
def test_a_long_file_comes_in_batches_with_its_lines(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{format}"
    path.write_bytes(encoded(format, ["x"] * (BLOCK_LINES + 5)))
    first, second = stream(path, LAYOUT)
    assert first.height <= BLOCK_LINES
    header = 0 if format == "jsonl" else 1
    numbers = [*first[LINE].to_list(), *second[LINE].to_list()]
    assert numbers == [header + n for n in range(1, BLOCK_LINES + 6)]
    twice = path.read_bytes() + encoded(format, ["x"]).splitlines(keepends=True)[-1]
    path.write_bytes(twice)
    with pytest.raises(BadInput, match=r"id '0' is already used; every row needs its own id"):
        list(stream(path, LAYOUT))


def test_standard_input_is_read_once_as_the_usual_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfid\ttext\r\n1\ta\r\n")))
    assert read("-", LAYOUT).rows() == [(2, "1", "a")]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"id\n1\n")))
    with pytest.raises(BadInput, match=r"stdin line 1: no column 'text'"):
        read("-", LAYOUT)
