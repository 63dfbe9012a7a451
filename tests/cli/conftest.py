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
