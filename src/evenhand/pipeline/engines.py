"""Who makes the shards: this process, processes on this machine, or actors on a Ray cluster; the bytes are the same."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Protocol

from evenhand.cores import cores, shared_cores
from evenhand.errors import EvenhandError, Unknown, require
from evenhand.pipeline.shards import ShardManifest, Summary, Work, memory, shard_names

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

    from ray import ObjectRef
    from ray.actor import ActorHandle

Done = Callable[[ShardManifest], None]
Answer = tuple[str, bool] | None  # of a worker
MEMORY_MB = 560  # of a worker after a shard; a larger one is replaced
LOSSES = 5  # workers that may be lost over one shard
LOOK = 2.0  # seconds between looks at the size of a Ray cluster


class StepFailed(EvenhandError):
    """A worker met an error; its message and exit code are those of the error. Finished shards are kept."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Progress:
    """Who is informed of the progress; every call is cheap and from one thread."""

    stage: Callable[[str, int | None], object] = lambda name, total: None
    advance: Callable[[int], None] = lambda count: None


class Engine(Protocol):
    """Makes shards; `done` is called for every finished one, in any order."""

    name: str

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None: ...


class Worker:
    """One process's part: the steps are made with the first shard, and then used for all. Answers are JSON."""

    def __init__(self, work: Work, memory_mb: int) -> None:
        self._work, self._memory_mb = work, memory_mb
        self._make: Callable[[str], ShardManifest] | None = None

    def make(self, shard: str) -> tuple[str, bool]:
        """The manifest or the error, and whether this worker has grown too large and should be replaced."""
        try:
            if self._make is None:
                self._make = self._work.maker()
            return json.dumps(asdict(self._make(shard))), memory() > self._memory_mb
        except EvenhandError as error:
            return json.dumps({"error": str(error), "exit_code": error.exit_code}), True

    def here(self) -> None:
        """Answers once the worker runs."""


def _manifest(answer: str) -> ShardManifest:
    content = json.loads(answer)
    if "error" in content:
        raise StepFailed(content["error"], content["exit_code"])
    return ShardManifest(**content)


class LocalEngine:
    """Processes on this machine, each with one shard at a time and its models loaded once. One that holds more than
    `memory_mb` after a shard is replaced: caches of words and alignments fill up."""

    name = "local"

    def __init__(self, workers: int | None = None, *, memory_mb: int = MEMORY_MB) -> None:
        self.workers = workers or cores()
        self._memory_mb = memory_mb

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None:
        """A single shard is made here: another process would load Python and all tables again."""
        if len(shards) == 1:
            done(work.maker()(shards[0]))
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
                    given = (Worker(work, self._memory_mb), tasks, answers)
                    staff.append(context.Process(target=_serve, args=given, daemon=True))
                    with shared_cores(self.workers):
                        staff[-1].start()
                with contextlib.suppress(queue.Empty):
                    done(_manifest(answers.get(timeout=1.0)))
                    left -= 1
        finally:
            for member in staff:
                member.terminate()
                member.join()


def _ended(process: BaseProcess) -> bool:
    """True when a process made room for another; an error when it died."""
    if process.exitcode:
        raise StepFailed(
            f"a worker process ended with code {process.exitcode} (killed, or out of memory? In a script of yours, put "
            'the call under `if __name__ == "__main__":`). Finished shards are kept: the same command resumes.'
        )
    return process.exitcode == 0


def _serve(worker: Worker, tasks: Queue[str], answers: Queue[str]) -> None:
    """Take shard after shard until the worker is too large, or the process that hands them out is gone."""
    parent = multiprocessing.parent_process()
    with contextlib.suppress(KeyboardInterrupt):
        while parent is None or parent.is_alive():
            with contextlib.suppress(queue.Empty):
                answer, retire = worker.make(tasks.get(timeout=1.0))
                answers.put(answer)
                if retire:
                    return


