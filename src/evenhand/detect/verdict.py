"""What a detector says about one rendering, whether it read a noun, pronouns or what agrees with the speaker; and the
shared door to every detector: first whether there is a rendering at all, then its gender."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import polars as pl

from evenhand.detect.validity import Validity
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


TEXTS = frozenset({"source", "rendering", "reference", "reference_other"})


def judge_rows(pairs: pl.DataFrame, judge: Callable[..., Verdict], *columns: str) -> pl.DataFrame:
    """What `judge` says of each pair by these columns; a text that is missing is empty, another value None."""
    there = [pl.col(name) if name in pairs.columns else pl.lit(None, pl.String).alias(name) for name in columns]
    rows = pairs.select(c.fill_null("") if name in TEXTS else c for name, c in zip(columns, there, strict=True))
    return judged(pairs, rows["rendering"].to_list(), [judge(*row) for row in rows.iter_rows()])


class Detector(Protocol):
    """Verdicts for a table of pairs, one row each, in its order; `fingerprint` names its version and data."""

    @property
    def fingerprint(self) -> str: ...

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame: ...


class Checked:
    """A detector that sees valid renderings only. The others are unknown, with the check's reason and `valid` false.
    `adequate` of those is what the detector would say of a focus that is not rendered: false for nouns, null where
    adequacy is not judged."""

    def __init__(self, detector: Detector, validity: Validity, *, adequate: bool | None = None) -> None:
        self.detector, self.validity, self._adequate = detector, validity, adequate

    @property
    def fingerprint(self) -> str:
        return f"{self.detector.fingerprint}+{self.validity.fingerprint}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """The detector's columns and `valid`, one row per pair, in their order."""
        reasons = self.validity.check_run(pairs)
        valid = reasons.is_null()
        if valid.all():
            return self.detector.detect(pairs).with_columns(valid=pl.lit(value=True))
        place = pl.int_range(pairs.height, eager=True).alias("place")
        judged = self.detector.detect(pairs.filter(valid)).with_columns(place.filter(valid), valid=pl.lit(value=True))
        invalid = pl.DataFrame({"id": pairs["id"], "reason": reasons}).filter(~valid)
        refused = invalid.with_columns(
            place.filter(~valid),
            gender=pl.lit(Gender.UNKNOWN.value).cast(judged.schema["gender"]),
            confidence=pl.lit(0.0),
            adequate=pl.lit(self._adequate, dtype=pl.Boolean),
            conflict=pl.lit(value=False),
            valid=pl.lit(value=False),
        )
        return pl.concat([judged, refused], how="diagonal").sort("place").drop("place")
