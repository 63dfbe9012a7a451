"""What `mine` and `corpus` share: rows taken in once, shards made whole or not at all, on any engine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.cores import THREADS
from evenhand.errors import BadInput, Unknown
from evenhand.pipeline.engines import LocalEngine, Progress, StepFailed, open_engine, run_shards
from evenhand.pipeline.intake import Buckets, Taken, planned, stored_intake, take_in
from evenhand.pipeline.shards import Draw, Shard, Step, Work, hashes, lots, shard_names

OPENMP = "OMP_NUM_THREADS"
RECORD = np.dtype([("key", "<u8"), ("row", "<u8")])


class Upper:
    """A step for tests: capitals; a row "boom" is an error, one "die" ends the process."""

    name = "upper"

    def __call__(self, shard: Shard) -> Shard:
        texts = shard.table["text"].to_list()
        if "boom" in texts:
            raise BadInput("a row that cannot be")
        if "die" in texts:
            os._exit(9)
        return shard.then(shard.table.with_columns(pl.col("text").str.to_uppercase()), {"rows": len(texts)})


@dataclass(frozen=True)
class UpperWork(Work):
    rows_in = "rows"

    def steps(self) -> list[Step]:
        return [Upper()]


class Threads:
    """A step for tests: how many threads a worker's libraries start, and how many workers share the machine."""

    name = "threads"

    def __call__(self, shard: Shard) -> Shard:
        return shard.then(shard.table.with_columns(text=pl.lit(f"{pl.thread_pool_size()} {os.environ[OPENMP]}")), {})


@dataclass(frozen=True)
class ThreadsWork(Work):
    rows_in = "rows"

    def steps(self) -> list[Step]:
        return [Threads()]


def rows(*texts: str) -> tuple[int, pl.DataFrame]:
    table = pl.DataFrame(list(enumerate(texts, 1)), schema={"line": pl.Int64, "text": pl.String}, orient="row")
    return len(texts), table.with_columns(bad=pl.when(pl.col("text") == "").then(pl.lit("empty")))


def taken_in(folder: Path, *texts: str, size: int = 2) -> Taken:
    named = [("one", [rows(*texts[:3])]), ("two", [rows(*texts[3:])])]
    return take_in(named, folder, size=size, keys=lambda table: hashes(table["text"]))


def work_of(folder: Path, *texts: str, settings: str = "a") -> tuple[UpperWork, Taken]:
    return UpperWork(str(folder), settings), taken_in(folder / "rows", *texts)


def made(work: Work, count: int) -> list[str]:
    return [text for name in shard_names(count) for text in pl.read_parquet(work.table(name))["text"]]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 40), max_size=300), st.integers(1, 7), st.integers(1, 20))
def test_records_of_a_key_come_together_in_their_order(keys: list[int], count: int, largest: int) -> None:
    records = np.array([(key, row) for row, key in enumerate(keys)], dtype=RECORD)
    with TemporaryDirectory() as folder, Buckets(Path(folder) / "b", RECORD, count=count, largest=largest) as buckets:
        buckets.add(records)
        parts = list(buckets)
    assert sum(map(len, parts)) == len(keys)
    for part in parts:
        assert len(part) <= largest or len(np.unique(part["key"])) == 1
    for key in set(keys):
        home = [part for part in parts if (part["key"] == key).any()]
        assert len(home) == 1
        assert home[0]["row"][home[0]["key"] == key].tolist() == [row for row, one in enumerate(keys) if one == key]


def test_a_row_is_taken_once_and_its_copies_are_listed(tmp_path: Path) -> None:
    taken = taken_in(tmp_path / "rows", "a", "b", "", "a", "c", "b", "a")
    assert (taken.lines, taken.bad, taken.repeated, taken.distinct) == (7, {"empty": 1}, 3, 3)
    assert (taken.files, taken.by_file) == (["one", "two"], [2, 1])
    shards = [pl.read_parquet(path) for path in sorted((tmp_path / "rows").glob("*.parquet"))]
    assert len(shards) == taken.shards
    assert pl.concat(shards).select("file", "text").rows() == [(0, "a"), (0, "b"), (1, "c")]
    copies = pl.concat([pl.read_parquet(path) for path in sorted((tmp_path / "rows" / "repeats").glob("*.parquet"))])
    assert copies.select("file", "line").rows() == [(1, 1), (1, 3), (1, 4)]


