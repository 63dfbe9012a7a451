"""The numbers the papers print, as data files: table, system, row, column, value, where (section or page), note."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evenhand.tsv import rows

Key = tuple[str, str, str, str]
"""table, system, row, column"""


@dataclass(frozen=True)
class Published:
    """One printed number, with how many decimals it is printed, and what is known about it (a misprint, say)."""

    value: float
    decimals: int
    note: str = ""


@cache
def published(paper: str) -> dict[Key, Published]:
    """The paper's numbers by (table, system, row, column)."""
    return {
        (row["table"], row["system"], row["row"], row["column"]): Published(
            float(row["value"]), len(row["value"].partition(".")[2]), row["note"]
        )
        for row in rows(files(__name__) / f"{paper}.tsv")
    }
