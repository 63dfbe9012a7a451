"""The numbers the papers print, as data files."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Published:
    """One printed number and what is known about it (a misprint, say)."""

    value: float
    note: str = ""


def published(paper: str) -> dict[tuple[str, str, str, str], Published]:
    """The paper's numbers by (table, system, row, column)."""
    text = (files(__name__) / f"{paper}.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {(t, s, r, c): Published(float(value), note) for t, s, r, c, value, note in lines[1:]}
