"""Who runs the steps: processes on this machine, or Ray Data on a cluster. The steps and the shards are the same."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evenhand.errors import EvenhandError
from evenhand.mining.shards import ShardManifest, fingerprint_of, memory, read_sentences, write_shard
from evenhand.mining.steps import STEPS, Batch, MiningSettings, Step, WorkerPlace

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

Done = Callable[[ShardManifest], None]


class StepFailed(EvenhandError):
    """A worker met an error; its message and exit code are those of the error. Finished shards are kept."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Work:
    """What every worker is told: where shards lie, what to do with them, and how. Plain data."""

    folder: str
    settings: MiningSettings
    fingerprint: str
    place: WorkerPlace

    def as_json(self) -> str:
        return json.dumps({**asdict(self), "settings": self.settings.as_json()})

    @classmethod
    def from_json(cls, text: str) -> Work:
        told = json.loads(text)
        return cls(
            told["folder"],
            MiningSettings.from_json(told["settings"]),
            told["fingerprint"],
            WorkerPlace(**told["place"]),
        )

    def read(self, shard: str) -> Batch:
        return Batch(shard, read_sentences(self.sentences(shard)))

    def sentences(self, shard: str) -> Path:
        return Path(self.folder, "sentences", f"{shard}.parquet")

    def shard_fingerprint(self, shard: str) -> str:
        return fingerprint_of(self.sentences(shard), self.fingerprint)

    def write(self, batch: Batch) -> ShardManifest:
        seconds = {name: round(value, 4) for name, value in batch.seconds.items()}
        return write_shard(
            Path(self.folder, "shards"),
            batch.shard,
            batch.table,
            fingerprint=self.shard_fingerprint(batch.shard),
            counts=dict(sorted(batch.counts.items())),
            seconds=seconds,
        )


def timed(step: Step, batch: Batch) -> Batch:
    """The batch after a step, its seconds noted: by the clock, and of the processor (also of programs it called)."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    after = step(batch)
    spent = {
        **after.seconds,
        step.name: time.perf_counter() - start,
        f"{step.name} (processor)": sum(os.times()[:4]) - before,
    }
    return Batch(after.shard, after.table, after.counts, spent)


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

    def __init__(self, workers: int | None = None, *, memory_mb: int = 560) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._memory_mb = memory_mb

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None:
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
                    given = (work.as_json(), self._memory_mb, tasks, answers)
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


def _ended(process: BaseProcess) -> bool:
    """True when a process made room for another; an error when it died."""
    if process.exitcode is None:
        return False
    if process.exitcode != 0:
        raise StepFailed(
            f"a worker process ended with code {process.exitcode} (killed, or out of memory?). "
            "Finished shards are kept: the same command continues."
        )
    return True


def _manifest(answer: str) -> ShardManifest:
    told = json.loads(answer)
    if "error" in told:
        raise StepFailed(told["error"], told["exit_code"])
    return ShardManifest(**told)


def _serve(work_json: str, memory_mb: int, tasks: Queue[str], answers: Queue[str]) -> None:
    """A worker: makes the steps once, then takes shard after shard until it is ended, or has grown too large."""
    work = Work.from_json(work_json)
    try:
        steps = [make(work.settings, work.place) for make in STEPS]
        while (shard := _next(tasks)) is not None:
            batch = work.read(shard)
            for step in steps:
                batch = timed(step, batch)
            answers.put(json.dumps(asdict(work.write(batch))))
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


def open_engine(name: str, *, workers: int | None = None, address: str | None = None) -> Engine:
    """`local`, or `ray` with the address of a cluster (`auto`: the one this machine belongs to; none: started here)."""
    if name == "local":
        return LocalEngine(workers)
    if name == "ray":
        from evenhand.mining.ray_engine import RayEngine

        return RayEngine(address, workers=workers)
    from evenhand.errors import Unknown

    raise Unknown("engine", name, ("local", "ray"))
