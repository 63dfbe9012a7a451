"""Completion in the real shells: a Tab is pressed, and what the shell writes is read."""

from __future__ import annotations

import importlib.metadata
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from tests.command_line import evenhand

from evenhand.cli.completion import SHELLS, everything
from evenhand.cli.main import VERBS

pty = pytest.importorskip("pty", reason="a terminal to type at is a matter of Unix")
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
BEFORE = {"bash": "", "zsh": "autoload -Uz compinit; compinit -u -D\n", "fish": ""}


class Shell:
    """An interactive shell on a terminal of its own, with the script sourced."""

    def __init__(self, name: str, folder: Path) -> None:
        script = folder / f"completion.{name}"
        script.write_text(evenhand("completion", name, folder=folder).stdout, encoding="utf-8")
        ours, theirs = pty.openpty()
        environment = {
            "PATH": os.environ["PATH"],
            "TERM": "dumb",
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
            "PS1": "> ",
        }
        self.process = subprocess.Popen(
            START[name], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=folder, start_new_session=True
        )
        os.close(theirs)
        self._terminal = ours
        self.type(f"{BEFORE[name]}source {script}; echo read''y\n", until="ready")

    def type(self, keys: str, *, until: str) -> str:
        """What the terminal shows after these keys, read until the words are there (or ten seconds have passed)."""
        os.write(self._terminal, keys.encode())
        shown, end = "", time.monotonic() + 10
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
            ("evenhand embeddings score --js\t", "--json"),
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
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert done.stderr == ""
        return [answer.split("\t")[0] for answer in done.stdout.splitlines()]

    assert offered("evenhand aud") == ["audit"]
    assert "--target" in offered("evenhand audit --t")
    assert offered("evenhand check --format ju") == ["junit"]
    assert "pronouns-hungarian" in offered("evenhand audit pronouns-")
    assert "libretranslate:" in offered("evenhand plan --system libre")
    assert set(offered("evenhand embeddings ")) == {"audit", "evaluate", "debias", "score"}
    assert offered("evenhand embeddings score --js") == ["--json"]
    assert offered("evenhand report evenhand.f") == ["evenhand.fish"]


@pytest.mark.parametrize("name", SHELLS)
def test_every_option_of_every_verb_is_in_the_script_and_its_shell_finds_no_fault_in_it(
    name: str, tmp_path: Path
) -> None:
    typed = everything(VERBS)
    assert {one.words for one in typed} >= set(VERBS)
    script = SHELLS[name](typed)
    for one in typed:
        helped = evenhand(*one.words.split(), "--help", folder=tmp_path).stdout
        for option in one.options:
            assert any(spelling in helped for spelling in option.names), (one.words, option.names)
            assert all(spelling.lstrip("-") in script for spelling in option.names)
    if shutil.which(name):
        file = tmp_path / "script"
        file.write_text(script, encoding="utf-8")
        subprocess.run([name, "-n", str(file)], check=True)


def test_a_hostile_plug_in_gets_no_command_into_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = importlib.metadata.EntryPoint(name="$(touch gone)`id`'\"", value="x:y", group="evenhand.systems")
    monkeypatch.setattr("evenhand.systems.registry.plugins", lambda kind: {hostile.name: hostile})
    from evenhand.cli import completion as typed

    typed._named.cache_clear()
    scripts = "".join(make(everything(VERBS)) for make in SHELLS.values())
    typed._named.cache_clear()
    assert "touch gone" not in scripts
