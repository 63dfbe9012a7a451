"""The source side: English words, the focus and its head, its number."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from evenhand.detect.languages.base import fold

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")


class Word(NamedTuple):
    """A source word: lower case, offsets in code points."""

    low: str
    start: int
    end: int


def source_words(text: str) -> list[Word]:
    """Words and punctuation; a possessive 's is cut off, so that "baker's" is looked up as "baker"."""
    found, make = [], Word._make
    for match in WORD.finditer(text):
        low, (start, end) = fold(match.group()), match.span()
        if low[-2:] == "'s" and len(low) > 2:
            low, end = low[:-2], end - 2
        found.append(make((low, start, end)))
    return found


IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "wives": "wife", "thieves": "thief",
    "persons": "person", "mice": "mouse", "midwives": "midwife", "housewives": "housewife", "folks": "folk",
    "alumni": "alumnus", "lives": "life",
}  # fmt: skip
NOT_PLURAL = re.compile(r".*(?:ss|us|is|boss|genius|[^aeiou]ics|business)$")


@lru_cache(maxsize=50_000)
def singular(low: str) -> str:
    """Dictionary form of an English noun: teachers -> teacher, policewomen -> policewoman, boss -> boss."""
    if low in IRREGULAR:
        return IRREGULAR[low]
    for plural, single in (("women", "woman"), ("men", "man"), ("children", "child"), ("people", "person")):
        if low.endswith(plural) and len(low) > len(plural) + 1:
            return low[: -len(plural)] + single
    if not low.endswith("s") or len(low) < 4 or NOT_PLURAL.match(low):
        return low
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("sses", "ches", "shes", "xes", "zzes")):
        return low[:-2]
    return low[:-1]


def is_plural(low: str) -> bool:
    """True when the form is a plural noun."""
    return singular(low) != low


def head(phrase: list[str]) -> int:
    """Index of the head of a noun phrase: the last word, or the word before "of", "in", "for", "at", "general"."""
    for i, word in enumerate(phrase):
        if i and word in {"of", "in", "for", "at", "to", "from", "on", "with", "general", "elect", "who", "emeritus"}:
            return i - 1
    return len(phrase) - 1
