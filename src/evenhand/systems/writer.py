"""Commits answers in one thread: calls go on while the disk writes, and answers that arrive together share a commit."""

from __future__ import annotations

import asyncio
import queue
import threading
from types import TracebackType

from evenhand.systems.agenda import Question
from evenhand.systems.claims import Claims
from evenhand.systems.memory import Keeps, Memory
from evenhand.systems.protocol import Answer

Answered = list[tuple[Question, Answer]]
_Job = tuple[Answered, "asyncio.Future[Answered]"]


class Writer:
    """`put` returns a future that is done when its answers are on the disk; it holds the answers that count.

    What `keeps` finds to be no rendering counts, but is not stored; a refusal marked as one is. Leaving the `async
    with` block waits until everything put has been written, also when an error ends the block. `stored` counts what
    is on the disk.
    """

    def __init__(self, memory: Memory | None, *, keeps: Keeps | None = None, claims: Claims | None = None) -> None:
        self._memory, self._keeps, self._claims = memory, keeps, claims
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.stored = 0

    async def __aenter__(self) -> Writer:
        self._loop = asyncio.get_running_loop()
        if self._memory is not None:
            self._thread = threading.Thread(target=self._write, args=(self._memory,), name="evenhand-memory")
            self._thread.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._jobs.put(None)
            # not awaited in the loop: a cancelled run must not leave before its paid answers are stored
            self._thread.join()

    def put(self, answered: Answered) -> asyncio.Future[Answered]:
        future: asyncio.Future[Answered] = self._loop.create_future()
        if self._thread is None:
            future.set_result(answered)
        else:
            self._jobs.put((answered, future))
        return future

    def _write(self, memory: Memory) -> None:
        ended = False
        while not ended:
            jobs: list[_Job] = []
            item = self._jobs.get()
            while item is not None:
                jobs.append(item)
                try:
                    item = self._jobs.get_nowait()
                except queue.Empty:
                    break
            ended = item is None
            if jobs:
                self._commit(memory, jobs)

    def _commit(self, memory: Memory, jobs: list[_Job]) -> None:
        try:
            pairs = [pair for answered, _ in jobs for pair in answered]
            rows = [(q.key, q.fingerprint, q.request, answer) for q, answer in pairs if self._worth_keeping(q, answer)]
            earlier = memory.store(rows, checked=self._keeps is not None)
            self.stored += len(rows)
            if self._claims is not None:
                self._claims.release(q.key for q, _ in pairs)
        except Exception as error:
            # whatever went wrong is the run's error, not the thread's: hand it to those who wait
            for _, future in jobs:
                self._loop.call_soon_threadsafe(_fail, future, error)
        else:
            for answered, future in jobs:
                counted = [(q, earlier.get(q.key, answer)) for q, answer in answered] if earlier else answered
                self._loop.call_soon_threadsafe(_finish, future, counted)

    def _worth_keeping(self, question: Question, answer: Answer) -> bool:
        if answer.refusal is not None:
            return True
        return self._keeps(question.request.text, answer.text) if self._keeps else bool(answer.text.strip())


def _finish(future: asyncio.Future[Answered], answered: Answered) -> None:
    if not future.done():
        future.set_result(answered)


def _fail(future: asyncio.Future[Answered], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
