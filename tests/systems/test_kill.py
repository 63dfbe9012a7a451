"""`kill -9` and Ctrl-C in the middle of a run: nothing answered is asked again, and the result is the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from tests.systems.servers.base import KEY, Json, Service
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


def start(server: Service, folder: Path) -> subprocess.Popen[bytes]:
    arguments = [server.url, str(folder / "m.db"), str(folder / "out.json")]
    return subprocess.Popen([sys.executable, "-c", RUN, *arguments])


@pytest.mark.parametrize("calls_before_the_kill", [1, 20])
def test_a_killed_run_goes_on_where_it_was(
    calls_before_the_kill: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreTranslateServer(delay=0.05) as server:
        first = start(server, tmp_path)
        while len(server.asked) < calls_before_the_kill:
            assert first.poll() is None
            time.sleep(0.002)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(0.3)  # calls the dead process left behind end at the server
        sent_before = [text for call in server.asked for text in call]
        assert not (tmp_path / "out.json").exists()
        with Memory(tmp_path / "m.db") as memory:
            kept = len(memory)
        # in flight when the process died: 4 calls at once, and up to 4 more being written
        assert len(sent_before) - kept <= 8 * 5
        assert start(server, tmp_path).wait() == 0
        sent = [text for call in server.asked for text in call]
        assert set(sent) == {f"text {n}" for n in range(200)}
        # no text that was kept was asked again
        assert len(sent) - len(sent_before) == 200 - kept
        killed = json.loads((tmp_path / "out.json").read_text())
        calm = tmp_path / "calm"
        calm.mkdir()
        assert start(server, calm).wait() == 0
        assert json.loads((calm / "out.json").read_text()) == killed


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
    with BasqueServer(delay=0.2) as server:
        for name in ("killed", "calm"):
            (tmp_path / name).mkdir()
        first = audit(server, tmp_path / "killed")
        while len(server.asked) < 3:
            assert first.poll() is None
            time.sleep(0.01)
        first.kill()
        first.communicate()
        assert not (tmp_path / "killed" / "run").exists()
        server.delay = 0.0
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
        while len(server.bodies) < 6:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert KEY.encode() not in said
    with Memory(tmp_path / "m.db") as memory:
        assert len(memory) == sum(map(len, server.asked)) > 0
