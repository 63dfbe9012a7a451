"""What a detector says about one rendering, whether it read a noun, pronouns or what agrees with the speaker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import polars as pl

from evenhand.gender import Gender
from evenhand.storage.tables import JUDGED


class Verdict(NamedTuple):
    """A gender with the words it rests on; offsets are code points in the rendering. `how` is null where nothing was
    found, `adequate` where adequacy is not judged; without `evidence` the text between the offsets is the evidence."""

    gender: Gender
    start: int | None = None
    end: int | None = None
    how: str | None = None
    confidence: float = 0.0
    reason: str | None = None
    conflict: bool = False
    adequate: bool | None = None
    evidence: str | None = None


Rule = Callable[[str, bool], Verdict]
"""(rendering, does the focus open the source sentence as its subject) -> verdict"""


def judged(pairs: pl.DataFrame, renderings: Sequence[str], verdicts: Sequence[Verdict]) -> pl.DataFrame:
    """The verdicts as a detector's table, one row per pair."""
    columns = list(zip(*verdicts, strict=True)) if verdicts else [()] * len(Verdict._fields)
    gender, start, end, how, confidence, reason, conflict, adequate, evidence = columns
    shown = [
        words if words is not None or first is None else text[first:last]
        for words, first, last, text in zip(evidence, start, end, renderings, strict=True)
    ]
    values = ([g.value for g in gender], shown, start, end, how, confidence, reason, adequate, conflict)
    table = pl.DataFrame(dict(zip(JUDGED, map(list, values), strict=True)), schema=JUDGED)
    return pl.concat([pairs.select(pl.col("id").cast(pl.String)), table], how="horizontal")
