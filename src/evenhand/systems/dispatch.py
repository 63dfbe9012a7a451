"""One dispatcher around every system: batches, concurrency, rate limits, retries, the memory and the progress bar."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import random
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from evenhand.errors import BadInput, BadReply, EvenhandError, Interrupted, SystemFailed
from evenhand.storage.locking import locked
from evenhand.systems.agenda import Agenda, Limits, Question, agenda_of, cut
from evenhand.systems.memory import Keeps, Memory, writing
from evenhand.systems.protocol import Answer, Batch, Closing, Request, System, TryAgain, unbroken
from evenhand.systems.threads import in_thread

LONGEST_SECONDS = 900.0
"""After this a claim is void though its process lives: it may have been stopped, or hang."""
_BUSY_SECONDS = 10.0


class Claims:
    """The claims of one run on the memory at `path`: processes that share it do not pay twice for one question.

    A process claims questions before it asks them; another one leaves them alone until they are answered, or until the
    claim is void: its process ended (the operating system then frees the lock on its own small file), or it has kept
    the claim for longer than any call may take. Claims are a courtesy, not a promise: where they cannot be written
    no process waits, and the memory still keeps the first answer only. They lie beside the memory, in a file that may
    be deleted when no process is asking. Use `close`, which gives back what is still claimed.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(f"{path.name}-claims")
        self._owner = secrets.token_hex(8)
        self._turn = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._alive: sqlite3.Connection | None = None

    def take(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that are now ours to ask; the others are being asked by somebody else."""
        wanted = list(keys)
        with self._turn:
            try:
                return self._take(wanted)
            except (sqlite3.Error, OSError):
                return set(wanted)

    def release(self, keys: Iterable[bytes]) -> None:
        """Give back what has been answered, or will not be asked."""
        with self._turn, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                with writing(self._connection):
                    rows = [(key, self._owner) for key in keys]
                    self._connection.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", rows)

    def close(self) -> None:
        with self._turn, contextlib.suppress(sqlite3.Error, OSError):
            if self._connection is not None:
                self._forget(self._connection, self._owner)
                self._connection.close()
            if self._alive is not None:
                self._alive.close()
                self._lock_file(self._owner).unlink(missing_ok=True)
            self._connection = self._alive = None

    def _take(self, wanted: list[bytes]) -> set[bytes]:
        connection = self._connection = self._connection or self._open()
        others = connection.execute("SELECT DISTINCT owner FROM claims WHERE owner <> ?", (self._owner,)).fetchall()
        for (owner,) in others:
            if not self._lives(owner):
                self._forget(connection, owner)
                self._lock_file(owner).unlink(missing_ok=True)
        now = time.time()
        with writing(connection):
            connection.execute("DELETE FROM claims WHERE since < ?", (now - LONGEST_SECONDS,))
            rows = [(key, self._owner, now) for key in wanted]
            connection.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", rows)
            ours = connection.execute("SELECT key FROM claims WHERE owner = ?", (self._owner,)).fetchall()
        return {key for (key,) in ours}.intersection(wanted)

    def _forget(self, connection: sqlite3.Connection, owner: str) -> None:
        with writing(connection):
            connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))

    def _open(self) -> sqlite3.Connection:
        # the lock first: a claim without a living owner would be void at once
        self._alive = self._alive or locked(self._lock_file(self._owner))
        connection = sqlite3.connect(self._file, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # a claim that a power cut takes away has done its work
            columns = "key BLOB PRIMARY KEY, owner TEXT NOT NULL, since REAL NOT NULL"
            connection.execute(f"CREATE TABLE IF NOT EXISTS claims ({columns})")
        except sqlite3.Error as error:
            connection.close()
            if "malformed" not in str(error) and "not a database" not in str(error):
                raise
            for end in ("", "-wal", "-shm"):  # after a power cut: nothing in it is worth keeping
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)
            return self._open()
        return connection

    def _lock_file(self, owner: str) -> Path:
        return self._file.with_name(f"{self._file.name}-{owner}")

    def _lives(self, owner: str) -> bool:
        file = self._lock_file(owner)
        if not owner.isalnum() or not file.exists():
            return False
        ended = locked(file)
        if ended is not None:
            ended.close()
        return ended is None


# When the next call may go out: client-side rate limits, pauses the server asked for, and waits between tries.


@dataclass(frozen=True)
class Retries:
    """How often (`tries` counts the first) and how patiently to ask again: waits double from `first` to `longest`
    seconds, each shortened by up to half at random; where a server asks for more than `patience` we give up."""

    tries: int = 6
    first: float = 0.5
    longest: float = 60.0
    patience: float = 600.0
    dice: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise BadInput(f"the number of tries must be at least 1, not {self.tries}")

    def wait(self, tried: int, failure: TryAgain) -> float | None:
        """Seconds to wait after the failed try number `tried`; None when there is no point in another."""
        if tried >= self.tries:
            return None
        # the exponent is bounded: 2.0**1024 is an OverflowError
        longest = min(self.longest, self.first * 2.0 ** min(tried - 1, 60))
        usual = longest * (0.5 + 0.5 * self.dice.random())
        if failure.after is None:
            return usual
        if failure.after > self.patience:
            return None
        # never earlier than asked, a little later than the others; "at once" (0, a past date) is no advice
        return max(usual, failure.after * (1 + 0.1 * self.dice.random()))


class Pace:
    """Spreads calls evenly, so that neither requests nor characters per minute are exceeded, and holds them during a
    pause."""

    def __init__(self, batch: Batch) -> None:
        self._per_request = 60.0 / batch.requests_per_minute if batch.requests_per_minute else 0.0
        self._per_character = 60.0 / batch.characters_per_minute if batch.characters_per_minute else 0.0
        self._free_at = 0.0
        self._paused_until = 0.0

    async def turn(self, characters: int) -> None:
        """Return when a call of this many characters may go out; its share of the limits is then taken."""
        clock = asyncio.get_running_loop().time
        start = max(clock(), self._free_at)
        self._free_at = start + max(self._per_request, characters * self._per_character)
        while (delay := max(start, self._paused_until) - clock()) > 0:
            await asyncio.sleep(delay)

    def pause(self, seconds: float) -> None:
        """Hold every call: the server said that we ask too much, and asking from another connection is no better."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)


T = TypeVar("T")


@dataclass(eq=False)
class Dispatcher:
    """Asks a system everything it has not answered yet and gives the answers in order.

    Identical questions are asked once. Every answered call is committed to the memory before it counts. An error that
    asking again cannot fix, or that outlasts all retries, stops the run after the calls in flight, which are kept.
    `max_characters` refuses to start when more would be sent. `on_answers(n)` is called for every n texts that count.
    `keeps(text, answer)` says whether an answer is a rendering at all: what is none is handed on, but not remembered
    (without it, what is blank). Processes that share a memory do not ask what another one is asking. `kept` says
    what the memory holds when a run has ended early, None where it holds nothing.
    """

    system: System
    memory: Memory | None = None
    _: KW_ONLY
    progress: bool = False
    retries: Retries = field(default_factory=Retries)
    limits: Limits | None = None
    max_characters: int | None = None
    on_answers: Callable[[int], None] | None = None
    keeps: Keeps | None = None

    def __post_init__(self) -> None:
        self.memory = self.memory if self.system.batch.remembered else None
        self.batch = (self.limits or Limits()).of(self.system.batch)
        self.kept: str | None = None

    async def run(self, requests: Iterable[Request]) -> list[Answer]:
        """One answer per request, in order."""
        listed = list(requests)
        agenda = await asyncio.to_thread(agenda_of, self.system, listed, self.memory, self.batch, self.keeps)
        if self.max_characters is not None and agenda.characters > self.max_characters:
            limit = f"more than the {self.max_characters:,} allowed"
            raise BadInput(
                f"{agenda.characters:,} characters would be sent to {self.system.name}, {limit}. Nothing was sent."
            )
        answers = dict(agenda.known)
        if agenda.calls:
            try:
                await _Session(self, agenda, answers).work()
            finally:
                if isinstance(self.system, Closing):
                    await self.system.aclose()
        return [answers[key] for key in agenda.keys]


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
        if isinstance(self._error, SystemFailed) and self._of.kept is not None:
            raise type(self._error)(f"{self._error}\n{self._of.kept}")
        if self._error is not None:
            raise self._error

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
        if self._of.on_answers is not None:
            self._of.on_answers(len(answered))

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
            named = getattr(system, "version", None)
            version = named if isinstance(named, str) and named else None
            return [(question, _clean(answer, version)) for question, answer in zip(call, answers, strict=True)]

    async def _sleep(self, seconds: float) -> None:
        """Wait, but no longer than until another call has ended the run."""
        try:
            await asyncio.wait_for(self._stop.wait(), seconds)
        except TimeoutError:
            return
        raise _Stopped

    def _kept(self, count: int) -> str | None:
        if self._of.memory is None or not count:
            return None
        where = f"kept in {self._of.memory.path}"
        return f"{count:,} of {self._total:,} texts are answered and {where}: run the same command again to resume."

    def _bar(self) -> Progress | nullcontext[None]:
        console = Console(stderr=True)
        if not (self._of.progress and console.is_terminal):
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
    """Texts per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f} texts/s")


def _clean(answer: Answer, version: str | None) -> Answer:
    text, others = unbroken(answer.text), tuple(map(unbroken, answer.alternatives))
    refusal = None if answer.refusal is None else unbroken(answer.refusal)
    same = text is answer.text and others == answer.alternatives and refusal == answer.refusal
    if same and (version is None or answer.version is not None):
        return answer
    return Answer(text, others, refusal, answer.version or version)


def answers_of(dispatcher: Dispatcher, requests: Iterable[Request]) -> list[Answer]:
    """`dispatcher.run` from plain code. Ctrl-C is Interrupted, which says what is kept and how to resume."""
    try:
        return blocking(lambda: dispatcher.run(requests))
    except KeyboardInterrupt:
        raise Interrupted(f"stopped. {dispatcher.kept or 'No answer was received.'}") from None


def blocking(work: Callable[[], Coroutine[None, None, T]]) -> T:
    """Run a coroutine from plain code, also where an event loop already runs (Jupyter): then in another thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    # what it raises comes to the caller's thread, KeyboardInterrupt included
    return ThreadPoolExecutor(1, thread_name_prefix="evenhand-dispatch").submit(lambda: asyncio.run(work())).result()


# The calls a run still has to make, claimed before they are asked where other processes share the memory.


class Questions:
    """`ready` are the calls that may go out now; `fetch` brings more, claimed a few at a time so that processes share
    the work, or answers other processes have given."""

    def __init__(self, calls: list[list[Question]], batch: Batch, memory: Memory | None, keeps: Keeps | None) -> None:
        self._left, self._batch, self._memory, self._keeps = deque(calls), batch, memory, keeps
        self._elsewhere: list[Question] = []
        self.ready: deque[list[Question]] = deque()
        self.claims = Claims(memory.path) if memory is not None else None
        if self.claims is None:
            self.ready, self._left = self._left, self.ready

    def __len__(self) -> int:
        return len(self.ready) + len(self._left)

    def close(self) -> None:
        if self.claims is not None:
            self.claims.close()

    def fetch(self) -> list[tuple[Question, Answer]] | None:
        """Answers that have come from elsewhere in the meantime, perhaps none; None when nothing is left to do."""
        if not self._left:  # what others had claimed comes back when no other call is left
            self._left.extend(cut(self._elsewhere, self._batch))
            self._elsewhere = []
        block = [self._left.popleft() for _ in range(min(2 * self._batch.concurrency, len(self._left)))]
        if not block or self._memory is None or self.claims is None:
            return None
        questions = [question for call in block for question in call]
        keys = [question.key for question in questions]
        ours = self.claims.take(keys)
        # after the claim: what another process has answered before it gave its claim back is in the memory by now
        known = self._memory.look_up(keys, self._keeps)
        if known:
            self.claims.release(known)
        mine, settled = set(ours) - known.keys(), {*ours, *known}
        self._elsewhere += [question for question in questions if question.key not in settled]
        self.ready.extend(filter(None, ([question for question in call if question.key in mine] for call in block)))
        return [(question, known[question.key]) for question in questions if question.key in known]


# Commits answers in one thread: calls continue while the disk writes, and answers that arrive together share a commit.

Answered = list[tuple[Question, Answer]]


class Writer:
    """`put` returns a future of the answers that count, done when they are on the disk; what `keeps` finds to be no
    rendering counts, but is not stored. Leaving the `async with` block waits until everything has been written."""

    def __init__(self, memory: Memory | None, *, keeps: Keeps | None = None, claims: Claims | None = None) -> None:
        self._memory, self._keeps, self._claims = memory, keeps, claims
        self._jobs: queue.SimpleQueue[tuple[Answered, asyncio.Future[Answered]]] = queue.SimpleQueue()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="evenhand-memory")
        self.stored = 0

    async def __aenter__(self) -> Writer:
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *_: object) -> None:
        # not awaited in the loop: a cancelled run must not leave before its paid answers are stored
        self._thread.shutdown()

    def put(self, answered: Answered) -> asyncio.Future[Answered]:
        future: asyncio.Future[Answered] = self._loop.create_future()
        if self._memory is None:
            future.set_result(answered)
        else:
            self._jobs.put((answered, future))
            self._thread.submit(self._commit, self._memory)
        return future

    def _commit(self, memory: Memory) -> None:
        """Write all that is waiting, which may be nothing: the commit before has written it."""
        jobs = [self._jobs.get_nowait() for _ in range(self._jobs.qsize())]
        if not jobs:
            return
        try:
            pairs = [pair for answered, _ in jobs for pair in answered]
            keeps = self._keeps or (lambda _, text: bool(text.strip()))
            kept = [(q, one) for q, one in pairs if one.refusal is not None or keeps(q.request.text, one.text)]
            rows = [(q.key, q.fingerprint, q.request, answer) for q, answer in kept]
            earlier = memory.store(rows, checked=self._keeps is not None)
            self.stored += len(rows)
            if self._claims is not None:
                self._claims.release(q.key for q, _ in pairs)
        except Exception as error:
            # whatever went wrong is the run's error, not the thread's: hand it to those who wait
            for _, future in jobs:
                self._loop.call_soon_threadsafe(_settle, future.set_exception, future, error)
        else:
            for answered, future in jobs:
                counted = [(q, earlier.get(q.key, answer)) for q, answer in answered] if earlier else answered
                self._loop.call_soon_threadsafe(_settle, future.set_result, future, counted)


