"""`kill -9` again and again, at random moments: exactly the calls in flight are asked again, and nothing else changes.

EVENHAND_KILLS sets how many (`make soak` asks for fifty).
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.systems.servers.base import KEY
from tests.systems.servers.formats import LibreTranslateServer

KILLS = int(os.environ.get("EVENHAND_KILLS", "4"))
TEXTS = 60 * KILLS
RUN = """
import asyncio, json, os, sys
from evenhand.systems import Dispatcher, Limits, Memory, Request, open_system
url, memory, out, number = sys.argv[1:]
requests = [Request(f"text {n}", "en", "es") for n in range(int(number))]
system = open_system(f"libretranslate:{url}")
answers = asyncio.run(Dispatcher(system, Memory(memory), limits=Limits(texts=3)).run(requests))
json.dump([answer.text for answer in answers], open(out, "w"))
"""


def started(server: LibreTranslateServer, folder: Path) -> subprocess.Popen[bytes]:
    places = [str(folder / "m.db"), str(folder / "out.json"), str(TEXTS)]
    return subprocess.Popen([sys.executable, "-c", RUN, server.url, *places])


def asked(server: LibreTranslateServer) -> list[str]:
    return [text for call in list(server.asked) for text in call]


def kept(folder: Path) -> set[str]:
    """What a look from outside finds in the memory."""
    if not (folder / "m.db").exists():
        return set()
    with sqlite3.connect(folder / "m.db") as plain:
        try:
            return {text for (text,) in plain.execute("SELECT text FROM answers")}
        except sqlite3.OperationalError:
            return set()  # killed before the table was made


@pytest.mark.slow
def test_after_each_kill_exactly_what_was_in_flight_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    dice = random.Random(KILLS)
    lost = 0
    (tmp_path / "calm").mkdir()
    with LibreTranslateServer(delay=0.02) as server:
        for _ in range(KILLS):
            before, stored = len(asked(server)), kept(tmp_path)
            process = started(server, tmp_path)
            wanted = before + dice.randrange(40)
            while len(asked(server)) <= wanted and process.poll() is None:
                time.sleep(0.001)
            time.sleep(dice.random() * 0.03)
            process.kill()
            process.wait()
            time.sleep(0.1)  # calls the dead process left behind end at the server
            again = asked(server)[before:]
            assert not stored.intersection(again), "what was kept was asked again"
            assert len(again) == len(set(again)), "one run asked for a text twice"
            in_flight = set(again) - kept(tmp_path)
            assert len(in_flight) <= 8 * 3  # 4 calls at once, and up to 4 more being written
            lost += len(in_flight)
        assert started(server, tmp_path).wait() == 0
        assert len(asked(server)) == TEXTS + lost
        assert kept(tmp_path) == {f"text {n}" for n in range(TEXTS)}
        assert started(server, tmp_path / "calm").wait() == 0
    assert json.loads((tmp_path / "out.json").read_text()) == json.loads((tmp_path / "calm" / "out.json").read_text())
    assert not list(tmp_path.glob("m.db-claims-????????????????")), "the dead are cleared away"
