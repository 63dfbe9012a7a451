"""The tour of docs/projects.md: its files, its commands, what they print, and the same from Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tours import DOCS, blocks, linux_shell, shell_in, steps

PAGE = (DOCS / "projects.md").read_text("utf-8")


def write_files(folder: Path) -> None:
    """Each block begins with a comment that names its file."""
    for text in (*blocks(PAGE, "tsv"), *blocks(PAGE, "toml")):
        name, rest = text.removeprefix("# ").split("\n", 1)
        (folder / name).write_text(rest, encoding="utf-8")


@pytest.mark.slow
@linux_shell
def test_the_tour_prints_what_the_page_says(tmp_path: Path) -> None:
    shell = shell_in(tmp_path)
    write_files(tmp_path)
    for command, told in steps(PAGE):
        assert (command, shell(command).stdout) == (command, told)
    assert (tmp_path / "runs" / "overview.html").is_file()


@pytest.mark.slow
def test_the_python_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_MEMORY", str(tmp_path / "memory.sqlite"))
    names: dict[str, object] = {}
    exec(blocks(PAGE, "python")[0], names)
