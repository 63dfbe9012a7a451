"""How sure a verdict is: a table of the detector's own reliability by kind of evidence."""

from __future__ import annotations

# Share of right verdicts on the development sets by what the verdict rests on, rounded down.
BASIS = {
    "form": 0.99, "bare form": 0.98, "form against article": 0.9, "article against fixed": 0.96, "article against form": 0.95,
    "predicate against form": 0.95, "both": 0.97, "fixed": 0.96, "thing": 0.7, "common article": 0.97,
    "common agreement": 0.9, "guess article": 0.96, "guess article alone": 0.85, "guess agreement": 0.85,
    "guess agreement alone": 0.8, "predicate": 0.85, "ending": 0.85, "neuter": 0.8, "open": 0.8,
}  # fmt: skip


def confidence(basis: str, known: bool, certainty: float) -> float:
    """In [0, 1]: the evidence's reliability times how sure it is that these words render the focus."""
    found = 1.0 if known and certainty >= 1.0 else 0.6 + 0.4 * min(certainty, 1.0)
    return round(BASIS[basis] * found, 4)
