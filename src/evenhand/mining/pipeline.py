"""One mining run, start to end: text in, shards, engine, result folder. Starting it again goes on where it stopped."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evenhand.atomic import write_text
from evenhand.errors import BadInput
from evenhand.mining.collect import Collected, collect
from evenhand.mining.engines import Engine, LocalEngine, Work
from evenhand.mining.output import write_result
from evenhand.mining.shards import Intake, ShardManifest, read_manifest, take_in
from evenhand.mining.steps import MiningSettings, WorkerPlace, fingerprint
from evenhand.mining.text import TextLine, inputs, read_text

SHARD_SIZE = 2_000


@dataclass(frozen=True)
class Progress:
    """Who is told how far the run is; every call is cheap and from one thread."""

    stage: Callable[[str, int | None], None] = lambda name, total: None
    advance: Callable[[int], None] = lambda count: None


@dataclass(frozen=True)
class Cut:
    """How text is read: the field of a table, sentences to a shard, about how many sentences at most."""

    field: str | None
    size: int
    limit: int | None


@dataclass(frozen=True)
class Mined:
    """A finished run: where it lies, what was found, how many shards were made now and how many before."""

    folder: Path
    result: Collected
    made: int
    kept: int
    seconds: float


def mine(
    texts: Sequence[Path | str],
    settings: MiningSettings,
    output: Path,
    *,
    engine: Engine | None = None,
    memory: Path | None = None,
    field: str | None = None,
    shard_size: int = SHARD_SIZE,
    limit: int | None = None,
    seed: int = 0,
    threads: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Mined:
    """Mine at-risk pairs out of natural text into the folder `output`.

    A folder with unfinished shards is continued; shards made from other sentences or with other settings are made
    again. `fresh` throws away what is there. `limit` reads about so many sentences. The seed draws the pairs that are
    not at risk. On Ray, `output` must be a path that every node sees.
    """
    if not settings.targets:
        raise BadInput("no target language given (--target es,de)")
    start, engine, progress = time.perf_counter(), engine or LocalEngine(), progress or Progress()
    work_folder = output.absolute() / "work"
    if fresh and work_folder.is_dir():
        shutil.rmtree(work_folder)
    mark = fingerprint(settings)  # opens every part once: what is missing or unknown is said before any work
    intake = _intake(inputs(texts), work_folder, Cut(field, shard_size, limit), progress)
    where = str(memory) if memory is not None else str(work_folder / "memory" / "{shard}.sqlite")
    work = Work(str(work_folder), settings, mark, WorkerPlace(threads=threads, memory=where))
    names = [f"{k:06d}" for k in range(intake.shards)]
    finished: dict[str, ShardManifest] = {}
    for name in names:
        found = read_manifest(work_folder / "shards", name, fingerprint=work.shard_fingerprint(name))
        if found is not None:
            finished[name] = found
    before = len(finished)
    waiting = [name for name in names if name not in finished]
    progress.stage("shards", len(names))
    progress.advance(before)

    def done(manifest: ShardManifest) -> None:
        finished[manifest.shard] = manifest
        progress.advance(1)

    if waiting:
        engine.run(work, waiting, done)
    progress.stage("report", None)
    paths = [work_folder / "shards" / f"{name}.parquet" for name in names]
    ordered = [finished[name] for name in names]
    result = collect(paths, ordered, intake, targets=settings.targets, seed=seed)
    seconds = time.perf_counter() - start
    write_result(result, output, settings, fingerprint=mark, seed=seed, engine=engine.name, seconds=seconds)
    return Mined(output, result, len(waiting), before, seconds)


def _intake(paths: Sequence[Path | None], folder: Path, cut: Cut, progress: Progress) -> Intake:
    """Read the text, unless the same text was read before (same files by size and time, same cut)."""
    stamps = [(str(p), p.stat().st_size, p.stat().st_mtime_ns) if p else None for p in paths]
    asked = json.dumps([stamps, asdict(cut)])
    plan = folder / "plan.json"
    try:
        known = json.loads(plan.read_text("utf-8"))
        if known["asked"] == asked and None not in stamps:
            return Intake(**known["intake"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    progress.stage("text", None)
    plan.unlink(missing_ok=True)
    start = time.perf_counter()
    lines = _lines(paths, cut.field)
    taken = take_in(lines, folder / "sentences", shard_size=cut.size, limit=cut.limit, tick=progress.advance)
    if not taken.distinct:
        raise BadInput("there is no usable sentence in the text (3 to 60 words, 8 to 400 characters)")
    intake = Intake(**{**asdict(taken), "seconds": round(time.perf_counter() - start, 3)})
    write_text(plan, json.dumps({"asked": asked, "intake": asdict(intake)}, indent=1) + "\n")
    return intake


def _lines(paths: Sequence[Path | None], field: str | None) -> Iterator[TextLine]:
    for path in paths:
        yield from read_text(path, field=field)
