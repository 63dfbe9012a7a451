"""`kill -9` of whole commands at random moments: what they end with is what an undisturbed one ends with.

EVENHAND_KILLS sets how many in all (`make soak` asks for fifty), a fifth of them for each verb.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.test_bounds import noted_xliff
from tests.systems.servers.base import KEY
from tests.systems.servers.changing import ChangingServer

KILLS = max(1, int(os.environ.get("EVENHAND_KILLS", "5")) // 5)
IN_FLIGHT = 8 * 50  # texts of the calls at once, and of those being written
PROJECT = """suites = ["mine.tsv"]
targets = ["en"]
resamples = 100
[[system]]
name = "server"
spec = "libretranslate:{url}"
key = "LIBRETRANSLATE_API_KEY"
"""
COMMANDS = {
    "audit": "audit mine.tsv --system libretranslate:{url} --target en -o out --no-report --resamples 100",
    "run": "run",
    "corpus": "corpus pairs.tsv -t de -o out --no-report",
    "board": "board {runs} -o out --workers 1",
    "check-file": "check-file a.xlf -o a.xlf",
}
ENDED = {"audit": "out", "run": "runs", "corpus": "out", "board": "out", "check-file": "a.xlf"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChangingServer]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    monkeypatch.setenv("EVENHAND_TRUST", "1")
    with ChangingServer(delay=0.05) as service:
        yield service


def prepared(folder: Path, url: str) -> Path:
    folder.mkdir()
    rows = "".join(f"p{n}\tEstá aquí el número {n}.\tes\tc{n}\n" for n in range(1_500))
    (folder / "mine.tsv").write_text("id\tsource\tsource_lang\tconcept\n" + rows, encoding="utf-8")
    pairs = "".join(f"The doctor left after {n} hours.\tDer Arzt ging nach {n} Stunden.\n" for n in range(600))
    (folder / "pairs.tsv").write_text("source\ttarget\n" + pairs, encoding="utf-8")
    (folder / "evenhand.toml").write_text(PROJECT.format(url=url), encoding="utf-8")
    noted_xliff(folder / "a.xlf", 300)
    return folder


def started(verb: str, folder: Path, **values: str) -> subprocess.Popen[bytes]:
    arguments = COMMANDS[verb].format(**values).split()
    command = [sys.executable, "-c", "from evenhand.cli.main import main; main()", *arguments]
    memory = {**os.environ, "EVENHAND_MEMORY": str(folder / "memory.sqlite")}
    return subprocess.Popen(command, cwd=folder, env=memory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ended(verb: str, folder: Path) -> dict[str, bytes]:
    """The bytes of what a verb made; manifests and pages have dates, the plan of `work` has times."""
    place = folder / ENDED[verb]
    files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    dated = ("manifest.json", "overview.html", "report.html", ".lock", "gate.json")
    kept = [path for path in files if not path.name.endswith(dated)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept if "work" not in path.parts}


def stored(folder: Path) -> set[str]:
    if not (folder / "memory.sqlite").exists():
        return set()
    with sqlite3.connect(folder / "memory.sqlite", timeout=30) as plain:
        try:
            return {text for (text,) in plain.execute("SELECT CAST(text AS TEXT) FROM answers")}
        except sqlite3.OperationalError:
            return set()


@pytest.mark.slow
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_killed_command_loses_nothing_and_pays_nothing_twice(
    tmp_path: Path, server: ChangingServer, verb: str, mixed_run: Path, other_run: Path
) -> None:
    values = {"url": server.url, "runs": f"{mixed_run} {other_run}"}
    calm, killed = prepared(tmp_path / "calm", server.url), prepared(tmp_path / "killed", server.url)
    begin = time.monotonic()
    process = started(verb, calm, **values)
    _, said = process.communicate()
    assert process.returncode == 0, said.decode()
    lasts, whole, original = time.monotonic() - begin, ended(verb, calm), (killed / "a.xlf").read_bytes()
    assert whole
    dice, died = random.Random(KILLS), 0
    for number in range(20 * KILLS):
        if died == KILLS:
            break
        before, known = len(server.asked), stored(killed)
        process = started(verb, killed, **values)
        if number % 2 and verb in ("audit", "run"):
            while len(server.asked) == before and process.poll() is None:
                time.sleep(0.002)
        time.sleep(dice.random() * lasts * (0.3 if number % 2 else 1.0))
        process.kill()
        died += process.wait() == -9
        time.sleep(0.2)  # calls the dead process left behind end at the server
        again = [text for call in server.asked[before:] for text in call]
        assert not known.intersection(again), "what was kept was asked again"
        assert len(again) == len(set(again)), "one run asked for a text twice"
        assert len(set(again) - stored(killed)) <= IN_FLIGHT
        if verb == "check-file":
            assert (killed / "a.xlf").read_bytes() in (original, whole["a.xlf"])
        elif process.returncode == 0:
            shutil.rmtree(killed / ENDED[verb])
    assert died == KILLS
    process = started(verb, killed, **values)
    _, said = process.communicate()
    assert process.returncode == 0, said.decode()
    assert ended(verb, killed) == whole
