"""Run the command line as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    def run(*arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "EVENHAND_MEMORY": str(tmp_path / "memory.sqlite"), "PYTHONUTF8": "1"}
        return subprocess.run(
            [sys.executable, "-c", "from evenhand.cli.main import main; main()", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=False,
            timeout=300,
        )

    return run
