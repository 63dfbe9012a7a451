"""One dispatcher around every system: batches, concurrency, rate limits, retries, the memory and the progress bar."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from contextlib import nullcontext
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from evenhand.errors import BadInput, BadReply, EvenhandError, Interrupted, SystemFailed
from evenhand.systems.agenda import Agenda, Limits, Plan, Question, agenda_of, plan
from evenhand.systems.memory import Keeps, Memory
from evenhand.systems.pacing import Pace, Retries
from evenhand.systems.portions import Portions
from evenhand.systems.protocol import Answer, Closing, Request, System, TryAgain, unbroken
from evenhand.systems.questions import Questions
from evenhand.systems.threads import in_thread
from evenhand.systems.writer import Answered, Writer

__all__ = ["Dispatcher", "Limits", "Plan", "Retries", "answers_of", "blocking", "plan"]

T = TypeVar("T")


class Dispatcher:
    """Asks a system everything it has not answered yet and gives the answers in order.

    Identical questions are asked once. Every answered call is committed to the memory before it counts. An error that
    asking again cannot mend, or that outlasts all retries, stops the run after the calls in flight, which are kept.
    `max_characters` refuses to start when more would be sent. `on_answers(n)` is told of every n texts that count.
    `keeps(text, answer)` says whether an answer is a rendering at all: what is none is handed on, but not remembered
    (without it, what is blank). Processes that share a memory do not ask what another one is asking. `kept` says in
    words what the memory holds when a run has ended early, None where it holds nothing.
    """

    def __init__(
        self,
        system: System,
        memory: Memory | None = None,
        *,
        progress: bool = False,
        retries: Retries | None = None,
        limits: Limits | None = None,
        max_characters: int | None = None,
        on_answers: Callable[[int], None] | None = None,
        keeps: Keeps | None = None,
    ) -> None:
        self.system = system
        self.memory = memory if system.batch.remembered else None
        self.retries = retries or Retries()
        self.batch = (limits or Limits()).of(system.batch)
        self.max_characters = max_characters
        self._progress = progress
        self._on_answers = on_answers
        self.keeps = keeps
        self.kept: str | None = None

    async def run(self, requests: Iterable[Request]) -> list[Answer]:
        """One answer a request, in order."""
        listed = list(requests)
        agenda = await asyncio.to_thread(agenda_of, self.system, listed, self.memory, self.batch, self.keeps)
        self._check_budget(agenda)
        answers = dict(agenda.known)
        if agenda.calls:
            try:
                await _Session(self, agenda, answers).work()
            finally:
                if isinstance(self.system, Closing):
                    await self.system.aclose()
        return [answers[key] for key in agenda.keys]

    def _check_budget(self, agenda: Agenda) -> None:
        if self.max_characters is not None and agenda.characters > self.max_characters:
            raise BadInput(
                f"{agenda.characters:,} characters would be sent to {self.system.name}, more than the "
                f"{self.max_characters:,} allowed. Nothing was sent."
            )


class _Session:
    """The state of one run: the calls still to make, the first error, the bar."""

    def __init__(self, dispatcher: Dispatcher, agenda: Agenda, answers: dict[bytes, Answer]) -> None:
        self._of = dispatcher
        self._questions = Questions(agenda.calls, dispatcher.batch, dispatcher.memory, dispatcher.keeps)
        self._answers = answers
        self._pace = Pace(dispatcher.batch)
        # where calls are rationed, none is spent on a part of one
        self._portions = Portions(None if dispatcher.batch.requests_per_minute else dispatcher.batch.seconds)
        self._error: BaseException | None = None
        self._stop = asyncio.Event()
        self._turn = asyncio.Lock()
        self._total, self._known = agenda.sent + len(agenda.known), len(agenda.known)

    async def work(self) -> None:
        count = min(self._of.batch.concurrency, len(self._questions))
        with self._bar() as bar:
            if bar is not None:
                bar.add_task(self._of.system.name, total=self._total - self._known)
            writer = Writer(self._of.memory, keeps=self._of.keeps, claims=self._questions.claims)
            try:
                async with writer:
                    await asyncio.gather(*(self._worker(writer, bar) for _ in range(count)))
            finally:
                self._questions.close()
                self._of.kept = self._kept(self._known + writer.stored)
        if self._error is not None:
            raise self._told(self._error)

    async def _worker(self, writer: Writer, bar: Progress | None) -> None:
        """Ask call after call. A call goes out while the one before is written, never two: little can be lost."""
        writing: asyncio.Future[Answered] | None = None
        try:
            try:
                while (call := await self._next(bar)) is not None:
                    answered = await self._ask(call)
                    if writing is not None:
                        self._count(await writing, bar)
                    writing = writer.put(answered)
            finally:
                if writing is not None:
                    self._count(await writing, bar)
        except _Stopped:
            return
        except Exception as error:
            # kept for the end: calls in flight are paid for, so the other workers finish theirs first
            self._error = self._error or error
            self._stop.set()

    async def _next(self, bar: Progress | None) -> list[Question] | None:
        """The next call to make, when there is one; while other processes ask what is left, their answers count."""
        async with self._turn:
            waited = 0
            while self._error is None and not self._questions.ready:
                answered = await in_thread(self._questions.fetch)
                if answered is None:
                    return None
                self._known += len(answered)
                self._count(answered, bar)
                if not answered and not self._questions.ready:
                    waited += 1
                    await self._sleep(min(0.05 * 2**waited, 1.0))
            return self._portions.take(self._questions.ready) if self._error is None else None

    def _count(self, answered: Answered, bar: Progress | None) -> None:
        for question, answer in answered:
            self._answers[question.key] = answer
        if bar is not None:
            bar.advance(bar.task_ids[0], len(answered))
        if self._of._on_answers is not None:
            self._of._on_answers(len(answered))

    async def _ask(self, call: list[Question]) -> Answered:
        system, requests = self._of.system, [question.request for question in call]
        tried = 0
        while True:
            await self._pace.turn(sum(len(request.text) for request in requests))
            if self._error is not None:
                raise _Stopped
            try:
                with self._portions.timed(call):
                    answers = await system.translate(requests)
            except TryAgain as failure:
                tried += 1
                wait = self._of.retries.wait(tried, failure)
                if wait is None:
                    times = f" (asked {tried} times)" if tried > 1 else ""
                    raise failure.otherwise(f"{failure}{times}") from None
                if failure.after is not None:
                    self._pace.pause(wait)
                await self._sleep(wait)
                continue
            except EvenhandError:
                raise
            except Exception as error:
                raise SystemFailed(f"{system.name} raised {type(error).__name__}: {str(error)[:300]}") from error
            if len(answers) != len(requests):
                raise BadReply(f"{system.name}: {len(requests)} texts were sent and {len(answers)} came back")
            told = getattr(system, "version", None)
            version = told if isinstance(told, str) and told else None
            return [(question, _clean(answer, version)) for question, answer in zip(call, answers, strict=True)]

    async def _sleep(self, seconds: float) -> None:
        """Wait, but no longer than until another call has ended the run."""
        try:
            await asyncio.wait_for(self._stop.wait(), seconds)
        except TimeoutError:
            return
        raise _Stopped

    def _told(self, error: BaseException) -> BaseException:
        """The error, with what was kept and what to do, where a system failed half-way."""
        told = isinstance(error, SystemFailed) and self._of.kept is not None
        return type(error)(f"{error}\n{self._of.kept}") if told else error

    def _kept(self, count: int) -> str | None:
        if self._of.memory is None or not count:
            return None
        where = f"kept in {self._of.memory.path}"
        return f"{count:,} of {self._total:,} texts are answered and {where}: run the same command again to go on."

    def _bar(self) -> Progress | nullcontext[None]:
        console = Console(stderr=True)
        if not (self._of._progress and console.is_terminal):
            return nullcontext()
        return Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )


class _Stopped(Exception):
    """Another call ended the run; this one was not asked."""


class _Rate(ProgressColumn):
    """Texts a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f} texts/s")


def _clean(answer: Answer, version: str | None) -> Answer:
    text, others = unbroken(answer.text), tuple(map(unbroken, answer.alternatives))
    told = None if answer.refusal is None else unbroken(answer.refusal)
    same = text is answer.text and others == answer.alternatives and told == answer.refusal
    if same and (version is None or answer.version is not None):
        return answer
    return Answer(text, others, told, answer.version or version)


def answers_of(dispatcher: Dispatcher, requests: Iterable[Request]) -> list[Answer]:
    """`dispatcher.run` from plain code. Ctrl-C is Interrupted, which says what is kept and how to go on."""
    try:
        return blocking(lambda: dispatcher.run(requests))
    except KeyboardInterrupt:
        raise Interrupted(f"stopped. {dispatcher.kept or 'No answer had come yet.'}") from None


def blocking(work: Callable[[], Coroutine[None, None, T]]) -> T:
    """Run a coroutine from plain code, also where an event loop already runs (Jupyter): then in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as error:
            # everything goes to the caller's thread, KeyboardInterrupt included
            errors.append(error)

    thread = threading.Thread(target=run, name="evenhand-dispatch")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
