"""The tour of docs/localisation.md: its commands print what the page says; its CI job fails, then passes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "localisation.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def steps() -> list[tuple[str, str]]:
    """Every command of the page with what it prints."""
    parts = [re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:] for block in blocks("console")]
    return [(command, told) for part in parts for command, told in zip(part[::2], part[1::2], strict=True)]


@pytest.mark.skipif(
    shutil.which("bash") is None or sys.platform != "linux", reason="the tour is written for a Linux shell"
)
def test_the_tour_prints_what_the_page_says_and_its_job_fails_until_it_is_mended(tmp_path: Path) -> None:
    verb = tmp_path / "bin" / "evenhand"
    verb.parent.mkdir()
    verb.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evenhand "$@"\n')
    verb.chmod(0o755)
    environment = os.environ | {"PATH": f"{verb.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    (tmp_path / "de.po").write_text(blocks("po")[0], encoding="utf-8")

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    job = re.findall(r"- run: (evenhand .*)", blocks("yaml")[0])
    assert shell(f"set -e; {'; '.join(job)}").returncode == 1
    for command, told in steps():
        done = shell(command)
        assert (command, done.stdout, done.stderr) == (command, told, "")
    assert shell(f"set -e; {'; '.join(job)}").returncode == 0
    assert shell("evenhand check-file nowhere.po").returncode == 2
