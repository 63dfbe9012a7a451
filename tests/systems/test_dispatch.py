"""The dispatcher around small systems written here; REST services have their own tests against servers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import BadInput, BadReply, Refused, SystemFailed, Unknown, Unreachable
from evenhand.systems import Answer, Batch, Dispatcher, Limits, Memory, Request, Retries, plan, translate
from evenhand.systems.agenda import Question, cut
from evenhand.systems.protocol import TryAgain

QUICK = Retries(tries=4, first=0.001, longest=0.002)


class Echo:
    """Answers in capitals, writes down what it was asked, and fails on request."""

    fingerprint = "echo-1"

    def __init__(self, *, batch: Batch | None = None, trouble: Callable[[int], Exception | None] | None = None) -> None:
        self.name = "echo"
        self.batch = batch or Batch(texts=3, characters=1_000, concurrency=4)
        self.calls: list[list[Request]] = []
        self.answered: list[str] = []
        self.at_once = self.most_at_once = 0
        self._trouble = trouble or (lambda call: None)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        self.calls.append(requests)
        number = len(self.calls)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001)
        self.at_once -= 1
        if (error := self._trouble(number)) is not None:
            raise error
        self.answered += [request.text for request in requests]
        return [Answer(request.text.upper() + (str(request.sample) if request.sample else "")) for request in requests]


def asks(*texts: str, **more: str | int) -> list[Request]:
    return [Request(text, "eu", "en", **more) for text in texts]  # type: ignore[arg-type]


def run(system: Echo, requests: list[Request], memory: Memory | None = None, **more: object) -> list[str]:
    dispatcher = Dispatcher(system, memory, **{"retries": QUICK, **more})  # type: ignore[arg-type]
    return [answer.text for answer in asyncio.run(dispatcher.run(requests))]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from("abcdefgh"), max_size=40), st.integers(1, 5), st.integers(1, 4))
def test_answers_come_in_order_and_each_question_is_asked_once(texts: list[str], size: int, workers: int) -> None:
    system = Echo(batch=Batch(texts=size, characters=100, concurrency=workers))
    assert run(system, asks(*texts)) == [text.upper() for text in texts]
    assert sorted(system.answered) == sorted(set(texts))
    assert system.most_at_once <= workers


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.text(min_size=1, max_size=30), st.sampled_from(["x", "y", None]), st.integers(0, 1))))
def test_calls_keep_the_limits_and_never_mix_contexts_or_samples(rows: list[tuple[str, str | None, int]]) -> None:
    batch = Batch(texts=4, characters=40)
    questions = [Question(b"", "", Request(text, "eu", "en", context, sample)) for text, context, sample in rows]
    calls = list(cut(questions, batch))
    assert sorted(map(repr, (q for call in calls for q in call))) == sorted(map(repr, questions))
    for call in calls:
        assert 1 <= len(call) <= 4
        assert len(call) == 1 or sum(len(q.request.text) for q in call) <= 40
        assert len({(q.request.context, q.request.sample) for q in call}) == 1


def test_a_system_without_context_gets_full_calls() -> None:
    system = Echo(batch=Batch(texts=10, context=False))
    requests = [Request(f"t{n}", "eu", "en", context=f"c{n}") for n in range(10)]
    run(system, requests)
    assert [len(call) for call in system.calls] == [10]


def test_the_second_run_asks_nothing(tmp_path: Path) -> None:
    requests = asks(*(f"text {n}" for n in range(20)))
    with Memory(tmp_path / "m.db") as memory:
        first = run(Echo(), requests, memory)
        again = Echo()
        assert run(again, requests, memory) == first
    assert again.calls == []


def test_a_second_sample_is_not_answered_from_the_first(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        assert run(Echo(), asks("a"), memory) == ["A"]
        assert run(Echo(), asks("a", sample=1), memory) == ["A1"]


def test_answers_are_on_the_disk_before_they_count(tmp_path: Path) -> None:
    """Whoever hears of an answer can already read it through another connection."""
    seen: list[tuple[int, int]] = []
    counted = 0

    def told(number: int) -> None:
        nonlocal counted
        counted += number
        with Memory(tmp_path / "m.db") as other:
            seen.append((counted, len(other)))

    with Memory(tmp_path / "m.db") as memory:
        run(Echo(), asks(*(f"text {n}" for n in range(30))), memory, on_answers=told)
    assert counted == 30
    assert all(stored >= told_of for told_of, stored in seen)


def test_a_passing_failure_is_asked_again() -> None:
    system = Echo(trouble=lambda call: TryAgain("busy") if call <= 2 else None)
    assert run(system, asks("a")) == ["A"]
    assert len(system.calls) == 3


def test_a_failure_that_stays_is_unreachable_after_all_tries() -> None:
    system = Echo(trouble=lambda call: TryAgain("the server is busy"))
    with pytest.raises(Unreachable, match=r"the server is busy \(asked 4 times\)"):
        run(system, asks("a"))
    assert len(system.calls) == 4


def test_retry_after_is_honoured_by_every_call() -> None:
    started: list[float] = []

    class Clocked(Echo):
        async def translate(self, requests: list[Request]) -> list[Answer]:
            started.append(time.monotonic())
            return await super().translate(requests)

    system = Clocked(
        batch=Batch(texts=1, concurrency=2), trouble=lambda call: TryAgain("429", after=0.3) if call == 1 else None
    )
    run(system, asks(*"abcdef"))
    after = [moment - started[0] for moment in started[2:]]
    assert min(after) >= 0.3


def test_a_wait_longer_than_our_patience_is_not_begun() -> None:
    system = Echo(trouble=lambda call: TryAgain("come back tomorrow", after=86_400))
    with pytest.raises(Unreachable, match="come back tomorrow"):
        run(system, asks("a"))
    assert len(system.calls) == 1


def test_a_refusal_stops_at_once_and_keeps_what_was_answered(tmp_path: Path) -> None:
    system = Echo(
        batch=Batch(texts=1, concurrency=2), trouble=lambda call: Refused("quota spent") if call == 5 else None
    )
    requests = asks(*(f"text {n}" for n in range(50)))
    with Memory(tmp_path / "m.db") as memory:
        with pytest.raises(Refused, match=r"quota spent\n\d of 50 texts are answered and kept in .*m\.db") as caught:
            run(system, requests, memory)
        assert caught.value.exit_code == 3
        assert len(system.calls) <= 6
        assert len(memory) == len(system.answered)
        again = Echo()
        run(again, requests, memory)
    assert sorted(system.answered + again.answered) == sorted(request.text for request in requests)


def test_errors_are_never_stored(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        with pytest.raises(Unreachable):
            run(Echo(trouble=lambda call: TryAgain("busy")), asks("a"), memory)
        assert len(memory) == 0


def test_a_refusal_in_words_is_an_answer_and_is_kept(tmp_path: Path) -> None:
    class Shy(Echo):
        async def translate(self, requests: list[Request]) -> list[Answer]:
            await super().translate(requests)
            return [Answer("", refusal="I cannot translate this.") for _ in requests]

    with Memory(tmp_path / "m.db") as memory:
        system = Shy()
        for _ in range(2):
            [answer] = asyncio.run(Dispatcher(system, memory).run(asks("a")))
            assert answer == Answer("", refusal="I cannot translate this.")
        assert len(system.calls) == 1


def test_too_few_answers_name_both_counts() -> None:
    class Short(Echo):
        async def translate(self, requests: list[Request]) -> list[Answer]:
            return (await super().translate(requests))[1:]

    with pytest.raises(BadReply, match="3 texts were sent and 2 came back"):
        run(Short(), asks("a", "b", "c"))


def test_empty_texts_are_not_sent() -> None:
    system = Echo()
    assert run(system, asks("", "a", "  ")) == ["", "A", ""]
    assert system.answered == ["a"]


def test_requests_a_minute_are_kept() -> None:
    system = Echo(batch=Batch(texts=1, concurrency=8, requests_per_minute=1_200))
    began = time.monotonic()
    run(system, asks(*"abcdefghijk"))
    assert time.monotonic() - began >= 10 * 60 / 1_200


def test_characters_a_minute_are_kept() -> None:
    system = Echo(batch=Batch(texts=1, concurrency=8))
    began = time.monotonic()
    run(system, asks(*("x" * 10 + letter for letter in "abcdef")), limits=Limits(characters_per_minute=12_000))
    assert time.monotonic() - began >= 5 * 11 * 60 / 12_000


def test_a_plan_says_exactly_what_is_then_sent(tmp_path: Path) -> None:
    requests = asks("a", "bb", "bb", "", "ccc", "dddd", "eeeee")
    with Memory(tmp_path / "m.db") as memory:
        run(Echo(), asks("a", "zz"), memory)
        system = Echo()
        told = plan(system, requests, memory, limits=Limits(texts=2), price_per_million=20.0)
        assert system.calls == []
        run(system, requests, memory, limits=Limits(texts=2))
    assert (told.texts, told.distinct, told.memory_hits) == (7, 6, 1)
    assert told.sent == len(system.answered) == 4
    assert told.characters == sum(map(len, system.answered)) == 14
    assert told.calls == len(system.calls) == 2
    assert told.price == pytest.approx(14 * 20 / 1_000_000)


def test_a_budget_of_characters_refuses_to_start() -> None:
    system = Echo()
    with pytest.raises(
        BadInput, match=r"6 characters would be sent to echo, more than the 5 allowed\. Nothing was sent"
    ):
        run(system, asks("abc", "def"), max_characters=5)
    assert system.calls == []
    assert run(system, asks("abc", "def"), max_characters=6) == ["ABC", "DEF"]


def test_what_the_memory_answers_is_not_part_of_the_budget(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        run(Echo(), asks("abc", "def"), memory)
        assert run(Echo(), asks("abc", "def"), memory, max_characters=0) == ["ABC", "DEF"]


def test_broken_characters_do_not_break_the_memory(tmp_path: Path) -> None:
    class Broken(Echo):
        async def translate(self, requests: list[Request]) -> list[Answer]:
            return [Answer("half \ud83d", ("\udc00",)) for _ in requests]

    with Memory(tmp_path / "m.db") as memory:
        first = asyncio.run(Dispatcher(Broken(), memory).run(asks("bad \ud800 text")))
        second = asyncio.run(Dispatcher(Broken(), memory).run(asks("bad \ud800 text")))
    assert first == second == [Answer("half \N{REPLACEMENT CHARACTER}", ("\N{REPLACEMENT CHARACTER}",))]


def test_a_failing_memory_ends_the_run_with_its_own_words(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(BadInput, match=r"m\.db"):
            run(Echo(), asks(*"abcdefghijkl"), memory)


def test_a_language_pair_the_system_does_not_do_is_unknown() -> None:
    class Paired(Echo):
        def pairs(self) -> set[tuple[str, str]]:
            return {("eu", "es"), ("en", "es")}

    with pytest.raises(Unknown, match=r"language pair of echo 'eu-en'.*eu-es"):
        run(Paired(), asks("a"))


def test_connections_are_closed_also_after_a_failure() -> None:
    class Closing(Echo):
        closed = 0

        async def aclose(self) -> None:
            self.closed += 1

    good, bad = Closing(), Closing(trouble=lambda call: SystemFailed("no"))
    run(good, asks("a"))
    with pytest.raises(SystemFailed):
        run(bad, asks("a"))
    assert (good.closed, bad.closed) == (1, 1)


def test_a_list_of_any_length_is_cut_inside() -> None:
    system = Echo(batch=Batch(texts=7))
    texts = [f"text {n}" for n in range(1_000)]
    assert translate(system, texts, source="eu", target="en") == [text.upper() for text in texts]
    assert len(system.calls) == 143


PROGRESS = """
import asyncio
from evenhand.systems import Dispatcher, Request
from evenhand.systems.python import Function
def slow(texts):
    import time; time.sleep(0.3); return texts
requests = [Request(str(n), "eu", "en") for n in range(8)]
answers = asyncio.run(Dispatcher(Function(slow, name="slow one", texts=2), progress=True).run(requests))
print(len(answers))
"""


def test_a_terminal_gets_a_bar_with_rate_and_time_left_and_a_pipe_gets_none() -> None:
    piped = subprocess.run([sys.executable, "-c", PROGRESS], capture_output=True, check=True)
    assert (piped.stdout, piped.stderr) == (b"8\n", b"")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen([sys.executable, "-c", PROGRESS], stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    # reading from a terminal whose other side has gone is an error on Linux
    with contextlib.suppress(OSError):
        while data := os.read(ours, 65_536):
            shown += data
    os.close(ours)
    assert process.communicate()[0] == b"8\n"
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "slow one" in text
    assert re.search(r"[2468]/8", text)
    assert "texts/s" in text
    assert re.search(r"\d:\d\d:\d\d", text)
