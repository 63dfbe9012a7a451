"""Tables in a terminal of 50, 80 and 140 columns: numbers stay whole, lines stay inside, everything has a legend."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from evenhand.cli.main import VERBS
from evenhand.systems import list_systems

_LOOK = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(columns: int, *command: object) -> str:
    """What a terminal of so many columns shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 200, columns, 0, 0))
    plain = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")} | {"TERM": "xterm"}
    program = subprocess.Popen(
        [sys.executable, "-m", "evenhand", *map(str, command)], stdout=theirs, stderr=subprocess.STDOUT, env=plain
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert program.wait() == 0, shown.decode()
    return _LOOK.sub("", shown.decode().replace("\r", ""))  # bold heads


@pytest.mark.parametrize("columns", [80, 140])
def test_estimates_fit_a_terminal_and_no_number_is_broken(mixed_run: Path, tmp_path: Path, columns: int) -> None:
    command = ("score", mixed_run, "--reference", "us-2020", "--resamples", "100", "--all", "-o", tmp_path / "run")
    shown = on_a_terminal(columns, *command)
    body = shown[: shown.index("\nshort ")]
    assert max(map(len, body.splitlines())) <= columns
    rows = [line for line in body.splitlines() if line.startswith(("share_", "P_S", "B_", "wrong_", "error"))]
    assert len(rows) > 15
    for row in rows:
        assert re.match(r"[\w]+ .*(-?\d\.\d{3}( |$)| –  )", row), row
    assert re.search(r"^error_optimal_probabilistic +\d\.\d{3}  \[\d\.\d{3}, \d\.\d{3}\]", body, re.MULTILINE)
    assert "how: a effective counts over concept" in body
    told = " ".join(body.split())
    assert "against us-2020: US, 2020, US Bureau of Labor Statistics" in told
    assert "public domain; it has a share of women for" in told


def test_a_comparison_fits_a_terminal_of_80_columns(mixed_run: Path, other_run: Path) -> None:
    shown = on_a_terminal(80, "compare", mixed_run, other_run, "--sentences", "0")
    rows = [line for line in shown.splitlines() if line.startswith(("P_S", "share_", "VBias"))]
    assert rows
    assert max(map(len, rows)) <= 80
    assert any(re.search(r"\[-?\d\.\d{3}, -?\d\.\d{3}\]", row) for row in rows)


@pytest.mark.parametrize("columns", [80, 140])
def test_the_list_of_suites_fits_a_terminal_and_breaks_no_name(columns: int) -> None:
    shown = on_a_terminal(columns, "suites")
    # an Asian character takes two columns, so lines of these are left out
    assert max(len(line) for line in shown.splitlines() if line.isascii()) <= columns
    assert re.search(r"^pronouns-turkish +tr +en,de,fr,es +345 +P_S, TGBI, VBias", shown, re.MULTILINE)


def test_groups_stand_above_their_estimates_where_there_is_no_room(mixed_run: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(80, "score", mixed_run, "--resamples", "100", "--all", "-o", tmp_path / "run")
    body = shown[: shown.index("\nshort ")].splitlines()
    groups = [line for line in body if re.fullmatch(r"\w+=\S.*", line)]
    assert len(groups) > 2
    assert all(line.startswith("  ") for line in body if line.strip().startswith("SBias "))


def test_sentences_are_to_be_read_in_a_terminal_and_a_table_in_a_pipe(mixed_run: Path) -> None:
    shown = on_a_terminal(80, "sentences", mixed_run, "--gender", "female")
    assert "\t" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert re.search(r"^  female, by ", shown, re.MULTILINE)
    command = [sys.executable, "-m", "evenhand", "sentences", str(mixed_run), "--gender", "female"]
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert piped.stdout.startswith("id\t")


def test_a_narrow_terminal_clips_no_name_and_loses_no_column() -> None:
    shown = on_a_terminal(50, "systems")
    assert max(map(len, shown.splitlines())) <= 50
    for system in list_systems():
        assert re.search(rf"^{re.escape(system.name)}", shown, re.MULTILINE)
        assert all(variable in shown for variable in system.needs)
    told = " ".join(shown.split())
    assert all(system.summary in told for system in list_systems())


def test_a_comparison_on_a_narrow_terminal_says_every_value(mixed_run: Path, other_run: Path) -> None:
    shown = on_a_terminal(50, "compare", mixed_run, other_run, "--sentences", "0")
    assert max(map(len, shown.splitlines())) <= 50
    assert re.search(r"^P_S\n  rank: 1(-2)?; system: ", shown, re.MULTILINE)


@pytest.mark.parametrize("columns", [50, 80])
def test_the_list_of_verbs_fits_a_terminal(columns: int) -> None:
    shown = on_a_terminal(columns, "--help")
    assert max(map(len, shown.splitlines())) <= columns
    told = " ".join(shown.split())
    assert all(f"{verb} {summary}" in told for verb, summary in VERBS.items())


def test_a_run_opens_with_its_finding_has_one_table_of_three_measures_and_says_what_to_do_next(mixed_run: Path) -> None:
    shown = on_a_terminal(80, "show", mixed_run)
    lines = shown.splitlines()
    assert lines[0] == "mixed, pronouns-basque: Basque to English" or lines[0].endswith(": Basque to English")
    assert lines[1].startswith("It rendered ")
    heads = [number for number, line in enumerate(lines) if line.startswith("measure ")]
    assert len(heads) == 1
    rows = lines[heads[0] + 1 : lines.index(next(line for line in lines if line.startswith("how: ")))]
    assert [row.split()[0] for row in rows] == ["P_S", "TGBI", "VBias"]
    assert max(map(len, rows)) <= 80
    assert re.search(r"^\d+ more estimates: --all", shown, re.MULTILINE)
    assert lines[-1].startswith("next       evenhand ")


def test_a_comparison_opens_with_its_finding_and_leaves_the_rest_to_all(mixed_run: Path, other_run: Path) -> None:
    shown = on_a_terminal(80, "compare", mixed_run, other_run, "--sentences", "0")
    assert shown.startswith("By P_S, keeping gender open (higher is better), ")
    assert {line.split()[0] for line in shown.splitlines() if re.match(r"(P_S|TGBI|VBias|share_)", line)} == {
        "P_S",
        "TGBI",
        "VBias",
    }
    assert "more measures, and every paired difference: --all." in shown
    whole = on_a_terminal(80, "compare", mixed_run, other_run, "--sentences", "0", "--all")
    assert "share_female" in whole
    assert "--all" not in whole
