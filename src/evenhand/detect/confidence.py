"""How sure a verdict is: the detector's own reliability by kind of evidence, as measured on labelled data."""

from __future__ import annotations

from pathlib import Path

from evenhand.tsv import rows

UNSURE = 0.7  # below this certainty the aligner hesitated between words
HESITATION = 0.95


class Confidence:
    """A table from kind of evidence to the share of right verdicts."""

    file: Path = Path(__file__).parent / "confidence.tsv"

    def __init__(self) -> None:
        self._table = {row["basis"]: (float(row["known"]), float(row["aligned"])) for row in rows(self.file)}

    def of(self, basis: str, *, known: bool, certainty: float) -> float:
        """In [0, 1]. `known`: a listed form of the focus was found; `certainty`: of the place where it was found."""
        value = self._table[basis][0 if known else 1]
        return round(value if certainty >= UNSURE else value * HESITATION, 4)
