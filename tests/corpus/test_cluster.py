"""The same shards on Ray: two nodes, one of which is lost half-way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.corpus.own_pairs import text
from tests.mining.test_cluster import Cluster, cluster

from evenhand.pipeline.engines import LocalEngine, Progress
from evenhand.workflows.corpus import corpus

pytestmark = pytest.mark.cluster
__all__ = ["cluster"]


def contents(folder: Path) -> dict[str, bytes]:
    """Every shard and every table of the result, byte for byte."""
    shards = sorted((folder / "work" / "shards").glob("*.parquet"))
    return {path.name: path.read_bytes() for path in [*shards, *sorted(folder.glob("*.parquet")), folder / "words.tsv"]}


def test_a_lost_node_does_not_change_a_byte(cluster: Cluster, tmp_path: Path) -> None:
    from evenhand.pipeline.engines import RayEngine

    pairs = tmp_path / "text.tsv"
    pairs.write_text("".join(f"{s}\t{t}\n" for s, t in text(250)), encoding="utf-8")
    corpus(pairs, target="de", output=tmp_path / "local", engine=LocalEngine(1), shard_size=150, block=50)
    node = cluster.add_node(num_cpus=1, object_store_memory=200_000_000)
    cluster.wait_for_nodes()
    finished, lost_at, stages = 0, list[int](), list[str]()

    def advance(count: int) -> None:
        nonlocal finished
        finished += count if stages[-1:] == ["shards"] else 0
        if finished >= 6 and not lost_at:
            lost_at.append(finished)
            cluster.remove_node(node, allow_graceful=False)

    progress = Progress(lambda name, total: stages.append(name), advance)
    engine = RayEngine()
    spread = corpus(
        pairs, target="de", output=tmp_path / "ray", engine=engine, shard_size=150, block=50, progress=progress
    )
    assert lost_at
    assert lost_at[0] < spread.summary.made
    assert contents(tmp_path / "local") == contents(tmp_path / "ray")
