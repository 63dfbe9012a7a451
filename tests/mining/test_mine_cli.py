"""The command's own manners: what it wants, and what it says when it does not get it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand

from evenhand.cli.main import run
from evenhand.errors import BadInput, Unknown
from evenhand.results.runs import Run

TRANSLATOR = Path(__file__).with_name("word_translator.py")
NOUNS = ("nurse", "teacher", "doctor", "engineer", "secretary", "lawyer", "baker", "farmer", "driver", "writer")


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


def test_repeated_targets_add_and_other_options_that_are_given_twice_are_refused(tmp_path: Path, tiny_lm: Path) -> None:
    (tmp_path / "text.txt").write_text("".join(f"The {noun} works here with us.\n" for noun in NOUNS))
    asked = ("mine", "text.txt", "-s", f"command:{sys.executable} {TRANSLATOR}", "--lm", tiny_lm, "-o", "out")
    done = evenhand(*asked, "--target", "es", "-t", "it,es", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.parent.name for path in (tmp_path / "out").glob("*/pairs.tsv")) == ["es", "it"]
    twice = evenhand("audit", "speaker", "-s", "command:cat", "-t", "es", "--target", "de", folder=tmp_path)
    assert (twice.returncode, twice.stdout) == (2, "")
    assert "--target is given twice and takes one value" in twice.stderr


def test_what_another_system_answered_is_replaced_only_when_told(tmp_path: Path, tiny_lm: Path) -> None:
    (tmp_path / "text.txt").write_text(
        "".join(f"The {noun} works in house number {n}.\n" for n, noun in enumerate(NOUNS))
    )
    shutil.copy(TRANSLATOR, tmp_path / "first.py")
    shutil.copy(TRANSLATOR, tmp_path / "second.py")

    def mined(program: str, *options: str) -> CompletedProcess[str]:
        asked = ("mine", "text.txt", "-s", f"command:{sys.executable} {program}", "-t", "es", "-o", "out")
        return evenhand(*asked, "--lm", tiny_lm, *options, folder=tmp_path)

    assert mined("first.py").returncode == 0
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    refused = mined("second.py")
    assert refused.returncode == 2
    assert "holds pairs mined through" in refused.stderr
    assert "mine --replace" in refused.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before
    assert mined("second.py", "--replace").returncode == 0
    assert "second.py" in Run.load(tmp_path / "out" / "es").manifest.system
