"""One compared number of a paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A published number beside the recomputed one; `agrees` is None where nothing is published."""

    paper: str
    table: str
    system: str
    row: str
    column: str
    published: float | None
    computed: float
    agrees: bool | None
    note: str = ""
