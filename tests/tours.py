"""Pages of docs/ whose commands are run: the blocks of a page, and a shell that knows `evenhand`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command_line import evenhand

DOCS = Path(__file__).resolve().parents[1] / "docs"
SHELL_S_OWN = re.compile(r"[|<>;&$`*?~{}()\[\]!]")  # what only a shell understands; other commands need no process
Shell = Callable[[str], subprocess.CompletedProcess[str]]
linux_shell = pytest.mark.skipif(
    shutil.which("bash") is None or sys.platform != "linux", reason="the tours are written for a Linux shell"
)


def blocks(page: str, kind: str) -> list[str]:
    """The fenced blocks of one kind, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def steps(page: str) -> list[tuple[str, str]]:
    """Every command of the page with what it prints."""
    parts = [re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:] for block in blocks(page, "console")]
    return [(command, told) for part in parts for command, told in zip(part[::2], part[1::2], strict=True)]


def shell_in(folder: Path) -> Shell:
    """Commands as a user gives them in `folder`; what a terminal would show is in `stdout`."""
    verb = folder / "bin" / "evenhand"
    verb.parent.mkdir()
    verb.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evenhand "$@"\n')
    verb.chmod(0o755)
    environment = os.environ | {"PATH": f"{verb.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    environment["EVENHAND_MEMORY"] = str(folder / "memory.sqlite")

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        if command.startswith("evenhand ") and not SHELL_S_OWN.search(command.partition(" # ")[0]):
            words = shlex.split(command, comments=True)[1:]
            return evenhand(*words, folder=folder, environment=environment, together=True)
        return subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    return shell
