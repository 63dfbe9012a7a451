"""The shared door to every detector: first whether there is a rendering at all, then its gender."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from evenhand.detect.validity import Validity
from evenhand.gender import Gender


class Detector(Protocol):
    """Verdicts for a table of pairs, one row each, in its order; `fingerprint` names its version and data."""

    @property
    def fingerprint(self) -> str: ...

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame: ...


class Checked:
    """A detector that sees valid renderings only.

    The others are unknown, with the check's reason and `valid` false. `adequate` of those is what the detector would
    say of a focus that is not rendered: false for nouns, null where adequacy is not judged.
    """

    def __init__(self, detector: Detector, validity: Validity, *, adequate: bool | None = None) -> None:
        self.detector, self.validity, self._adequate = detector, validity, adequate

    @property
    def fingerprint(self) -> str:
        return f"{self.detector.fingerprint}+{self.validity.fingerprint}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """The detector's columns and `valid`, one row a pair, in their order."""
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
