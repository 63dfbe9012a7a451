"""A stream of batches on several cores, in order and in constant memory; noun verdicts for such a stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import polars as pl

from evenhand.cores import shared_cores
from evenhand.detect import Detector, open_detector

AHEAD = 2  # batches waiting per worker


def detect_batches(
    batches: Iterable[pl.DataFrame], *, source: str, target: str, user_forms: Path | None = None, workers: int = 2
) -> Iterator[pl.DataFrame]:
    """One table of verdicts per batch, in the order of the batches.

    Each worker opens its own detector once; verdicts do not depend on the number of workers, because none depends on
    another row. `workers` below 2 stays in this process.
    """
    if workers < 2:
        detector = open_detector("nouns", source=source, target=target, user_forms=user_forms)
        yield from map(detector.detect, batches)
        return
    yield from in_order(partial(_detect, source=source, target=target, user_forms=user_forms), batches, workers)


def in_order(
    work: Callable[[pl.DataFrame], pl.DataFrame], batches: Iterable[pl.DataFrame], workers: int
) -> Iterator[pl.DataFrame]:
    """What `work`, a function of a module, makes of each batch, in the order of the batches, by so many processes."""
    waiting: deque[Future[pl.DataFrame]] = deque()
    # spawn, not fork: Polars keeps threads of its own.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for batch in batches:
            with shared_cores(workers):  # a process may start now
                waiting.append(pool.submit(work, batch))
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@cache
def _detector(source: str, target: str, user_forms: Path | None) -> Detector:
    return open_detector("nouns", source=source, target=target, user_forms=user_forms)


def _detect(batch: pl.DataFrame, *, source: str, target: str, user_forms: Path | None) -> pl.DataFrame:
    return _detector(source, target, user_forms).detect(batch)
