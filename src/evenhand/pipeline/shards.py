"""Shards on the disk: rows before the work, a table with its manifest after it; without a manifest it is unfinished."""

import contextlib
import gc
import hashlib
import io
import json
import os
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.errors import BadInput
from evenhand.storage.atomic import file_hash, replacing_bytes, write_text

Keys = npt.NDArray[np.uint64]


def hashes(texts: Iterable[str], order: str = "<") -> Keys:
    """64 bits per text. Among 10^8 texts any two collide with probability 1 in 3,700; of 10^10, three pairs collide."""
    digests = b"".join([hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts])
    return np.frombuffer(digests, dtype=f"{order}u8").astype(np.uint64)


def lots(names: Iterable[str]) -> pl.Series:
    """A number per name; the smallest are drawn."""
    return pl.Series("lot", hashes(names, ">"))


class Draw:
    """The rows with the smallest lots: `limit` of all, or per combination of the columns `over`. Holds places only."""

    def __init__(self, limit: int, *over: str) -> None:
        self._limit, self._over = limit, over
        self._places: pl.DataFrame | None = None

    def add(self, shard: int, rows: pl.DataFrame) -> None:
        """Rows of a shard: `row`, their place in it, `lot`, and the columns `over`."""
        new = rows.select(pl.lit(shard, pl.Int32).alias("shard"), pl.col("row").cast(pl.UInt32), "lot", *self._over)
        places = (new if self._places is None else pl.concat([self._places, new])).sort("lot")
        if self._over:
            places = places.filter(pl.int_range(pl.len()).over(self._over) < self._limit)
        self._places = places if self._over else places.head(self._limit)

    def read(self, load: Callable[[int], pl.DataFrame]) -> pl.DataFrame:
        """The drawn rows with their lots, in the order of the shards; `load` gives the table of a shard."""
        rows: list[tuple[object, ...]] = []  # plain rows: a table's texts would hold those of the whole shard in memory
        places = pl.DataFrame() if self._places is None else self._places.sort("shard", "row")
        shape = load(int(places["shard"][0]) if places.height else 0).clear()
        for (number,), some in places.group_by("shard", maintain_order=True) if places.height else ():
            rows += load(int(str(number)))[some["row"]].with_columns(some["lot"]).rows()
        return pl.DataFrame(rows, schema={**shape.schema, "lot": pl.UInt64()}, orient="row")


SHARDS = "shards"


@dataclass(frozen=True)
class Shard:
    """A table on its way through the steps, with the counts and the seconds per step so far."""

    name: str
    table: pl.DataFrame
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    def then(self, table: pl.DataFrame, counts: Mapping[str, int] | None = None) -> Self:
        """What a step makes of it."""
        return replace(self, table=table, counts=self.counts + Counter(counts or {}))


class Step(Protocol):
    """One step of the work. Stateless: the result depends on the shard and the settings only."""

    name: str

    def __call__(self, shard: Shard) -> Shard: ...


@dataclass(frozen=True)
class ShardManifest:
    """A finished shard: what it was made with, what it holds, counts of the funnel and seconds per step."""

    shard: str
    fingerprint: str
    rows: int
    sha256: str
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0


