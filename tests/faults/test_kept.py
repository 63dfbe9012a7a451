"""Inputs that once broke something (found by `make soak` or by hand) are read again for ever."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults.doors import DOORS
from tests.faults.samples import Sample, samples

from evenhand.errors import EvenhandError
from evenhand.readers.registry import FORMATS
from evenhand.suites.registry import list_suites

NAMELESS = {"pairs": (".pairs",), "android": (".android",)}  # recognised by its lines, whatever the file is called
KEPT = sorted(path for path in (Path(__file__).parent / "kept").iterdir() if path.name != "README.md")


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_what_once_broke_a_reader_is_read_or_refused_in_a_sentence(path: Path, tmp_path: Path) -> None:
    copied = tmp_path / path.name
    copied.write_bytes(path.read_bytes())
    for door in DOORS.values():
        said = ""
        try:
            door(copied)
        except EvenhandError as error:
            said = str(error)
        assert said.count("\n") <= 2
        assert len(said) < 2_000


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: f"{sample.door}{sample.suffix}")
def test_a_file_that_is_right_for_its_door_is_read(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / f"input{sample.suffix}"
    path.write_bytes(sample.content)
    DOORS[sample.door](path)


def test_every_reader_is_a_door_and_every_door_has_a_file() -> None:
    there = samples()
    assert {sample.door for sample in there} == set(DOORS)
    assert {entry.name for entry in list_suites() if entry.takes_path} <= set(DOORS)
    suffixes = {sample.suffix for sample in there}
    assert [
        name for name, format in FORMATS.items() if not {*format.suffixes, *NAMELESS.get(name, ())} & suffixes
    ] == []
