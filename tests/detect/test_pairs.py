"""Reading PAIRS.tsv: every row comes back or an error names its line."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenhand
from evenhand.detect.pairs import read_pairs
from evenhand.errors import BadInput
from evenhand.readers.focus import resolve_focus
from evenhand.readers.opening import BLOCK_LINES

HEADER = "id\tsource\trendering\tfocus_start\tfocus_end\n"
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\ufeff"), max_size=40)


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@settings(deadline=None)
@given(st.lists(st.tuples(CELL.map("x{}".format), CELL), max_size=20))
def test_what_is_written_is_read_back(rows: list[tuple[str, str]]) -> None:
    text = HEADER + "".join(f"{k}\t{source}\t{rendering}\t0\t1\n" for k, (source, rendering) in enumerate(rows))
    stream, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        read = pl.concat(read_pairs("-"))
    finally:
        sys.stdin = stream
    assert list(zip(read["source"].to_list(), read["rendering"].to_list(), strict=True)) == rows


def test_batches_keep_every_row_of_a_long_file(tmp_path: Path) -> None:
    rows = BLOCK_LINES + 7
    path = write(tmp_path, HEADER + "".join(f"{k}\tThe nurse\tx\t4\t9\n" for k in range(rows)))
    batches = list(read_pairs(path))
    assert len(batches) == 2
    assert pl.concat(batches)["id"].to_list() == [str(k) for k in range(rows)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "1\ta nurse\tx\t2\t7\n2\ta\tb\tc\td\te\n", "line 3: 6 columns, but the header has 5"),
        (HEADER + "1\ta nurse\tx\t2\t7\n1\ta nurse\tx\t2\t7\n", "line 3: id '1' is already used"),
        (HEADER.encode() + b"1\t\xff\tx\t0\t1\n", "line 2 column 3: byte 0xff is not UTF-8"),
        (HEADER + "1\ta nurse\tx\t2\t70\n", "line 2: the focus 2-70 is not inside the source of 7 characters"),
        (HEADER + "1\ta nurse\tx\ttwo\t7\n", "line 2 column focus_start: 'two' is not a character offset"),
        ("id\tsource\n", "line 1: no column 'rendering'; it has id, source"),
        ("id\tsource\trendering\n", "line 1: no focus_start and focus_end, or focus; it has"),
        ("id\tsource\trendering\tfocus\n1\tnurse to nurse\tx\tnurse\n", "line 2: the focus 'nurse' occurs 2 times"),
        (
            "id\tsource\trendering\tfocus\n1\tThe cook\tx\tnurse\n",
            "line 2: the focus 'nurse' occurs 0 times in the source; copy it from",
        ),
        ("", "the file is empty"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        list(read_pairs(write(tmp_path, text)))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.tsv: cannot be read"):
        list(read_pairs(tmp_path / "nowhere.tsv"))


def test_a_whole_word_wins_over_the_same_letters_inside_another() -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": ["The mechanic, a man, ran."], "rendering": ["x"], "focus": ["man"]})
    found = resolve_focus(pairs)
    assert (found["focus_start"][0], found["focus_end"][0]) == (16, 19)


def test_quotes_and_astral_characters_are_characters(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + '1\t😀 "The nurse"\tx\t7\t12\n')
    (batch,) = read_pairs(path)
    assert batch["source"][0][7:12] == "nurse"


def test_an_error_in_a_table_names_the_id() -> None:
    pairs = pl.DataFrame({"id": ["n7"], "source": ["x"], "rendering": ["y"], "focus": ["nurse"]})
    with pytest.raises(BadInput, match="id 'n7'"):
        resolve_focus(pairs)


def test_a_focus_between_stars_is_read_and_other_stars_are_text(tmp_path: Path) -> None:
    rows = (
        "1\tThe **nurse** sings.\tx",
        "2\tThe **nurse** and the **doctor** sing.\tx",
        "3\tThe **nurse sings.\tx",
        "4\tThe nurse sings.\tx",
    )
    read = pl.concat(read_pairs(write(tmp_path, "\n".join(("id\tsource\trendering", *rows)) + "\n"), needs_focus=False))
    assert read["source"].to_list() == ["The nurse sings.", *(row.split("\t")[1] for row in rows[1:])]
    assert read["focus_start"].to_list() == [4, None, None, None]
    assert read["focus_end"].to_list() == [9, None, None, None]


def test_stars_in_a_row_with_a_focus_of_its_own_are_text(tmp_path: Path) -> None:
    text = "id\tsource\trendering\tfocus\n1\tThe **new** nurse sings.\tx\tnurse\n"
    read = pl.concat(read_pairs(write(tmp_path, text)))
    assert read["source"].item() == "The **new** nurse sings."
    assert read["focus_start"].item() == 12


def test_pairs_in_memory_may_mark_their_focus_too() -> None:
    pairs = {
        "id": ["1"],
        "source": ["The **doctor** asked the nurse."],
        "rendering": ["La doctora preguntó al enfermero."],
    }
    assert evenhand.detect(pl.DataFrame(pairs), target="es")["gender"].to_list() == ["female"]
