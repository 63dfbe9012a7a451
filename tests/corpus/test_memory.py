"""What is held in memory while an audited text is counted: no more for many shards than for few."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.corpus.own_pairs import LINES

from evenhand.corpus.collect import Collected, collect
from evenhand.corpus.steps import PERSONS
from evenhand.gender import GENDERS
from evenhand.pipeline.shards import Summary, write_parquet
from evenhand.storage.tables import ALL, JUDGED

PEAK = """
import json, sys
from collections import Counter
from pathlib import Path
from evenhand.corpus.collect import collect
from evenhand.pipeline.shards import Summary, memory
paths = [Path(sys.argv[1])] * int(sys.argv[2])
summary = Summary(Counter(persons=2_500 * len(paths)))
before = memory()
collected = collect(paths, summary, Path(sys.argv[3]), seed=1)
told = {name: table.height for name, table in collected.clusters.items()}
print(json.dumps({"grown": memory("VmHWM") - before, "rows": sum(told.values())}))
"""


def shard(path: Path, clusters: list[str], *, file: int = 0, words: int = 12) -> Path:
    """The table of a finished shard of persons whom the source leaves open, one per line, `words` words long."""
    count = len(clusters)
    dice = np.random.default_rng(count)
    genders = dice.choice(GENDERS, count).tolist()
    nouns = dice.choice([source.split()[1] for source, _, says, _ in LINES if says == "open"], count).tolist()
    told: dict[str, list[int] | list[str]] = {
        "file": [file] * count,
        "line": list(range(1, count + 1)),
        "cluster": clusters,
        "source": [f"The {noun} {'came and went and ' * (words // 4)}{n}." for n, noun in enumerate(nouns)],
        "rendering": [f"{noun} {'kam und ging und ' * (words // 4)}{n}." for n, noun in enumerate(nouns)],
        "focus_start": [4] * count,
        "focus_end": [4 + len(noun) for noun in nouns],
        "concept": nouns,
        "says": ["open"] * count,
        "gender": genders,
    }
    schema = PERSONS | JUDGED
    empty = pl.DataFrame(schema=schema).clear(count)
    table = empty.with_columns(pl.Series(key, values).cast(schema[key]) for key, values in told.items())
    write_parquet(table.select(list(schema)), path)
    return path


def collected(folder: Path, *shards: list[str]) -> Collected:
    paths = [shard(folder / f"{number}.parquet", clusters) for number, clusters in enumerate(shards)]
    return collect(paths, Summary(Counter(persons=sum(map(len, shards)))), folder / "scratch", seed=0)


@pytest.mark.skipif(sys.platform == "win32", reason="the platform does not tell a process's memory")
def test_memory_does_not_grow_with_the_number_of_shards(tmp_path: Path) -> None:
    made = shard(tmp_path / "one.parquet", [f"0/{n // 20}" for n in range(2_500)], words=40)
    told = []
    for count in (20, 320):
        arguments = [str(made), str(count), str(tmp_path / f"s{count}")]
        done = subprocess.run([sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=True)
        told.append(json.loads(done.stdout))
    assert told[1]["grown"] < told[0]["grown"] + 60, told  # MB; with the sentences of all shards held it was 295
    assert told[1]["rows"] <= told[0]["rows"]


def test_a_document_in_several_shards_is_one_cluster(tmp_path: Path) -> None:
    there = collected(tmp_path, ["0/=a", "0/=a", "0/=b"], ["0/=b", "0/=c", "0/=a"])
    for grouping in (ALL, "source", "file"):
        assert int(there.clusters[grouping]["times"].sum()) == 3, grouping
    sizes = there.clusters[ALL].select(n=pl.sum_horizontal(GENDERS), times="times").sort("n")
    assert sizes.rows() == [(1, 1), (2, 1), (3, 1)]


def test_clusters_in_many_parts_on_the_disk_are_those_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clusters = [f"0/{n // 7}" for n in range(900)]
    (tmp_path / "one").mkdir()
    (tmp_path / "many").mkdir()
    one = collected(tmp_path / "one", clusters[:500], clusters[500:])
    monkeypatch.setattr("evenhand.corpus.collect.PART", 50)
    many = collected(tmp_path / "many", clusters[:500], clusters[500:])
    assert one.clusters.keys() == many.clusters.keys()
    for grouping, table in one.clusters.items():
        assert table.equals(many.clusters[grouping]), grouping
    assert one.said.equals(many.said)
    assert one.counts.equals(many.counts)
    assert not (tmp_path / "many" / "scratch").exists()
