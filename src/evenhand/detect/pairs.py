"""Pairs a user brings: source and rendering, and where the focus is; in batches, so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.focus import resolve_focus, starred
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import chosen, stream

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
        yield resolve_focus(starred(texts), name=file.name, noted=noted).drop(LINE)


def _no_focus(names: Sequence[str]) -> str:
    there = "focus" in names or {"focus_start", "focus_end"} <= set(names)
    return "" if there else "no focus_start and focus_end, or focus"
