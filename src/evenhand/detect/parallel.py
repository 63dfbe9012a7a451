"""A stream of batches on several cores, in order and in constant memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

import polars as pl

from evenhand.cores import shared_cores

AHEAD = 2  # batches waiting per worker


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
