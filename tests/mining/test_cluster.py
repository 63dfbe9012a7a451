"""The Ray engine on a real local cluster of two nodes, one of which is lost half-way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import polars as pl
import pytest
from tests.mining.own_text import own_sentences

from evenhand.mining.steps import MiningSettings
from evenhand.pipeline.engines import LocalEngine, Progress
from evenhand.workflows.mine import Mined, mine

pytestmark = pytest.mark.cluster
TRANSLATOR = Path(__file__).with_name("word_translator.py")
SENTENCES = 5_000


class Node(Protocol):
    node_id: str


class Cluster(Protocol):
    """What this test uses of ray.cluster_utils.Cluster."""

    def add_node(self, **settings: int) -> Node: ...
    def remove_node(self, node: Node, allow_graceful: bool) -> None: ...
    def wait_for_nodes(self) -> None: ...


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    ray = pytest.importorskip("ray")
    utils = pytest.importorskip("ray.cluster_utils")
    # Workers are new processes: they must find this checkout as the test run does.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    head = {"num_cpus": 1, "object_store_memory": 200_000_000, "include_dashboard": False}
    started = utils.Cluster(initialize_head=True, head_node_args=head)
    try:
        ray.init(address=started.address, log_to_driver=False, logging_level="ERROR")
        yield started
    finally:
        ray.shutdown()
        started.shutdown()


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "sentences.txt"
    path.write_text("\n".join(own_sentences(SENTENCES)) + "\n", encoding="utf-8")
    return path


def tables(mined: Mined) -> dict[str, pl.DataFrame]:
    """Every result a reader sees, and every shard."""
    folder = mined.findings.path
    assert folder is not None
    found = {path.name: pl.read_parquet(path) for path in sorted((folder / "work" / "shards").glob("*.parquet"))}
    found |= {name: pl.read_parquet(folder / "es" / f"{name}.parquet") for name in ("pairs", "probes", "verdicts")}
    return found


def test_a_lost_node_does_not_change_the_result(
    cluster: Cluster, sentences: Path, tiny_lm: Path, tmp_path: Path
) -> None:
    actors = pytest.importorskip("ray._private.state").actors
    from evenhand.pipeline.engines import RayEngine

    settings = MiningSettings(system=f"command:{sys.executable} {TRANSLATOR}", targets=("es",), lm=str(tiny_lm))
    alone = mine([sentences], settings, output=tmp_path / "local", engine=LocalEngine(1), shard_size=250)
    node = cluster.add_node(num_cpus=1, object_store_memory=200_000_000)
    cluster.wait_for_nodes()
    finished = 0
    killed_at: list[int] = []
    at_work: list[object] = []

    def advance(count: int) -> None:
        nonlocal finished
        finished += count
        if finished >= len(alone_shards) // 2 and not killed_at:
            killed_at.append(finished)
            at_work.extend(
                a for a in actors().values() if a["Address"]["NodeID"] == node.node_id and a["State"] == "ALIVE"
            )
            cluster.remove_node(node, allow_graceful=False)

    alone_shards = list((tmp_path / "local" / "work" / "shards").glob("*.parquet"))
    stages: list[str] = []
    progress = Progress(
        lambda name, total: stages.append(name), lambda n: advance(n) if stages[-1:] == ["shards"] else None
    )
    spread = mine([sentences], settings, output=tmp_path / "ray", engine=RayEngine(), shard_size=250, progress=progress)
    assert killed_at
    assert at_work  # the node that was lost had steps running on it
    assert killed_at[0] < len(alone_shards) == spread.summary.made
    assert spread.funnel.equals(alone.funnel)
    ours, theirs = tables(alone), tables(spread)
    assert ours.keys() == theirs.keys()
    for name, table in ours.items():
        assert table.equals(theirs[name]), name