@dataclass
class Summary:
    """All shards together: counts, seconds per step, the largest worker, how many were made now and kept from before.
    The leading process holds this, so that its memory does not grow with the number of shards."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    made: int = 0
    kept: int = 0

    def add(self, manifest: ShardManifest) -> None:
        self.counts.update(manifest.counts)
        for step, spent in manifest.seconds.items():
            self.seconds[step] = self.seconds.get(step, 0.0) + spent
        self.peak_mb = max(self.peak_mb, manifest.peak_mb)

    @property
    def effort(self) -> str:
        """Time and memory in words."""
        spent = ", ".join(f"{step} {seconds:,.1f}" for step, seconds in self.seconds.items())
        memory = f"largest memory of a worker {self.peak_mb:,.0f} MB"
        return f"seconds of each step, all workers together: {spent}; {memory}"


@dataclass(frozen=True)
class Work(ABC):
    """What a worker needs to make shards of one run; plain data that can travel."""

    folder: str
    fingerprint: str

    rows_in: ClassVar[str]
    """The folder of the shards before the work."""
    on_gpu: ClassVar[bool] = False
    """Whether a step uses a GPU where there is one."""

    @abstractmethod
    def steps(self) -> list[Step]:
        """The steps in order; they are made once per worker (that is when models are loaded)."""

    def maker(self) -> Callable[[str], ShardManifest]:
        """Make the steps; the function takes a shard's name, puts its rows through them and writes the result."""
        steps = self.steps()

        def make(name: str) -> ShardManifest:
            path = self.rows(name)
            try:
                shard = Shard(name, pl.read_parquet(path))
            except (OSError, pl.exceptions.PolarsError) as error:
                raise BadInput(f"{path}: a shard of the text is missing or damaged ({error}); use --fresh") from error
            for step in steps:
                shard = timed(step, shard)
            return self.write(shard)

        return make

    def rows(self, name: str) -> Path:
        return Path(self.folder, self.rows_in, f"{name}.parquet")

    def table(self, name: str) -> Path:
        return Path(self.folder, SHARDS, f"{name}.parquet")

    def finished(self, name: str) -> ShardManifest | None:
        """The manifest of a shard made from the same rows with the same settings; None when it must be made again."""
        with contextlib.suppress(OSError, ValueError, TypeError):
            manifest = ShardManifest(**json.loads(self.table(name).with_suffix(".json").read_text("utf-8")))
            expected = (self._shard_fingerprint(name), file_hash(self.table(name)))
            return manifest if (manifest.fingerprint, manifest.sha256) == expected else None
        return None

    def write(self, shard: Shard) -> ShardManifest:
        """The table, then its manifest. Writing twice does no harm."""
        name, digest = shard.name, write_parquet(shard.table, self.table(shard.name))
        seconds = {step: round(spent, 4) for step, spent in shard.seconds.items()}
        effort = (dict(sorted(shard.counts.items())), seconds, round(memory("VmHWM"), 1))
        manifest = ShardManifest(name, self._shard_fingerprint(name), shard.table.height, digest, *effort)
        path = self.table(shard.name).with_suffix(".json")
        write_text(path, json.dumps(asdict(manifest), indent=1, sort_keys=True) + "\n")
        return manifest

    def _shard_fingerprint(self, name: str) -> str:
        """What a result depends on: the rows and everything the steps are made of."""
        return hashlib.sha256(f"{self.fingerprint}\n{file_hash(self.rows(name))}".encode()).hexdigest()[:16]


def check_detector(found: str, expected: str) -> None:
    """The detector of a worker must be that of the leading process ("": not compared)."""
    if expected and found != expected:
        raise BadInput(
            "the detector on this worker differs from that of the leading process: install the same packages and put "
            "the same file of labelled forms (--forms) on every node"
        )


def shard_names(count: int) -> Iterator[str]:
    return (f"{number:06d}" for number in range(count))


def timed(step: Step, shard: Shard) -> Shard:
    """The shard after a step, its seconds noted: by the clock, and of the processor (also of programs it called). The
    search for circular garbage is off meanwhile: in full caches it costs a fifth of a step's time."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    enabled = gc.isenabled()
    gc.disable()
    try:
        after = step(shard)
    finally:
        if enabled:
            gc.enable()
    spent = {step.name: time.perf_counter() - start, f"{step.name} (processor)": sum(os.times()[:4]) - before}
    return replace(after, seconds={**after.seconds, **spent})


def write_parquet(table: pl.DataFrame, path: Path) -> str:
    """Write a table whole or not at all; its SHA-256."""
    content = io.BytesIO()
    table.rechunk().write_parquet(content, compression="zstd")
    with replacing_bytes(path) as stream:
        stream.write(content.getbuffer())
    return hashlib.sha256(content.getbuffer()).hexdigest()


def memory(what: str = "VmRSS") -> float:
    """Memory of this process in MB, now or (VmHWM) at most, from /proc first, since some sandboxes do not answer
    getrusage; 0 where it is not reported (Windows)."""
    with contextlib.suppress(OSError, StopIteration, ValueError):
        status = Path("/proc/self/status").read_text("ascii", errors="replace")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) / 1024
    if find_spec("resource") is None:
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
