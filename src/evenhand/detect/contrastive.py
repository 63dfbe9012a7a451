"""Verdicts by two reference translations (MT-GenEval): which of them does the rendering's wording follow?"""

from __future__ import annotations

import string

import polars as pl

from evenhand.gender import Gender
from evenhand.storage.tables import JUDGED

_BLANKS = str.maketrans(dict.fromkeys(string.punctuation, " "))


def words(text: str) -> frozenset[str]:
    """The bag of words of a sentence, as published (ASCII punctuation only, so that Hindi marks stay)."""
    return frozenset(text.lower().translate(_BLANKS).split())


def is_right(output: str, reference: str, other: str) -> bool:
    """No word of the output belongs to the other-gender reference alone."""
    return not words(output) & (words(other) - words(reference))


_OTHER = {Gender.FEMALE.value: Gender.MALE.value, Gender.MALE.value: Gender.FEMALE.value}


class ReferenceDetector:
    """Gold's gender unless the rendering has a word that only the other reference has; then the other gender.

    Where the suite states no gold gender (sentences with context) the gender is unknown, `conflict` still says whether
    the wording follows the other reference. Input columns: rendering, reference, reference_other, gold.
    """

    fingerprint = "references-1"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        gold = pairs["gold"].cast(pl.String).to_list() if "gold" in pairs.columns else [None] * pairs.height
        texts = [pairs[c].fill_null("").to_list() for c in ("rendering", "reference", "reference_other")]
        rows = [_verdict(*row) for row in zip(texts[0], texts[1], texts[2], gold, strict=True)]
        return pl.concat([pairs.select("id"), pl.DataFrame(rows, schema=JUDGED)], how="horizontal")


def _verdict(rendering: str, reference: str, other: str, gold: str | None) -> dict[str, str | float | bool | None]:
    row: dict[str, str | float | bool | None] = dict.fromkeys(JUDGED)
    if not rendering.strip():
        return row | {"gender": Gender.UNKNOWN.value, "confidence": 0.0, "reason": "empty rendering", "conflict": False}
    right = is_right(rendering, reference, other)
    evidence = " ".join(sorted(words(rendering) & (words(other) - words(reference)))) or None
    gender = Gender.UNKNOWN.value if gold is None else gold if right else _OTHER.get(gold, Gender.UNKNOWN.value)
    return row | {
        "gender": gender,
        "evidence": evidence,
        "how": "forms",
        "confidence": 0.9 if gold else 0.0,
        "reason": None if gold else "the suite states no gold gender",
        "conflict": not right,
    }
