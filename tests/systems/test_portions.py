"""Local systems are asked in portions that last about as long as wanted, whatever a text and a start cost."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import pytest

from evenhand.systems import Answer, Batch, Dispatcher, Limits, Memory, Request, open_system
from evenhand.systems.agenda import Question
from evenhand.systems.dispatch import Portions


def calls(
    texts: int, start: float, each: float, *, first: float = 0.0, seconds: float = 1.0
) -> list[tuple[int, float]]:
    """(texts, seconds) of every portion of one call to a system that takes `start` and `each` a text of 20 letters."""
    portions = Portions(seconds)
    ready = deque([[Question(b"", "", Request("x" * 20, "en", "es")) for _ in range(texts)]])
    asked: list[tuple[int, float]] = []
    while ready:
        portion = portions.take(ready)
        took = start + each * len(portion) + (0.0 if asked else first)
        portions.learn(20 * len(portion), took)
        asked.append((len(portion), took))
    return asked


@pytest.mark.parametrize("each", [0.0001, 0.003, 0.05, 0.9])
@pytest.mark.parametrize("start", [0.0, 0.01, 0.1])
@pytest.mark.parametrize("first", [0.0, 0.8])
def test_no_portion_lasts_two_seconds_and_little_is_spent_on_starting(each: float, start: float, first: float) -> None:
    asked = calls(5_000, start, each, first=first)
    assert sum(texts for texts, _ in asked) == 5_000
    assert max(took for _, took in asked) < 2
    whole = start + first + 5_000 * each
    # a handful of small portions to learn from, and then a start for every second of work
    assert sum(took for _, took in asked) < 1.15 * whole + 8 * start + 0.1


def test_a_program_that_is_slow_to_start_gets_long_portions_instead_of_a_start_for_every_text() -> None:
    asked = calls(2_000, 3.0, 0.05)
    assert sum(took for _, took in asked) < 1.4 * (3.0 + 2_000 * 0.05)


def test_a_text_that_takes_longer_than_a_portion_goes_alone() -> None:
    assert [texts for texts, _ in calls(6, 0.0, 3.0)] == [1, 1, 2, 1, 1]


def test_a_slow_moment_makes_the_next_portion_shorter_and_a_calm_one_longer_again() -> None:
    portions = Portions(1.0)
    for size, took in [(20, 0.5), (20, 0.015625), (40, 0.03125), (160, 0.125), (640, 0.5), (1_280, 1.0), (1_280, 4.0)]:
        portions.learn(size, took)
    ready = deque([[Question(b"", "", Request("x" * 20, "en", "es")) for _ in range(500)]])
    assert len(portions.take(ready)) == 16
    portions.learn(320, 0.25)
    assert len(portions.take(ready)) == 64


def test_a_system_that_sets_no_time_gets_its_calls_whole() -> None:
    ready = deque([[Question(b"", "", Request("x", "en", "es")) for _ in range(500)]])
    assert len(Portions(None).take(ready)) == 500


@pytest.mark.parametrize("spec", ["command:cat", "pocket"])
def test_systems_on_this_machine_are_asked_in_portions(spec: str) -> None:
    assert open_system(spec).batch.seconds == 1.0


class Slow:
    """Ten milliseconds a text."""

    name, fingerprint = "slow", "slow-1"
    batch = Batch(texts=512, concurrency=1, seconds=0.1)

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def translate(self, requests: list[Request]) -> list[Answer]:
        self.sizes.append(len(requests))
        await asyncio.sleep(0.01 * len(requests))
        return [Answer(request.text.upper()) for request in requests]


def test_where_calls_a_minute_are_limited_they_are_not_cut() -> None:
    system = Slow()
    dispatcher = Dispatcher(system, limits=Limits(requests_per_minute=60))
    asyncio.run(dispatcher.run([Request(f"text {n}", "en", "es") for n in range(20)]))
    assert system.sizes == [20]


def test_answers_of_a_cut_call_come_in_order_and_are_counted_as_they_come(tmp_path: Path) -> None:
    system, counted = Slow(), list[int]()
    texts = [f"text {n}" for n in range(100)]
    with Memory(tmp_path / "m.db") as memory:
        dispatcher = Dispatcher(system, memory, on_answers=counted.append)
        answers = asyncio.run(dispatcher.run([Request(text, "en", "es") for text in texts]))
    assert [answer.text for answer in answers] == [text.upper() for text in texts]
    assert system.sizes[:2] == [1, 1]
    assert max(system.sizes) < 100
    assert [count for count in counted if count] == system.sizes


PROGRAM = """
import os, sys, time
for line in sys.stdin:
    time.sleep(float(os.environ["PAUSE"]))
    print("She is here, number", len(line))
    with open(os.environ["ASKED"], "a") as asked:
        asked.write(line)
"""


def audit(folder: Path, pause: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "evenhand", "audit", "pronouns-basque", "--target", "en", "--no-report"]
    command += ["--system", f"command:{sys.executable} {folder / 'program.py'}", "--memory", str(folder / "m.db")]
    command += ["--output", str(folder / "run"), "--resamples", "100"]
    environment = {**os.environ, "PAUSE": pause, "ASKED": str(folder / f"asked-{pause}")}
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)


def test_an_interrupted_audit_of_a_local_system_says_what_is_kept_and_the_same_command_goes_on(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    first = audit(tmp_path, "0.1")
    with Memory(tmp_path / "m.db") as memory:
        while len(memory) < 3:
            assert first.poll() is None
            time.sleep(0.01)
        first.send_signal(signal.SIGINT)
        _, said = first.communicate(timeout=60)
        kept = len(memory)
    assert first.returncode == 130
    told = re.fullmatch(
        r"evenhand: stopped\. (\d+) of (\d+) texts are answered and kept in \S+m\.db: "
        r"run the same command again to resume\.",
        said.decode().strip(),
    )
    assert told is not None, said
    assert int(told[1]) == kept < int(told[2])
    second = audit(tmp_path, "0")
    _, said = second.communicate(timeout=60)
    assert second.returncode == 0, said
    assert len((tmp_path / "asked-0").read_text().splitlines()) == int(told[2]) - kept
