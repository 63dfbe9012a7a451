"""Verdicts by two reference translations (MT-GenEval): which of them does the rendering's wording follow?"""

import string

import polars as pl

from evenhand.detect.verdict import Verdict, judge_rows
from evenhand.gender import Gender

_BLANKS = str.maketrans(dict.fromkeys(string.punctuation, " "))
_OTHER = {Gender.FEMALE: Gender.MALE, Gender.MALE: Gender.FEMALE}


def words(text: str) -> frozenset[str]:
    """The bag of words of a sentence, as published (ASCII punctuation only, so that Hindi marks stay)."""
    return frozenset(text.lower().translate(_BLANKS).split())


def is_right(output: str, reference: str, other: str) -> bool:
    """No word of the output belongs to the other-gender reference alone."""
    return not words(output) & (words(other) - words(reference))


class ReferenceDetector:
    """Gold's gender unless the rendering has a word that only the other reference has; then the other gender. Where the
    suite states no gold gender (sentences with context) the gender is unknown, `conflict` still says whether the
    wording follows the other reference. Input columns: rendering, reference, reference_other, gold."""

    fingerprint = "references-1"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        return judge_rows(pairs, _verdict, "rendering", "reference", "reference_other", "gold")


def _verdict(rendering: str, reference: str, other: str, gold: str) -> Verdict:
    if not rendering.strip():
        return Verdict(Gender.UNKNOWN, reason="empty rendering")
    wrong = " ".join(sorted(words(rendering) & (words(other) - words(reference)))) or None
    if not gold:
        reason = "the suite states no gold gender"
        return Verdict(Gender.UNKNOWN, how="forms", reason=reason, conflict=bool(wrong), evidence=wrong)
    gender = _OTHER.get(Gender(gold), Gender.UNKNOWN) if wrong else Gender(gold)
    return Verdict(gender, how="forms", confidence=0.9, conflict=bool(wrong), evidence=wrong)
