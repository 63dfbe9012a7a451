"""Run the command line as a user does who stands in the test's own folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand

Cli = Callable[..., CompletedProcess[str]]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    def run(*arguments: str | Path, stdin: str = "") -> CompletedProcess[str]:
        memory = {"EVENHAND_MEMORY": str(tmp_path / "memory.sqlite")}
        return evenhand(*arguments, folder=tmp_path, stdin=stdin, environment=memory)

    return run


@pytest.fixture
def probes(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    (tmp_path / "she.sh").write_text("sed 's/^Ő /She is number /'\n", encoding="utf-8")
    rows = [f"p{n:02d}\tŐ {n}.\thu\tc{n // 2}" for n in range(24)]
    path.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"{'She' if n % 4 == 0 else 'He'} is {n}.\n" for n in range(24)))
    return path
