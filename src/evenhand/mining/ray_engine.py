"""The same steps on Ray Data: one actor pool a step, shards flowing through them.

A row of the dataset is a whole shard in an envelope (its name, its table as Arrow IPC bytes, counts and seconds), so
that a shard stays together however Ray cuts its blocks, also when a step leaves it empty. Steps are pure and shards are
written whole, so Ray may run any part again after a worker or a node is lost.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Protocol

import polars as pl

from evenhand.errors import BadInput, require
from evenhand.mining.engines import Done, StepFailed, timed
from evenhand.mining.shards import ShardManifest
from evenhand.mining.work import Batch, Work


class Arrow(Protocol):
    """An Arrow table, whoever made it (the PyCapsule interface); Ray's are pyarrow's."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Stage:
    """One step in an actor. The first one reads its shard, the last one writes it; both find it in the run's folder."""

    def __init__(self, number: int, work: Work) -> None:
        self._work, self._number = work, number
        makers = list(work.steps().values())
        self._step, self._last = makers[number](), number + 1 == len(makers)

    def __call__(self, envelopes: Arrow) -> object:
        rows = [self._handle(row) for row in pl.DataFrame(envelopes).iter_rows(named=True)]
        return pl.DataFrame(rows, schema=ENVELOPE).to_arrow()

    def _handle(self, row: dict[str, object]) -> dict[str, object]:
        batch = self._work.read(str(row["shard"])) if self._number == 0 else opened(row)
        batch = timed(self._step, batch)
        if not self._last:
            return sealed(batch)
        manifest = self._work.write(batch)
        return {"shard": batch.shard, "table": b"", "notes": json.dumps(asdict(manifest))}


ENVELOPE: dict[str, pl.DataType] = {"shard": pl.String(), "table": pl.Binary(), "notes": pl.String()}


def sealed(batch: Batch) -> dict[str, object]:
    """A batch as a row."""
    content = io.BytesIO()
    batch.table.write_ipc(content, compression="zstd")
    notes = json.dumps({"counts": dict(batch.counts), "seconds": batch.seconds})
    return {"shard": batch.shard, "table": content.getvalue(), "notes": notes}


def opened(row: dict[str, object]) -> Batch:
    """The batch in a row."""
    content, notes = row["table"], json.loads(str(row["notes"]))
    if not isinstance(content, bytes):
        raise BadInput(f"the shard {row['shard']} came without its table")
    return Batch(str(row["shard"]), pl.read_ipc(io.BytesIO(content)), Counter(notes["counts"]), notes["seconds"])


class RayEngine:
    """Ray Data on a cluster. The output folder must be one that every node sees under the same path.

    Each step is a pool of actors that grows with its queue; a step that wants a GPU takes one an actor where the
    cluster has some. On a cluster with fewer than two cores a step, actors share cores.
    """

    name = "ray"

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        self._address, self._workers = address, workers

    def run(self, work: Work, shards: Sequence[str], done: Done) -> None:
        ray = require("ray", purpose="the Ray engine", extra="ray")
        data = require("ray.data", purpose="the Ray engine", extra="ray")
        if not ray.is_initialized():
            try:
                ray.init(address=self._address, log_to_driver=False, logging_level="ERROR")
            except ConnectionError as error:
                raise StepFailed(f"no Ray cluster at {self._address}: {error}", 3) from error
        resources = ray.cluster_resources()
        cores, gpus = float(resources.get("CPU", 1)), int(resources.get("GPU", 0))
        steps = list(work.steps())
        each = 1.0 if cores >= 2 * len(steps) else max(cores / (2 * len(steps)), 0.01)
        most = max(1, min(self._workers or int(cores), len(shards)))
        context = data.DataContext.get_current()
        context.enable_progress_bars = False
        rows = [{"shard": shard, "table": b"", "notes": ""} for shard in shards]
        flow = data.from_items(rows, override_num_blocks=len(rows))
        for number, name in enumerate(steps):
            on_gpu = bool(gpus) and name == work.on_gpu
            flow = flow.map_batches(
                Stage,
                fn_constructor_kwargs={"number": number, "work": work},
                batch_size=1,
                batch_format="pyarrow",
                zero_copy_batch=True,
                num_cpus=each,
                num_gpus=1 if on_gpu else 0,
                concurrency=(1, min(gpus, most) if on_gpu else most),
            )
        try:
            for row in flow.iter_rows():
                done(ShardManifest(**json.loads(row["notes"])))
        except ray.exceptions.RayError as error:
            raise StepFailed(f"the Ray run failed: {str(error).strip().splitlines()[-1]}") from error