class RayEngine:
    """One actor per core of a Ray cluster, each with one shard at a time; every node sees the output under one path. A
    shard whose actor is lost goes to another one, and new cores get actors."""

    name = "ray"

    def __init__(self, address: str | None = None, *, workers: int | None = None, memory_mb: int = MEMORY_MB) -> None:
        self._address, self._workers, self._memory_mb = address, workers, memory_mb

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None:
        ray = require("ray", purpose="the Ray engine", extra="ray")
        if not ray.is_initialized():
            try:
                ray.init(address=self._address, log_to_driver=False, logging_level="ERROR")
            except ConnectionError as error:
                raise StepFailed(f"no Ray cluster at {self._address}: {error}", 3) from error
        waiting, losses, looked = deque(shards), Counter[str](), -LOOK
        crew: dict[ObjectRef[Answer], tuple[ActorHandle[Worker], str]] = {}  # "": the actor is being started
        try:
            while waiting or any(shard for _, shard in crew.values()):
                if not crew or time.monotonic() - looked >= LOOK:
                    looked = time.monotonic()
                    for actor in self._hired(work, len(crew), len(waiting)):
                        crew[actor.here.remote()] = actor, ""
                for reference in ray.wait(list(crew), timeout=LOOK)[0]:
                    actor, shard = crew.pop(reference)
                    retire = self._finish(reference, shard, done, waiting, losses)
                    if retire or not waiting:
                        ray.kill(actor)
                    else:
                        shard = waiting.popleft()
                        crew[actor.make.remote(shard)] = actor, shard
        finally:
            for actor, _ in crew.values():
                ray.kill(actor)

    def _hired(self, work: Work, there: int, waiting: int) -> list[ActorHandle[Worker]]:
        """New actors: as many as there are cores (or as the user says) and shards without one."""
        ray = require("ray", purpose="the Ray engine", extra="ray")
        resources = ray.cluster_resources()
        most = self._workers or max(1, int(resources.get("CPU", 1)))
        gpus = min(1.0, resources.get("GPU", 0) / most) if work.on_gpu else 0
        kind = ray.remote(num_cpus=1, num_gpus=gpus)(Worker)
        return [kind.remote(work, self._memory_mb) for _ in range(min(most - there, waiting))]

    def _finish(
        self, reference: ObjectRef[Answer], shard: str, done: Done, waiting: deque[str], losses: Counter[str]
    ) -> bool:
        """Take an answer; whether its actor is lost or too large. The shard of a lost one waits again."""
        ray = require("ray", purpose="the Ray engine", extra="ray")
        try:
            answer = ray.get(reference)
        except ray.exceptions.RayActorError as error:
            losses[shard] += bool(shard)
            if losses[shard] > LOSSES:
                raise StepFailed(f"shard {shard} ended {LOSSES + 1} workers: {error}") from error
            waiting.extendleft([shard] if shard else [])
            return True
        except ray.exceptions.RayError as error:
            raise StepFailed(f"the Ray run failed: {str(error).strip().splitlines()[-1]}") from error
        if answer is None:
            return False
        done(_manifest(answer[0]))
        return bool(answer[1])


def open_engine(name: str, *, workers: int | None = None, address: str | None = None, memory_mb: int = 0) -> Engine:
    """`local`, or `ray` with the address of a cluster (`auto`: the one this machine belongs to; none: started here).
    `memory_mb`: what a worker may hold after a shard before it is replaced."""
    if name not in ("local", "ray"):
        raise Unknown("engine", name, ("local", "ray"))
    most = memory_mb or MEMORY_MB
    return (
        LocalEngine(workers, memory_mb=most) if name == "local" else RayEngine(address, workers=workers, memory_mb=most)
    )


def run_shards(engine: Engine, work: Work, count: int, progress: Progress) -> Summary:
    """Make those of `count` shards that are not finished yet; all of them together."""
    summary, waiting = Summary(), list[str]()
    progress.stage("shards", count)
    for name in shard_names(count):
        manifest = work.finished(name)
        if manifest is None:
            waiting.append(name)
        else:
            summary.add(manifest)
            summary.kept += 1
    progress.advance(summary.kept)

    def done(manifest: ShardManifest) -> None:
        summary.add(manifest)
        summary.made += 1
        progress.advance(1)

    if waiting:
        engine.run(work, waiting, done)
    return summary
