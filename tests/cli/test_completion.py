"""Completion in the real shells: Tab is pressed, and what the shell offers is read."""

from __future__ import annotations

import importlib.metadata
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.command_line import evenhand

from evenhand.cli import completion
from evenhand.cli.main import COMPLETE
from evenhand.cli.options import COMPLETED

pty = pytest.importorskip("pty", reason="a terminal to type at is a matter of Unix")
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
BEFORE = {"bash": "", "zsh": "autoload -Uz compinit; compinit -u -D\n", "fish": ""}


def environment(folder: Path) -> dict[str, str]:
    """A home without settings, and `evenhand` as this Python has it."""
    program = folder / "bin" / "evenhand"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evenhand "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    home = {"TERM": "dumb", "HOME": str(folder), "LC_ALL": "C.UTF-8", "PS1": "> "}
    return home | {"PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Shell:
    """An interactive shell in a terminal, with the script sourced."""

    def __init__(self, name: str, folder: Path) -> None:
        script = folder / f"completion.{name}"
        script.write_text(evenhand("completion", name, folder=folder).stdout, encoding="utf-8")
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            START[name], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(folder), cwd=folder,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._terminal = ours
        self.type(f"{BEFORE[name]}source {script}; echo read''y\n", until="ready")

    def type(self, keys: str, *, until: str) -> str:
        """What the terminal shows after these keys, read until the words are there (or thirty seconds have passed)."""
        os.write(self._terminal, keys.encode())
        shown, end = "", time.monotonic() + 30
        while until not in shown and time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.2)[0]:
                shown += os.read(self._terminal, 65536).decode(errors="replace").replace("\a", "")
        return shown

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._terminal)


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_a_tab_completes_verbs_options_and_values(name: str, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    shell = Shell(name, tmp_path)
    try:
        for typed, completed in (
            ("evenhand aud\t", "audit"),
            ("evenhand audit --tar\t", "--target"),
            ("evenhand check --format ju\t", "junit"),
            ("evenhand audit pronouns-hun\t", "pronouns-hungarian"),
            ("evenhand plan --system libre\t", "libretranslate:"),
            ("evenhand embeddings eva\t", "evaluate"),
            ("evenhand report completion.\t", f"completion.{name}"),
        ):
            shown = shell.type(typed, until=completed)
            assert completed in shown, (typed, shown)
            shell.type("\x15\n", until=">")  # take the line back
    finally:
        shell.close()


def test_fish_offers_verbs_options_and_values(tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    script = tmp_path / "evenhand.fish"
    script.write_text(evenhand("completion", "fish", folder=tmp_path).stdout, encoding="utf-8")

    def offered(line: str) -> list[str]:
        command = [fish, "--no-config", "-c", f"source {script}; complete -C {line!r}"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment(tmp_path)
        )
        assert done.stderr == ""
        return [answer.split("\t")[0] for answer in done.stdout.splitlines()]

    assert offered("evenhand aud") == ["audit"]
    assert "--target" in offered("evenhand audit --t")
    assert offered("evenhand check --format ju") == ["junit"]
    assert "pronouns-hungarian" in offered("evenhand audit pronouns-")
    assert "libretranslate:" in offered("evenhand plan --system libre")
    assert set(offered("evenhand embeddings ")) == {"audit", "evaluate", "debias", "score"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("aud", "audit"),
        ("audit --tar", "--target"),
        ("plan --system libre", "libretranslate"),
        ("embeddings ev", "eval"),
    ],
)
def test_a_shell_is_answered(shell: str, typed: str, completed: str, tmp_path: Path) -> None:
    """What the shell's script asks, without the shell."""
    line = f"evenhand {typed}"
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_TYPER_COMPLETE_ARGS": line}
    asked |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args", COMPLETE: f"complete_{shell}"}
    assert completed in evenhand(folder=tmp_path, environment=asked).stdout


@pytest.mark.parametrize("metavar", COMPLETED)
def test_every_completed_metavar_has_values(metavar: str) -> None:
    every = completion.values(metavar, "")
    assert every
    first = every[0]
    assert first in completion.values(metavar, first[:2])
    assert completion.values(metavar, "no such value") == []


def test_a_hostile_plug_in_gets_no_command_into_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = importlib.metadata.EntryPoint(name="$(touch gone)`id`'\"", value="x:y", group="evenhand.systems")
    monkeypatch.setattr("evenhand.systems.registry.plugins", lambda kind: {hostile.name: hostile})
    assert not any("touch gone" in value for value in completion.values("SPEC", ""))
