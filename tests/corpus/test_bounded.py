"""Parallel text of any shape is read in bounded memory: one huge row group, one line without end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.corpus.own_pairs import text

from evenhand.corpus.reading import Sides, origins, read_pairs
from evenhand.errors import BadInput
from evenhand.readers import parquet
from evenhand.readers.opening import LONGEST_LINE, UserFile
from evenhand.readers.tmx import LONGEST, pairs

READING = """
import json, sys
from pathlib import Path
from evenhand.corpus.reading import origins
from evenhand.corpus.reading import Sides, read_pairs
from evenhand.pipeline.shards import memory
before = memory()
(text,) = origins([sys.argv[1]], source="en", target="de")
count = sum(batch.height for batch in read_pairs(text, Sides("en", "de")))
print(json.dumps({"count": count, "grown": memory("VmHWM") - before}))
"""
UNIT = '<tu><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="de"><seg>Ja.</seg></tuv></tu>'


def in_one_group(table: pl.DataFrame, path: Path) -> Path:
    table.write_parquet(path, row_group_size=table.height, compression="uncompressed")
    return path


def read(path: Path) -> pl.DataFrame:
    (origin,) = origins([path], source="en", target="de")
    return pl.concat(read_pairs(origin, Sides("en", "de")))


@pytest.mark.skipif(sys.platform == "win32", reason="the platform does not tell a process's memory")
def test_a_row_group_of_any_size_takes_the_same_memory(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    told = []
    for count in (100_000, 600_000):
        number = pl.int_range(count, eager=True).cast(pl.String)
        sides = {"en": "The nurse came home late, number " + number, "de": "Die Pflegerin kam spät, Nummer " + number}
        path = in_one_group(
            pl.DataFrame({**sides, "note": "a column nobody asks for " * 4 + number}), tmp_path / f"{count}.parquet"
        )
        done = subprocess.run([sys.executable, "-c", READING, str(path)], capture_output=True, text=True, check=True)
        told.append(json.loads(done.stdout))
    assert [one["count"] for one in told] == [100_000, 600_000]
    assert told[1]["grown"] < told[0]["grown"] + 200, told  # MB, pyarrow too; with the whole group decoded it was 426


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_parquet_read_by_pages_gives_the_pairs_it_gives_by_slices(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    table = pl.DataFrame(text(40), schema=["EN", "de"], orient="row").with_row_index("id")
    table = table.with_columns(
        pl.col("de").cast(pl.Categorical), document=pl.col("id") // 9, picture=pl.lit(b"\x00\xff")
    )
    path = in_one_group(table, tmp_path / "pairs [1].parquet")
    if packing:
        import gzip

        path = tmp_path / "packed.parquet.gz"
        path.write_bytes(gzip.compress((tmp_path / "pairs [1].parquet").read_bytes()))
    sliced = read(path)
    monkeypatch.setattr(parquet, "SMALL", 0)
    monkeypatch.setattr(parquet, "ROWS", 50)
    assert read(path).equals(sliced)
    assert sliced.select("source", "rendering").rows() == text(40)
    assert sliced["line"].to_list() == list(range(1, table.height + 1))
    assert sliced["document"].to_list() == [str(n // 9) for n in range(table.height)]


def test_a_nested_column_and_an_empty_table_are_read_by_pages_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet, "SMALL", 0)
    nested = pl.DataFrame({"translation": [{"en": source, "de": target} for source, target in text()]})
    assert read(in_one_group(nested, tmp_path / "nested.parquet")).select("source", "rendering").rows() == text()
    nested.clear().write_parquet(tmp_path / "empty.parquet")
    assert read(tmp_path / "empty.parquet").height == 0


def test_bytes_that_claim_to_be_text_are_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow, written = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    broken = arrow.Array.from_buffers(arrow.string(), 1, arrow.array([b"caf\xe9"]).buffers())
    written.write_table(arrow.table({"en": broken, "de": ["x"]}), tmp_path / "broken.parquet")
    for small in (parquet.SMALL, 0):
        monkeypatch.setattr(parquet, "SMALL", small)
        with pytest.raises(BadInput, match=r"broken\.parquet: cannot be read as Parquet"):
            read(tmp_path / "broken.parquet")


def test_a_cell_that_is_no_sentence_by_any_measure_is_one_error(tmp_path: Path) -> None:
    texts = ["The nurse came.", "x" * (LONGEST_LINE + 1)]
    path = in_one_group(pl.DataFrame({"en": texts, "de": ["Die Pflegerin kam.", "x"]}), tmp_path / "a.parquet")
    with pytest.raises(BadInput, match=r"a\.parquet line 2: a text longer than 64 MB"):
        read(path)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (UNIT.format("no end " * (LONGEST // 7 + 1)), "a unit longer than 8 MB"),
        (
            f"<!-- {'no end ' * (LONGEST // 7 + 300_000)} -->{UNIT.format('Yes.')}",
            "a tag or a comment longer than 8 MB",
        ),
        (f'<note o="{"no end " * (LONGEST // 7 + 300_000)}"/>', "a tag or a comment longer than 8 MB"),
    ],
    ids=["text", "comment", "attribute"],
)
def test_a_tmx_with_a_part_without_end_is_one_error(body: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(f"<tmx><body>\n{UNIT.format('No.')}\n{body}</body></tmx>", encoding="utf-8")
    with pytest.raises(BadInput, match=rf"a\.tmx line 3: {told}"):
        list(pairs(UserFile(path), source="en", target="de"))


def test_a_tmx_of_many_units_on_one_line_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(f"<tmx><body>{UNIT.format('A long one. ' * 40) * 30_000}</body></tmx>", encoding="utf-8")
    assert path.stat().st_size > 2 * LONGEST > path.read_bytes().count(b"\n")
    assert sum(1 for _ in pairs(UserFile(path), source="en", target="de")) == 30_000
