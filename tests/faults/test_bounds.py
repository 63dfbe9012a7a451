"""Files that cost far more than they are, in time or in space: linear, or refused in a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.readers.catalogue import UnitNote
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.readers.strings import LAYOUT, open_catalogue
from evenhand.readers.tmx import pairs
from evenhand.results.runs import Run

NOTE = UnitNote("open", "user: the source leaves the gender open, the translation says male (Der Benutzer)")


def processor_seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def noted_xliff(path: Path, units: int) -> Path:
    unit = "<unit id='{}'><segment><source>The user left.</source><target>Der Nutzer ging.</target></segment></unit>\n"
    head = '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file>\n'
    path.write_text(head + "".join(unit.format(n) for n in range(units)) + "</file></xliff>\n")
    opened = open_catalogue(UserFile(path))
    path.write_bytes(opened.annotated({number: [NOTE] for number in range(units)}))
    return path


def test_xliff_with_notes_is_read_again_in_linear_time(tmp_path: Path) -> None:
    small, large = (noted_xliff(tmp_path / f"{n}.xlf", n) for n in (2_000, 16_000))
    small_seconds, seconds = (processor_seconds(partial(open_catalogue, UserFile(path))) for path in (small, large))
    assert seconds < 8 * small_seconds * 3 + 0.5
    assert seconds < 10


def test_a_po_string_of_many_lines_is_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text('msgid "a"\nmsgstr ""\n' + '"The quick brown fox jumps over the lazy dog.\\n"\n' * 240_000)
    opened: list[object] = []
    assert processor_seconds(lambda: opened.append(open_catalogue(UserFile(path)))) < 5
    (unit,) = open_catalogue(UserFile(path)).units
    assert unit.rendering == "The quick brown fox jumps over the lazy dog.\n" * 240_000


@pytest.mark.parametrize("name", ["a.tmx", "a.xlf"])
def test_thousands_of_declared_attributes_are_refused(tmp_path: Path, name: str) -> None:
    declared = "".join(f'<!ATTLIST tu a{n} CDATA "x">' for n in range(20_000))
    path = tmp_path / name
    path.write_text(f"<!DOCTYPE tmx [{declared}]><tmx><body>{'<tu/>' * 5_000}</body></tmx>")
    with pytest.raises(BadInput, match="declares more than 200 attributes"):
        open_catalogue(UserFile(path))
    with pytest.raises(BadInput, match="declares more than 200 attributes"):
        list(pairs(UserFile(path), source="en", target="de"))


def test_kilobytes_of_parquet_do_not_become_millions_of_rows(tmp_path: Path, mixed_run: Path) -> None:
    path = tmp_path / "a.parquet"
    text = pl.repeat("The user left.", 30_000_000, dtype=pl.String, eager=True)
    pl.DataFrame({"source": text, "rendering": text}).write_parquet(path, compression="zstd")
    assert path.stat().st_size < 1 << 20
    with pytest.raises(BadInput, match="30,000,000 rows would take more than 100 times its size"):
        read(path, LAYOUT)
    run = Run.load(mixed_run).save(tmp_path / "run").path
    assert run is not None
    path.rename(run / "renderings.parquet")
    with pytest.raises(BadInput, match="30,000,000 rows would take"):
        Run.load(run)


def test_one_long_text_in_every_row_of_a_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    text = pl.repeat("The user left. " * 1_000, 100_000, dtype=pl.String, eager=True)
    pl.DataFrame({"source": text, "rendering": text}).write_parquet(path)
    with pytest.raises(BadInput, match="texts unfold to more than 100 times its size"):
        read(path, LAYOUT)
