"""What can come out of a study of vectors, of mined or of parallel text, and the sentence pattern of each outcome.

The patterns stand in words/findings_headlines.tsv; the page of a kind decides on the outcome and fills in the blanks.
"Shown" is said only where interval and corrected test agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

from evenhand.report.headlines import Pattern
from evenhand.report.narrative import Headline
from evenhand.report.vocabulary import WORDS
from evenhand.tsv import rows


class FindingsOutcome(StrEnum):
    """Every outcome a page of findings can tell; its value is the key of its pattern."""

    FORMS_APART = "forms apart"
    FORMS_EVEN = "forms even"
    FORMS_AND_ENGLISH = "forms and English"
    SETS_APART = "word sets apart"
    SETS_EVEN = "word sets even"
    USEFULNESS = "vectors, usefulness"
    NO_VECTORS = "vectors, nothing"
    RANKED = "ranked"
    RANKED_AGAINST = "ranked against a statistic"
    AT_RISK = "pairs at risk"
    NONE_AT_RISK = "no pairs at risk"
    NO_PAIRS = "no pairs"
    FEWER_WOMEN = "text, fewer women"
    FEWER_MEN = "text, fewer men"
    NOT_TOLD_APART = "text, not told apart"
    TEXT_OPEN = "text, left open"
    ALL_STATED = "text, all stated"
    NO_PERSONS = "text, no persons"
    TEXT_DOUBTED = "text, doubted"
    BESIDE_A_TEXT = "beside a text"


@cache
def findings_patterns() -> Mapping[FindingsOutcome, Pattern]:
    """The pattern of every outcome."""
    listed = rows(WORDS / "findings_headlines.tsv")
    return {FindingsOutcome(row["outcome"]): Pattern(row["found"], row["means"]) for row in listed}


def told(outcome: FindingsOutcome, asked: str, blanks: Mapping[str, str], *, beside: Sequence[str] = ()) -> Headline:
    """The pattern of the outcome with its blanks filled in."""
    pattern = findings_patterns()[outcome]
    found = pattern.found.format_map(blanks)
    return Headline(asked, f"{found}.", f"{pattern.means}.", fixed=False, beside=tuple(beside), outcome=outcome)
