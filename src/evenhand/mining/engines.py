"""Who runs the steps: processes on this machine, or Ray Data on a cluster. The steps and the shards are the same."""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Protocol

from evenhand.errors import EvenhandError
from evenhand.mining.shards import ShardManifest, memory
from evenhand.mining.work import Batch, Progress, Step, Work

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

Done = Callable[[ShardManifest], None]
MEMORY_MB = 560  # that a local worker may hold


class StepFailed(EvenhandError):
    """A worker met an error; its message and exit code are those of the error. Finished shards are kept."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def timed(step: Step, batch: Batch) -> Batch:
    """The batch after a step, its seconds noted: by the clock, and of the processor (also of programs it called)."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    with _uncollected():
        after = step(batch)
    spent = {
        **after.seconds,
        step.name: time.perf_counter() - start,
        f"{step.name} (processor)": sum(os.times()[:4]) - before,
    }
    return Batch(after.shard, after.table, after.counts, spent)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's search for circular garbage, which goes through everything the caches hold again and again: a
    fifth of a step's time. Steps leave hardly any, and it is looked for between them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Engine(Protocol):
    """Runs the steps over shards; `done` hears of every finished one, in any order."""

    name: str

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None: ...


class LocalEngine:
    """Processes on this machine, each with one shard in its memory at a time and its models loaded once.

    Caches of words and alignments fill up over many shards: a process that holds more than `memory_mb` after a shard
    makes room for a new one, so that memory stays flat however much text there is.
    """

    name = "local"

    def __init__(self, workers: int | None = None, *, memory_mb: int = MEMORY_MB) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._memory_mb = memory_mb

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None:
        """A single shard is made here: another process would load Python and all tables again."""
        if len(shards) == 1:
            done(next(_made(work, shards)))
            return
        context = multiprocessing.get_context("spawn")
        tasks: Queue[str] = context.Queue()
        answers: Queue[str] = context.Queue()
        for shard in shards:
            tasks.put(shard)
        staff: list[BaseProcess] = []
        left = len(shards)
        try:
            while left:
                staff = [member for member in staff if not _ended(member)]
                for _ in range(min(self.workers, left) - len(staff)):
                    given = (work, self._memory_mb, tasks, answers)
                    process = context.Process(target=_serve, args=given, daemon=True)
                    process.start()
                    staff.append(process)
                with contextlib.suppress(queue.Empty):
                    done(_manifest(answers.get(timeout=1.0)))
                    left -= 1
        finally:
            for member in staff:
                member.terminate()
                member.join()


def through(
    engine: Engine, work: Work, shards: Sequence[str], progress: Progress
) -> tuple[dict[str, ShardManifest], int]:
    """Run what is not finished yet: the manifests of all shards, and how many of them were there before."""
    finished = work.finished(shards)
    before = len(finished)
    waiting = [shard for shard in shards if shard not in finished]
    progress.stage("shards", len(shards))
    progress.advance(before)

    def done(manifest: ShardManifest) -> None:
        finished[manifest.shard] = manifest
        progress.advance(1)

    if waiting:
        engine.run(work, waiting, done)
    return finished, before


def _ended(process: BaseProcess) -> bool:
    """True when a process made room for another; an error when it died."""
    if process.exitcode is None:
        return False
    if process.exitcode != 0:
        raise StepFailed(
            f"a worker process ended with code {process.exitcode} (killed, or out of memory? In a script of yours, put "
            'the call under `if __name__ == "__main__":`). Finished shards are kept: the same command continues.'
        )
    return True


def _manifest(answer: str) -> ShardManifest:
    told = json.loads(answer)
    if "error" in told:
        raise StepFailed(told["error"], told["exit_code"])
    return ShardManifest(**told)


def _made(work: Work, shards: Iterable[str]) -> Iterator[ShardManifest]:
    """The steps are made once; then shard after shard goes through them."""
    steps = [make() for make in work.steps().values()]
    for shard in shards:
        batch = work.read(shard)
        for step in steps:
            batch = timed(step, batch)
        yield work.write(batch)


def _serve(work: Work, memory_mb: int, tasks: Queue[str], answers: Queue[str]) -> None:
    """A worker: makes the steps once, then takes shard after shard until it is ended, or has grown too large."""
    try:
        for manifest in _made(work, iter(lambda: _next(tasks), None)):
            answers.put(json.dumps(asdict(manifest)))
            if memory() > memory_mb:
                return
    except EvenhandError as error:
        answers.put(json.dumps({"error": str(error), "exit_code": error.exit_code}))
    except KeyboardInterrupt:
        return


def _next(tasks: Queue[str]) -> str | None:
    """The next shard; None when the process that hands them out is gone: nobody would hear of more."""
    parent = multiprocessing.parent_process()
    while parent is None or parent.is_alive():
        with contextlib.suppress(queue.Empty):
            return tasks.get(timeout=1.0)
    return None


def open_engine(
    name: str, *, workers: int | None = None, address: str | None = None, memory_mb: int = MEMORY_MB
) -> Engine:
    """`local`, or `ray` with the address of a cluster (`auto`: the one this machine belongs to; none: started here).

    `memory_mb`: what a local worker may hold after a shard before it makes room for a new one.
    """
    if name == "local":
        return LocalEngine(workers, memory_mb=memory_mb)
    if name == "ray":
        from evenhand.mining.ray_engine import RayEngine

        return RayEngine(address, workers=workers)
    from evenhand.errors import Unknown

    raise Unknown("engine", name, ("local", "ray"))
