"""The tour of docs/localisation.md: its commands print what the page says; its CI job fails, then passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tours import DOCS, blocks, linux_shell, shell_in, steps


@pytest.mark.slow
@linux_shell
def test_the_tour_prints_what_the_page_says_and_its_job_fails_until_it_is_mended(tmp_path: Path) -> None:
    page = (DOCS / "localisation.md").read_text("utf-8")
    shell = shell_in(tmp_path)
    (tmp_path / "de.po").write_text(blocks(page, "po")[0], encoding="utf-8")
    job = re.findall(r"- run: (evenhand .*)", blocks(page, "yaml")[0])
    assert shell(f"set -e; {'; '.join(job)}").returncode == 1
    for command, told in steps(page):
        assert (command, shell(command).stdout) == (command, told)
    assert shell(f"set -e; {'; '.join(job)}").returncode == 0
    assert shell("evenhand check-file nowhere.po").returncode == 2
