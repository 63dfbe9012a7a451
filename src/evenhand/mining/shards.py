"""Work cut into shards on the disk: text becomes distinct sentences, sentences become shards, a shard gets a manifest.

Sentences go to one of 256 buckets by their hash, so that duplicates meet in one bucket and memory holds one bucket at
a time, whatever the size of the text. The order is that of the hash: fixed by the text alone, and a random one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.mining.text import TextLine, sentences, usable
from evenhand.storage.atomic import write_text

BUCKETS = 256
SENTENCES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "text": pl.String(),
    "file": pl.String(),
    "line": pl.Int64(),
}


@dataclass(frozen=True)
class Intake:
    """What became of the text before the study's steps: pieces read, sentences, usable ones, distinct ones, a hash."""

    lines: int
    sentences: int
    usable: int
    distinct: int
    shards: int
    digest: str
    seconds: float = 0.0


@dataclass(frozen=True)
class ShardManifest:
    """A finished shard: what it was made with, what it holds, counts of the funnel and seconds of each step."""

    shard: str
    fingerprint: str
    rows: int
    sha256: str
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0


def summed(manifests: Iterable[ShardManifest]) -> tuple[Counter[str], dict[str, float]]:
    """Counts and seconds of all shards together."""
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for manifest in manifests:
        counts.update(manifest.counts)
        for step, spent in manifest.seconds.items():
            seconds[step] = seconds.get(step, 0.0) + spent
    return counts, seconds


def sentence_id(text: str) -> str:
    """A name for a sentence that depends on nothing but its text."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def take_in(
    lines: Iterable[TextLine], folder: Path, *, shard_size: int, limit: int | None = None, tick: Callable[[int], None]
) -> Intake:
    """Write `folder`/NNNNNN.parquet, the distinct sentences of the text; what lay there before is removed."""
    scratch = folder / "buckets"
    shutil.rmtree(folder, ignore_errors=True)
    scratch.mkdir(parents=True)
    files: dict[str, int] = {}
    read = cut = kept = 0
    buckets = [(scratch / f"{k:03d}").open("w", encoding="utf-8", newline="\n") for k in range(BUCKETS)]
    try:
        for line in lines:
            read += 1
            if read % 5_000 == 0:
                tick(5_000)
            place = files.setdefault(line.file, len(files))
            for text in sentences(line.text):
                cut += 1
                if usable(text):
                    kept += 1
                    key = sentence_id(text.casefold())
                    buckets[int(key[:2], 16)].write(f"{key}\t{place}\t{line.number}\t{text}\n")
            if limit is not None and cut >= limit:
                break
    finally:
        for bucket in buckets:
            bucket.close()
    distinct = shards = 0
    digest = hashlib.sha256(f"{read} {cut} {kept}".encode())
    for table in _cut(_distinct(scratch, list(files)), shard_size):
        write_parquet(table, folder / f"{shards:06d}.parquet")
        digest.update("".join(table["id"]).encode())
        distinct, shards = distinct + table.height, shards + 1
    shutil.rmtree(scratch)
    return Intake(read, cut, kept, distinct, shards, digest.hexdigest()[:16])


def _distinct(scratch: Path, files: list[str]) -> Iterator[pl.DataFrame]:
    """Bucket by bucket the first occurrence of every sentence (capitals do not tell sentences apart)."""
    for path in sorted(scratch.iterdir()):
        seen: set[str] = set()
        rows: list[tuple[str, str, str, int]] = []
        with path.open(encoding="utf-8", newline="\n") as stream:
            for raw in stream:
                key, place, number, text = raw.rstrip("\n").split("\t", 3)
                if key not in seen:
                    seen.add(key)
                    rows.append((sentence_id(text), text, files[int(place)], int(number)))
        rows.sort()
        yield pl.DataFrame(rows, schema=SENTENCES, orient="row")


def _cut(tables: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    waiting = pl.DataFrame(schema=SENTENCES)
    for table in tables:
        waiting = pl.concat([waiting, table])
        while waiting.height >= size:
            yield waiting.head(size)
            waiting = waiting.slice(size)
    if waiting.height:
        yield waiting


def write_parquet(table: pl.DataFrame, path: Path) -> str:
    scratch = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    table.rechunk().write_parquet(scratch, compression="zstd")
    with scratch.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    scratch.replace(path)
    return digest


def write_shard(
    folder: Path,
    shard: str,
    table: pl.DataFrame,
    *,
    fingerprint: str,
    counts: dict[str, int],
    seconds: dict[str, float],
) -> ShardManifest:
    """The shard's table, then its manifest: one without the other is not finished. Writing twice does no harm."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = write_parquet(table, folder / f"{shard}.parquet")
    manifest = ShardManifest(shard, fingerprint, table.height, digest, counts, seconds, round(memory("VmHWM"), 1))
    write_text(folder / f"{shard}.json", json.dumps(asdict(manifest), indent=1, sort_keys=True) + "\n")
    return manifest


def memory(what: str = "VmRSS") -> float:
    """Memory of this process in MB, now or (VmHWM) at most; 0 where the platform does not tell (Windows).

    Some sandboxes tell getrusage nothing: ask /proc first.
    """
    try:
        status = Path("/proc/self/status").read_text("ascii", errors="replace")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) / 1024
    except (OSError, StopIteration, ValueError):
        if find_spec("resource") is None:
            return 0.0
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_manifest(folder: Path, shard: str, *, fingerprint: str, check: bool = True) -> ShardManifest | None:
    """The manifest of a finished shard; None when it is missing, made otherwise, or its table is not what it says."""
    try:
        manifest = ShardManifest(**json.loads((folder / f"{shard}.json").read_text("utf-8")))
        if manifest.fingerprint != fingerprint:
            return None
        if check:
            with (folder / f"{shard}.parquet").open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != manifest.sha256:
                    return None
    except (OSError, ValueError, TypeError):
        return None
    return manifest


def stamps_of(paths: Iterable[Path | None]) -> list[tuple[str, int, int] | None]:
    """What tells whether files are still the same: name, size, time; None for standard input."""
    return [(str(p), p.stat().st_size, p.stat().st_mtime_ns) if p else None for p in paths]


def planned(
    plan: Path, asked: Sequence[Sequence[object] | Mapping[str, object]], read: Callable[[], dict[str, object]]
) -> dict[str, object]:
    """What was told of the input when it was read for the same question before, else what `read` tells now.

    The first part of the question are the stamps of the files; standard input is read every time.
    """
    question = json.dumps(asked)
    try:
        known = json.loads(plan.read_text("utf-8"))
        if known["asked"] == question and None not in asked[0]:
            kept: dict[str, object] = known["intake"]
            return kept
    except (OSError, ValueError, KeyError, TypeError):
        pass
    plan.unlink(missing_ok=True)
    told = read()
    write_text(plan, json.dumps({"asked": question, "intake": told}, indent=1) + "\n")
    return told


def fingerprint_of(sentences: Path, settings: str) -> str:
    """What a shard's result depends on: its sentences and everything the steps are made of."""
    with sentences.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    return hashlib.sha256(f"{settings}\n{content}".encode()).hexdigest()[:16]


def read_sentences(path: Path) -> pl.DataFrame:
    """The sentences of a shard."""
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BadInput(f"{path}: a shard of sentences is missing or damaged ({error}); use --fresh") from error
