"""The commands of docs/speaker.md, run as they are written where they need no service."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tours import DOCS, linux_shell, shell_in

PAGE = (DOCS / "speaker.md").read_text("utf-8")
COMMANDS = [line.strip() for line in PAGE.split("\n") if line.startswith("    evenhand ")]


@linux_shell
def test_the_page_s_pairs_are_judged_and_its_sentences_audited(tmp_path: Path) -> None:
    shell = shell_in(tmp_path)
    pairs = "id\tsource\trendering\n1\tI was tired.\tByla jsem unavená.\n2\tI live here.\tBydlím tady.\n"
    (tmp_path / "pairs.tsv").write_text(pairs, "utf-8")
    told = shell(next(command for command in COMMANDS if "--kind speaker" in command))
    assert [line.split("\t")[:3] for line in told.stdout.split("\n")[1:3]] == [
        ["1", "female", "Byla"],
        ["2", "neutral", ""],
    ]
    audited = shell(next(command for command in COMMANDS if "audit speaker" in command))
    assert audited.returncode == 0
    assert "male_rate" in audited.stdout


@linux_shell
def test_the_page_s_commands_about_asking_go_through(tmp_path: Path) -> None:
    shell = shell_in(tmp_path)
    asking = [command for command in COMMANDS if "occupations-coreference" in command or "obedience" in command]
    told = [shell(command) for command in asking]
    assert [one.returncode for one in told] == [0, 0, 0], told[-1].stdout
    assert "obeyed" in told[-1].stdout
    assert "interference" in told[-1].stdout


@linux_shell
def test_the_page_s_replication_agrees(tmp_path: Path, shared_data: Path) -> None:
    command = next(command for command in COMMANDS if "replicate" in command)
    told = shell_in(tmp_path)(command.replace("../shared/data", str(shared_data)) + " --system deepl")
    assert told.returncode == 0
    assert "correlation 0.99" in told.stdout or "correlation 1.000" in told.stdout


@pytest.mark.parametrize("figure", ["704 first-person", "1,744 of 1,744", "826 of 1,888"])
def test_figures_that_other_tests_hold_stand_on_the_page(figure: str) -> None:
    assert figure in " ".join(PAGE.split())
