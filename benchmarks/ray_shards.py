"""What leading a large run costs: many tiny shards on a local Ray cluster that loses and gains nodes on the way.

    PYTHONPATH=.:src python -m benchmarks.ray_shards [--shards 1000 10000 100000] [--nodes 3] [--lost 4]

Each shard holds a few pairs and its only step copies them, so that what is measured is the engine, the shard files and
the collection, not the judging (that is benchmarks/corpus_scale.py). Nodes are killed at even distances and replaced.
Every table is compared with the expected bytes at the end. Prints a row per number of shards: seconds by the clock,
processor seconds and memory of the leading process, shards that had to be made again, then the same for collecting.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.corpus.collect import collect
from evenhand.corpus.steps import PERSONS
from evenhand.errors import require
from evenhand.pipeline.engines import Progress, RayEngine, run_shards
from evenhand.pipeline.shards import Shard, Step, Summary, Work, memory, shard_names, write_parquet
from evenhand.storage.tables import JUDGED

PAIRS = 20  # per shard
HEAD = (
    "| shards | nodes lost | by the clock, s | shards per second | leading process, ms per shard | its memory, MB | "
    "more than at the start, MB | collecting, ms per shard | its memory, MB |"
)


def persons() -> pl.DataFrame:
    """The table that every shard becomes: nurses and doctors, one per pair."""
    given: dict[str, list[object]] = {
        "file": [0] * PAIRS,
        "line": list(range(1, PAIRS + 1)),
        "cluster": [f"0/{line // 10}" for line in range(PAIRS)],
        "source": [f"The {('nurse', 'doctor')[n % 2]} slept {n} hours." for n in range(PAIRS)],
        "rendering": [f"{('Die Pflegerin', 'Der Arzt')[n % 2]} schlief {n} Stunden." for n in range(PAIRS)],
        "focus_start": [4] * PAIRS,
        "focus_end": [9 + n % 2 for n in range(PAIRS)],
        "concept": [("nurse", "doctor")[n % 2] for n in range(PAIRS)],
        "says": ["open"] * PAIRS,
        "gender": [("female", "male")[n % 2] for n in range(PAIRS)],
    }
    schema = PERSONS | JUDGED
    empty = pl.DataFrame(schema=schema).clear(PAIRS)
    return empty.with_columns(pl.Series(name, cells).cast(schema[name]) for name, cells in given.items())


class Copy:
    """The step: nothing but a count."""

    name = "copy"

    def __call__(self, shard: Shard) -> Shard:
        return shard.then(shard.table, {"persons": shard.table.height})


@dataclass(frozen=True)
class CopyWork(Work):
    rows_in = "pairs"

    def steps(self) -> list[Step]:
        return [Copy()]


class Measured(NamedTuple):
    """One run."""

    shards: int
    lost: int
    clock: float
    processor: float
    memory_mb: float
    grown_mb: float
    collecting: float
    collecting_mb: float

    def row(self) -> str:
        each = 1e3 / self.shards
        return (
            f"| {self.shards:,} | {self.lost} | {self.clock:,.0f} | {self.shards / self.clock:,.0f} | "
            f"{self.processor * each:.2f} | {self.memory_mb:,.0f} | {self.grown_mb:+,.0f} | "
            f"{self.collecting * each:.2f} | {self.collecting_mb:,.0f} |"
        )


def measure(count: int, folder: Path, *, nodes: int, lost: int) -> Measured:
    """Make and collect `count` shards on `nodes` nodes of one core, `lost` of which are killed and replaced."""
    ray = require("ray", purpose="this benchmark", extra="ray")
    utils = require("ray.cluster_utils", purpose="this benchmark", extra="ray")
    work = CopyWork(str(folder), "benchmark")
    template = folder / "template.parquet"
    digest = write_parquet(persons(), template)
    (folder / work.rows_in).mkdir()
    for name in shard_names(count):
        os.symlink(template, work.rows(name))  # 65,000 hard links are the most that ext4 has
    small = {"num_cpus": 1, "object_store_memory": 100_000_000}
    cluster = utils.Cluster(initialize_head=True, head_node_args={**small, "num_cpus": 0, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    crew = [cluster.add_node(**small) for _ in range(nodes)]
    cluster.wait_for_nodes()
    done, at = 0, [count * (k + 1) // (lost + 1) for k in range(lost)]

    def advance(made: int) -> None:
        nonlocal done
        done += made
        if at and done >= at[0]:
            at.pop(0)
            cluster.remove_node(crew.pop(0), allow_graceful=False)
            crew.append(cluster.add_node(**small))
        if done % max(1, count // 20) == 0:
            print(f"{done:,} of {count:,}, {memory():,.0f} MB", file=sys.stderr, flush=True)

    try:
        before, start, clock = memory(), sum(os.times()[:2]), time.perf_counter()
        summary = run_shards(RayEngine(), work, count, Progress(advance=advance))
        clock, processor, held = time.perf_counter() - clock, sum(os.times()[:2]) - start, memory()
    finally:
        ray.shutdown()
        cluster.shutdown()
    check(work, count, digest, summary)
    start = sum(os.times()[:2])
    collect([work.table(name) for name in shard_names(count)], summary, folder / "counting", seed=0)
    spent = sum(os.times()[:2]) - start
    return Measured(count, lost - len(at), clock, processor, held, held - before, spent, memory("VmHWM"))


def check(work: Work, count: int, digest: str, summary: Summary) -> None:
    """Every shard is there once, finished, and the expected table."""
    if summary.made != count or summary.counts["persons"] != count * PAIRS:
        raise SystemExit(f"{summary.made:,} of {count:,} shards were made, {summary.counts['persons']:,} persons")
    for name in shard_names(count):
        manifest = work.finished(name)
        if manifest is None or manifest.sha256 != digest:
            raise SystemExit(f"shard {name} is not what it should be")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--lost", type=int, default=4)
    parser.add_argument("--folder", type=Path, help="where the shards are written (default: a temporary folder)")
    given = parser.parse_args(arguments)
    print(HEAD, "|--:" * 9 + "|", sep="\n")
    for count in given.shards:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            print(measure(count, Path(folder), nodes=given.nodes, lost=given.lost).row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