def test_the_text_is_read_again_only_when_it_or_the_cut_changed(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("x")
    reads: list[int] = []

    def read() -> Taken:
        reads.append(1)
        return taken_in(tmp_path / "rows", "a", "b", "c", "d")

    first = planned(tmp_path, [text], {"size": 2}, read)
    assert planned(tmp_path, [text], {"size": 2}, read) == first == stored_intake(tmp_path)
    assert len(reads) == 1
    planned(tmp_path, [text], {"size": 3}, read)
    planned(tmp_path, [None], {"size": 3}, read)
    planned(tmp_path, [None], {"size": 3}, read)  # standard input is another text every time
    assert len(reads) == 4
    with pytest.raises(BadInput, match="no text was read"):
        stored_intake(tmp_path / "elsewhere")


@pytest.mark.parametrize("engine", [LocalEngine(1), LocalEngine(2, memory_mb=0)], ids=["one", "replaced"])
def test_only_missing_damaged_and_outdated_shards_are_made(engine: LocalEngine, tmp_path: Path) -> None:
    work, taken = work_of(tmp_path, "a", "b", "c", "d", "e")
    ticks: list[int] = []
    first = run_shards(engine, work, taken.shards, Progress(advance=ticks.append))
    assert (first.made, first.kept, first.counts["rows"]) == (3, 0, 5)
    assert sum(ticks) == 3
    before = [work.table(name).read_bytes() for name in shard_names(3)]
    work.table("000001").write_bytes(b"damaged")
    work.table("000002").with_suffix(".json").unlink()
    again = run_shards(engine, work, taken.shards, Progress())
    assert (again.made, again.kept, again.counts) == (2, 1, first.counts)
    assert [work.table(name).read_bytes() for name in shard_names(3)] == before
    assert made(work, 3) == ["A", "B", "C", "D", "E"]
    other = UpperWork(str(tmp_path), "other settings")
    assert run_shards(engine, other, taken.shards, Progress()).made == 3


def test_an_error_in_a_worker_is_the_users_and_finished_shards_stay(tmp_path: Path) -> None:
    work, taken = work_of(tmp_path, "a", "b", "c", "d", "boom")
    with pytest.raises(StepFailed, match="a row that cannot be"):
        run_shards(LocalEngine(1), work, taken.shards, Progress())
    assert run_shards(LocalEngine(1), work, 2, Progress()).kept == 2


def test_a_worker_that_is_killed_stops_the_run_with_what_to_do(tmp_path: Path) -> None:
    work, taken = work_of(tmp_path, "a", "b", "c", "d", "die")
    with pytest.raises(StepFailed, match="the same command resumes"):
        run_shards(LocalEngine(1), work, taken.shards, Progress())
    with pytest.raises(Unknown, match="local"):
        open_engine("spark")


def test_a_draw_does_not_depend_on_how_rows_are_cut_into_shards() -> None:
    table = pl.DataFrame({"name": [f"n{k}" for k in range(60)], "kind": ["x", "y", "z"] * 20})
    drawn = []
    for size in (7, 60):
        shards = [table[start : start + size] for start in range(0, 60, size)]
        all_rows, by_kind = Draw(10), Draw(2, "kind")
        for number, shard in enumerate(shards):
            lotted = shard.with_columns(lots(shard["name"])).with_row_index("row")
            all_rows.add(number, lotted)
            by_kind.add(number, lotted)
        drawn.append([draw.read(shards.__getitem__).sort("lot") for draw in (all_rows, by_kind)])
    for one, other in zip(*drawn, strict=True):
        assert one.equals(other)
    assert drawn[0][0].height == 10
    assert drawn[0][1]["kind"].value_counts().sort("kind")["count"].to_list() == [2, 2, 2]


@pytest.mark.parametrize("set_by_user", [None, "1", "64"])
def test_workers_times_their_threads_are_no_more_than_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_by_user: str | None
) -> None:
    for name in THREADS:
        monkeypatch.delenv(name, raising=False)
        if set_by_user is not None:
            monkeypatch.setenv(name, set_by_user)
    before = dict(os.environ)
    taken = taken_in(tmp_path / "rows", "a", "b", "c", "d")
    work = ThreadsWork(str(tmp_path), "a")
    run_shards(LocalEngine(workers=2), work, taken.shards, Progress())
    share = max(1, len(os.sched_getaffinity(0)) // 2)
    expected = min(share, int(set_by_user or share))
    assert set(made(work, taken.shards)) == {f"{expected} {expected}"}
    assert dict(os.environ) == before
