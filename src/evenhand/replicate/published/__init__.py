"""The numbers the papers print, as data files."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from evenhand.tsv import rows


@dataclass(frozen=True)
class Published:
    """One printed number and what is known about it (a misprint, say)."""

    value: float
    note: str = ""


def published(paper: str) -> dict[tuple[str, str, str, str], Published]:
    """The paper's numbers by (table, system, row, column)."""
    return {
        (row["table"], row["system"], row["row"], row["column"]): Published(float(row["value"]), row["note"])
        for row in rows(files(__name__) / f"{paper}.tsv")
    }
