"""`kill -9` in the middle of a run: nothing answered is asked again, and the answers are the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.systems.servers.base import KEY, Service
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
