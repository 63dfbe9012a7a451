"""Inputs that once broke something (found by `make soak` or by hand) are read again for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import EvenhandError
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system

KEPT = sorted(path for path in (Path(__file__).parent / "kept").iterdir() if path.name != "README.md")


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_what_once_broke_a_reader_is_read_or_refused_in_a_sentence(path: Path) -> None:
    for opened in (lambda: load_suite(path).probes, lambda: open_system(f"file:{path}")):
        said = ""
        try:
            opened()
        except EvenhandError as error:
            said = str(error)
        assert said.count("\n") <= 2
        assert len(said) < 2_000
