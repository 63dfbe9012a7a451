"""Pairs a user brings: source and rendering, and where the focus is; in batches, so that memory stays bounded, which
several processes may work on."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import polars as pl

from evenhand.cores import shared_cores
from evenhand.errors import BadInput
from evenhand.readers.focus import resolve_focus, unstarred
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import chosen, stream

AHEAD = 2  # batches waiting per worker
LAYOUT = Layout(
    "pair",
    (
        Column("id", required=True, filled=True),
        Column("source", required=True),
        Column("rendering", required=True),
        Column("focus_start", type=pl.Int64(), means="a character offset"),
        Column("focus_end", type=pl.Int64(), means="a character offset"),
        Column("focus"),
    ),
    unique=("id",),
    some=False,
)


def read_pairs(path: Path | str, *, needs_focus: bool = True, noted: bool = False) -> Iterator[pl.DataFrame]:
    """Batches of a table of pairs ("-" is a TSV on standard input): id, source, rendering, then focus_start and
    focus_end or focus, and any further columns as they are; an empty cell is an empty text. Where a format carries
    pairs and no ids (`source ||| target`), lines are the ids. Of a localisation file (XLIFF, TMX, PO) only pronouns can
    be judged here: it marks no focus. For the duplicate check a hash of each id is kept. `noted` as in `resolve_focus`.
    """
    file = UserFile.of(path)
    format = chosen(file, otherwise="tsv", guess=True)
    layout = replace(LAYOUT, complaint=_no_focus) if needs_focus else LAYOUT
    if format.carries == "units" and needs_focus:
        raise BadInput(f"{file.name}: {format.name} marks no focus; use `evenhand check-file`")
    if format.carries == "pairs":
        layout = replace(layout, columns=layout.columns[1:], unique=())
    numbered = [pl.col(LINE).cast(pl.String).alias("id")] if format.carries == "pairs" else []
    for batch in stream(file, layout, format=format):
        texts = batch.with_columns(*numbered, pl.col(pl.String).fill_null(""))
        yield resolve_focus(unstarred(texts), name=file.name, noted=noted).drop(LINE)


def _no_focus(names: Sequence[str]) -> str:
    there = "focus" in names or {"focus_start", "focus_end"} <= set(names)
    return "" if there else "no focus_start and focus_end, or focus"


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
