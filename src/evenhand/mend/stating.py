"""The gender that an English source states for a person: a word before the noun, or she or he for the only person."""

from __future__ import annotations

import re

from evenhand.gender import Gender

PRONOUNS = {
    **dict.fromkeys(("she", "her", "hers", "herself"), Gender.FEMALE),
    **dict.fromkeys(("he", "him", "his", "himself"), Gender.MALE),
}
ATTRIBUTES = {
    **dict.fromkeys(("female", "woman", "women", "lady"), Gender.FEMALE),
    **dict.fromkeys(("male", "man", "men", "gentleman"), Gender.MALE),
}
WORD = re.compile(r"[A-Za-z]+")


def hinted(source: str) -> bool:
    """True when the source has a he or a she, whomever they mean."""
    return any(word in PRONOUNS for word in WORD.findall(source.casefold()))


def stated(source: str, start: int, *, alone: bool) -> Gender | None:
    """What the source says of the person named at `start`; `alone`: it names no other person, so that he or she can
    mean nobody else. None where it says nothing or both."""
    before = WORD.findall(source[:start].casefold())
    if before and before[-1] in ATTRIBUTES:
        return ATTRIBUTES[before[-1]]
    shown = {PRONOUNS[word] for word in WORD.findall(source.casefold()) if word in PRONOUNS}
    return shown.pop() if alone and len(shown) == 1 else None