def _settle(how: Callable[[T], None], future: asyncio.Future[Answered], value: T) -> None:
    if not future.done():
        how(value)


# How much of a call a local system is given at once: the bar moves every second, and an interrupt loses little.

_GROWTH = 4
_WORTH_IT = 10.0
"""A call works at least this many times as long as it takes to start, however short it should be."""


class Portions:
    """Cuts calls by the time the last ones took, taken as `start + n * each` of n characters, so that one takes about
    `seconds` (None leaves calls whole) and no portion is more than four times the last; where starting is slow, so that
    a tenth is lost."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._size = 0.0
        self._start = 0.0
        self._fastest = float("inf")
        self._last: tuple[int, float] | None = None
        self._calls = 0

    def take(self, ready: deque[list[Question]]) -> list[Question]:
        """The next portion of the first call in `ready`, at least one text; what is over stays there, in front."""
        call = ready.popleft()
        if self._seconds is None:
            return call
        count, size = 1, len(call[0].request.text)
        # the third portion has at least two texts: one size alone cannot separate start from work
        while count < len(call) and (
            size + len(call[count].request.text) <= self._size or (self._calls == 2 and count < 2)
        ):
            size += len(call[count].request.text)
            count += 1
        if count < len(call):
            ready.appendleft(call[count:])
        return call[:count]

    @contextmanager
    def timed(self, call: list[Question]) -> Iterator[None]:
        """Around the asking of a portion; one that fails teaches nothing."""
        began = time.perf_counter()
        yield
        self.learn(sum(len(question.request.text) for question in call), time.perf_counter() - began)

    def learn(self, size: int, took: float) -> None:
        """A call of `size` characters took this many seconds."""
        if self._seconds is None or size == 0:
            return
        self._calls += 1
        if self._calls == 1:
            return
        self._fastest = min(self._fastest, took)
        if self._last is not None and not 2 / 3 < size / self._last[0] < 3 / 2:
            each = (took - self._last[1]) / (size - self._last[0])
            # a larger call that was quicker (somebody else used the machine) shows no start
            self._start = max(0.0, took - size * each) if each > 0 else 0.0
        # no call is quicker than its start: one unlucky measurement cannot make portions long
        self._start = min(self._start, self._fastest)
        each = max((took - self._start) / size, 1e-9)
        self._last = (size, took)
        self._size = min(max(self._seconds - self._start, _WORTH_IT * self._start) / each, _GROWTH * size)
