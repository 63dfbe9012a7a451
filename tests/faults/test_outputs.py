"""What a command writes takes no input's place and nobody's work: one rule for every verb."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand
from typer.main import get_command

from evenhand.cli.main import VERBS, app_of

Cli = Callable[..., CompletedProcess[str]]
INPUT, WORK = "is an input of this command", "give --overwrite"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    def run(*arguments: object) -> CompletedProcess[str]:
        own = {"XDG_STATE_HOME": str(tmp_path / "state"), "EVENHAND_MEMORY": str(tmp_path / "memory.sqlite")}
        return evenhand(*arguments, folder=tmp_path, environment=own)

    return run


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "t.tsv"
    rows = [f"{n}\tThe doctor left after {n} hours.\tDer Arzt ging nach {n} Stunden.\n" for n in range(12)]
    path.write_text("id\tsource\trendering\n" + "".join(rows), encoding="utf-8")
    return path


COMMANDS = {
    "corpus": ("corpus", "t.tsv", "-t", "de", "-o", "counts", "--want", "0.5", "--write-balanced", "t.tsv"),
    "detect": ("detect", "t.tsv", "-t", "de", "-o", "t.tsv"),
    "mend": ("mend", "t.tsv", "-t", "de", "--to", "female", "-o", "t.tsv"),
    "check-file": ("check-file", "t.tsv", "--sources", "s.tsv", "-t", "de", "-o", "s.tsv"),
    "calibrate": ("calibrate", "t.tsv", "-o", "t.tsv"),
}


@pytest.mark.parametrize("verb", COMMANDS)
def test_an_output_that_is_an_input_is_refused(cli: Cli, pairs: Path, verb: str) -> None:
    (pairs.parent / "s.tsv").write_bytes(pairs.read_bytes())
    before = pairs.read_bytes()
    for more in ([], ["--overwrite"]):
        done = cli(*COMMANDS[verb], *more)
        assert done.returncode == 2
        assert INPUT in done.stderr
    assert pairs.read_bytes() == (pairs.parent / "s.tsv").read_bytes() == before
    assert not (pairs.parent / "counts").exists()


def test_another_name_of_an_input_is_an_input(cli: Cli, pairs: Path) -> None:
    (pairs.parent / "link.tsv").symlink_to(pairs)
    os.link(pairs, pairs.parent / "hard.tsv")
    before = pairs.read_bytes()
    for name in ("link.tsv", "hard.tsv", "./t.tsv"):
        done = cli("detect", "t.tsv", "-t", "de", "-o", name)
        assert INPUT in done.stderr
    assert pairs.read_bytes() == before


def test_what_we_made_is_replaced_and_what_somebody_changed_is_not(cli: Cli, pairs: Path) -> None:
    made = pairs.parent / "out.tsv"
    command = ("detect", "t.tsv", "-t", "de", "-o", "out.tsv")
    assert cli(*command).returncode == 0
    assert cli(*command).returncode == 0
    made.write_text(made.read_text(encoding="utf-8") + "# looked at by Ada\n", encoding="utf-8")
    filled = made.read_bytes()
    done = cli(*command)
    assert done.returncode == 2
    assert WORK in done.stderr
    assert made.read_bytes() == filled
    assert cli(*command, "--overwrite").returncode == 0
    assert made.read_bytes() != filled


def test_a_filled_sheet_is_not_replaced_by_a_new_sample(cli: Cli, mixed_run: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "filled.tsv"
    command = ("review", mixed_run, "--sample", "5", "-o", sheet)
    assert cli(*command).returncode == 0
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("\t\n", "\tfemale\n"), encoding="utf-8")
    filled = sheet.read_bytes()
    assert WORK in cli(*command).stderr
    assert sheet.read_bytes() == filled


def test_a_file_of_somebody_else_is_not_replaced_by_any_page_or_table(
    cli: Cli, mixed_run: Path, tmp_path: Path
) -> None:
    for name in ("report.html", "estimates.csv"):
        (tmp_path / name).write_text("mine")
        done = cli("report", mixed_run, "-o", name)
        assert done.returncode == 2
        assert WORK in done.stderr
        assert (tmp_path / name).read_text() == "mine"


def test_notes_may_be_written_into_the_checked_file_and_an_empty_file_is_nobodys(cli: Cli, pairs: Path) -> None:
    assert cli("check-file", "t.tsv", "-t", "de", "-o", "t.tsv").returncode == 0
    assert "evenhand" in pairs.read_text(encoding="utf-8").splitlines()[0]
    (pairs.parent / "empty.json").touch()
    (pairs.parent / "de.json").write_text(json.dumps({"a": "Der Arzt ging."}))
    (pairs.parent / "en.json").write_text(json.dumps({"a": "The doctor left."}))
    done = cli("check-file", "de.json", "--sources", "en.json", "-t", "de", "-o", "empty.json")
    assert done.returncode == 0, done.stderr


def test_every_verb_that_writes_a_file_has_the_rule() -> None:
    for verb in VERBS:
        command = get_command(app_of(verb))
        for one in (command, *getattr(command, "commands", {}).values()):
            flags = {flag for parameter in one.params for flag in (*parameter.opts, *parameter.secondary_opts)}
            assert "-o" not in flags or "--overwrite" in flags, (verb, one.name)
