"""What a rule says about one rendering of a person who has no noun: by pronouns, or by what agrees with the speaker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.gender import Gender
from evenhand.storage.tables import JUDGED


@dataclass(frozen=True, slots=True)
class Verdict:
    """A gender with the words it rests on; offsets are code points in the rendering."""

    gender: Gender
    start: int | None = None
    end: int | None = None
    how: str | None = None
    confidence: float = 0.0
    reason: str | None = None
    conflict: bool = False


Rule = Callable[[str, bool], Verdict]
"""(rendering, does the focus open the source sentence as its subject) -> verdict"""


def judged(pairs: pl.DataFrame, renderings: Sequence[str], verdicts: Sequence[Verdict]) -> pl.DataFrame:
    """The verdicts as a detector's table, one row a pair; adequacy is not judged without a noun."""
    rows = {
        "gender": [v.gender.value for v in verdicts],
        "evidence": [
            t[v.start : v.end] if v.start is not None else None for t, v in zip(renderings, verdicts, strict=True)
        ],
        "evidence_start": [v.start for v in verdicts],
        "evidence_end": [v.end for v in verdicts],
        "how": [v.how for v in verdicts],
        "confidence": [v.confidence for v in verdicts],
        "reason": [v.reason for v in verdicts],
        "adequate": [None] * len(verdicts),
        "conflict": [v.conflict for v in verdicts],
    }
    return pl.concat([pairs.select("id"), pl.DataFrame(rows, schema=JUDGED)], how="horizontal")
