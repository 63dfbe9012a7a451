"""`kill -9` at random moments, then the same command to its end: the same bytes as an undisturbed run.

EVENHAND_KILLS sets how many (`make soak` asks for fifty).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.corpus.own_pairs import text

KILLS = int(os.environ.get("EVENHAND_KILLS", "3"))


def started(pairs: Path, output: Path) -> subprocess.Popen[bytes]:
    command = ["corpus", str(pairs), "--target", "de", "-o", str(output), "--workers", "1", "--shard-size", "400"]
    arguments = [sys.executable, "-m", "evenhand", *command, "--block", "50", "--no-report"]
    return subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def contents(folder: Path) -> dict[str, bytes]:
    """Every shard and table, and the sample's; not the manifests, which hold dates and seconds."""
    paths = [*folder.glob("*.parquet"), *folder.glob("sample/*.parquet"), *folder.glob("work/shards/*.parquet")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in [*paths, folder / "words.tsv"]}


@pytest.mark.slow
def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(tmp_path: Path) -> None:
    pairs = tmp_path / "text.tsv"
    pairs.write_text("".join(f"{s}\t{t}\n" for s, t in text(300)), encoding="utf-8")
    start = time.monotonic()
    assert started(pairs, tmp_path / "calm").wait() == 0
    took = time.monotonic() - start
    dice, killed = random.Random(KILLS), 0
    for _ in range(KILLS):
        process = started(pairs, tmp_path / "disturbed")
        time.sleep(dice.uniform(0.1, 0.95) * took)
        killed += process.poll() is None
        process.kill()
        process.wait()
    assert started(pairs, tmp_path / "disturbed").wait() == 0
    assert killed
    assert contents(tmp_path / "calm") == contents(tmp_path / "disturbed")
