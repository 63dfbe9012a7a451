"""The command's own manners: what it wants, and what it says when it does not get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.cli.main import run
from evenhand.errors import BadInput, Unknown


def test_text_system_and_target_are_wanted(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--system and --target"):
        run(["mine", "-o", str(tmp_path)])


def test_a_file_that_is_not_there_is_named(tmp_path: Path, tiny_lm: Path) -> None:
    asked = [
        "mine",
        str(tmp_path / "no.txt"),
        "-s",
        "command:cat",
        "-t",
        "es",
        "-o",
        str(tmp_path),
        "--lm",
        str(tiny_lm),
    ]
    with pytest.raises(BadInput, match=r"no\.txt: no such file"):
        run(asked)


def test_text_without_a_usable_sentence_is_an_error(tmp_path: Path, tiny_lm: Path) -> None:
    (tmp_path / "short.txt").write_text("No.\nYes.\n")
    asked = ["mine", str(tmp_path / "short.txt"), "-s", "command:cat", "-t", "es", "-o", str(tmp_path / "o")]
    with pytest.raises(BadInput, match="no usable sentence"):
        run([*asked, "--lm", str(tiny_lm)])


def test_an_unknown_engine_is_named_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(Unknown, match="local, ray"):
        run(["mine", "x", "-s", "command:cat", "-t", "es", "-o", str(tmp_path), "--engine", "spark"])
