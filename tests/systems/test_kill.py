"""`kill -9` and Ctrl-C in the middle of a run: nothing answered is asked again, and the result is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from tests.systems.servers.base import KEY, Json, Service, item, strings
from tests.systems.servers.formats import LibreTranslateServer

from evenhand.systems import Memory

RUN = """
import asyncio, json, sys
from evenhand.systems import Dispatcher, Limits, Memory, Request, open_system
url, memory, out = sys.argv[1:]
requests = [Request(f"text {n}", "en", "es") for n in range(200)]
system = open_system(f"libretranslate:{url}")
answers = asyncio.run(Dispatcher(system, Memory(memory), limits=Limits(texts=5)).run(requests))
json.dump([answer.text for answer in answers], open(out, "w"))
"""


class OpenServer(LibreTranslateServer):
    """Takes any key, so that a key tells which process asked."""

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        pass

    def asked_by(self, key: str) -> list[str]:
        return [text for body in self.bodies if item(body, "api_key") == key for text in strings(item(body, "q"))]


def start(server: Service, folder: Path, key: str) -> subprocess.Popen[bytes]:
    arguments = [server.url, str(folder / "m.db"), str(folder / "out.json")]
    environment = {**os.environ, "LIBRETRANSLATE_API_KEY": key}
    return subprocess.Popen([sys.executable, "-c", RUN, *arguments], env=environment)


def until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while not condition():
        assert process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("calls_before_the_kill", [1, 20])
def test_a_killed_run_goes_on_where_it_was(calls_before_the_kill: int, tmp_path: Path) -> None:
    every = {f"text {n}" for n in range(200)}
    with OpenServer() as server:
        server.hold_after = calls_before_the_kill
        killed = start(server, tmp_path, "killed")
        until(lambda: len(server.asked) == calls_before_the_kill, killed)
        killed.kill()
        killed.wait()
        server.hold_after = None
        server.release.set()
        assert not (tmp_path / "out.json").exists()
        with Memory(tmp_path / "m.db") as memory:
            kept = len(memory)
        assert start(server, tmp_path, "second").wait() == 0
        # no text that was kept was asked again
        assert len(server.asked_by("second")) == 200 - kept
        assert set(server.asked_by("killed") + server.asked_by("second")) == every
        # in flight when the process died: 4 calls at once, and up to 4 more being written
        assert len(server.asked_by("killed")) - kept <= 8 * 5
        calm = tmp_path / "calm"
        calm.mkdir()
        assert start(server, calm, "calm").wait() == 0
    assert (calm / "out.json").read_bytes() == (tmp_path / "out.json").read_bytes()


class BasqueServer(LibreTranslateServer):
    about: ClassVar[Mapping[str, Json]] = {"/languages": [{"code": "eu", "targets": ["en"]}]}

    def translated(self, text: str) -> str:
        return f"{'She' if len(text) % 2 else 'He'} is {text}"


def audit(server: Service, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from evenhand.cli.main import main; main()", "audit", "pronouns-basque"]
    places = ["--output", str(folder / "run"), "--memory", str(folder / "m.db"), "--no-report", "--resamples", "100"]
    return subprocess.Popen(
        [*command, "--system", f"libretranslate:{server.url}", "--target", "en", *places],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def test_the_tables_of_a_killed_audit_are_byte_identical_to_those_of_a_calm_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with BasqueServer() as server:
        server.hold_after = 3
        for name in ("killed", "calm"):
            (tmp_path / name).mkdir()
        first = audit(server, tmp_path / "killed")
        until(lambda: len(server.asked) == 3, first)
        first.kill()
        first.communicate()
        assert not (tmp_path / "killed" / "run").exists()
        server.hold_after = None
        server.release.set()
        for name in ("killed", "calm"):
            process = audit(server, tmp_path / name)
            _, said = process.communicate()
            assert process.returncode == 0, said
    tables = sorted(path.name for path in (tmp_path / "calm" / "run").glob("*.parquet"))
    assert len(tables) == 4
    for table in tables:
        killed, calm = ((tmp_path / name / "run" / table).read_bytes() for name in ("killed", "calm"))
        assert killed == calm


def test_an_interrupt_ends_at_once_though_the_server_hangs_and_keeps_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with BasqueServer() as server:
        server.trouble.extend(["", "", *["hang"] * 50])
        process = audit(server, tmp_path)
        until(lambda: len(server.bodies) >= 6, process)
        with Memory(tmp_path / "m.db") as memory:
            until(lambda: len(memory) == sum(map(len, server.asked)), process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)  # the server hangs for twice as long
    assert process.returncode == 130
    assert KEY.encode() not in said
    with Memory(tmp_path / "m.db") as memory:
        assert len(memory) == sum(map(len, server.asked)) > 0
