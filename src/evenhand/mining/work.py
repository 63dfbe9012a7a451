"""What an engine is given: shards on the disk, the steps they go through, and how a finished one is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

import polars as pl

from evenhand.mining.shards import ShardManifest, fingerprint_of, read_manifest, read_sentences, write_shard

SHARDS = "shards"


@dataclass(frozen=True)
class Batch:
    """A table on its way through the steps, with the funnel's counts and the seconds of each step so far."""

    shard: str
    table: pl.DataFrame
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """Who is told how far the run is; every call is cheap and from one thread."""

    stage: Callable[[str, int | None], None] = lambda name, total: None
    advance: Callable[[int], None] = lambda count: None


class Step(Protocol):
    """One step of the work. Stateless: what it gives depends on its batch and the settings only."""

    name: str

    def __call__(self, batch: Batch) -> Batch: ...


@dataclass(frozen=True)
class Work(ABC):
    """What every worker is told: where shards lie, what to do with them, and how. Plain data that can travel."""

    folder: str
    fingerprint: str

    sentences_in: ClassVar[str] = "sentences"
    """The folder of the shards before the work."""
    on_gpu: ClassVar[str] = ""
    """The step that takes a GPU where there is one."""

    @abstractmethod
    def steps(self) -> Mapping[str, Callable[[], Step]]:
        """The steps in order, by name; each is made once in a process or actor (that is when models are loaded)."""

    def read(self, shard: str) -> Batch:
        return Batch(shard, read_sentences(self.sentences(shard)))

    def sentences(self, shard: str) -> Path:
        return Path(self.folder, self.sentences_in, f"{shard}.parquet")

    def shard_fingerprint(self, shard: str) -> str:
        return fingerprint_of(self.sentences(shard), self.fingerprint)

    def finished(self, shards: Sequence[str]) -> dict[str, ShardManifest]:
        """Those of the shards that were made before, of the same text and with the same settings."""
        manifests = {
            name: read_manifest(Path(self.folder, SHARDS), name, fingerprint=self.shard_fingerprint(name))
            for name in shards
        }
        return {name: manifest for name, manifest in manifests.items() if manifest is not None}

    def write(self, batch: Batch) -> ShardManifest:
        seconds = {name: round(value, 4) for name, value in batch.seconds.items()}
        return write_shard(
            Path(self.folder, SHARDS),
            batch.shard,
            batch.table,
            fingerprint=self.shard_fingerprint(batch.shard),
            counts=dict(sorted(batch.counts.items())),
            seconds=seconds,
        )
