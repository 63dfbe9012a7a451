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
NAME = re.compile(r"(?<![\w'’])[A-Z][a-z]+(?![\w])")
PLACES = frozenset("in at from near into the".split())
NO_NAMES = frozenset(
    "I The A An He She They It We You His Her Their This That These Those Monday Tuesday Wednesday Thursday Friday "
    "Saturday Sunday January February March April May June July August September October November December English "
    "French German Russian Spanish Italian American British European Chinese Japanese".split()
)
WORD = re.compile(r"[A-Za-z]+")


def hinted(source: str) -> bool:
    """True when the source has a he or a she, whomever they mean."""
    return bool(pronouns(source))


def says(source: str, gender: Gender) -> bool:
    """True when the source has a he or she, a man or woman of this gender, and none of the other."""
    lows = WORD.findall(source.casefold())
    shown = {PRONOUNS.get(low) or ATTRIBUTES.get(low) for low in lows} - {None}
    return shown == {gender}


def pronouns(source: str) -> set[Gender]:
    """The genders of the he and she that the source has, whomever they mean."""
    return {PRONOUNS[word] for word in WORD.findall(source.casefold()) if word in PRONOUNS}


def elsewhere(source: str, start: int, end: int, rendering: str) -> bool:
    """True when a he or she of the source may mean somebody named in it, by a name that does not stand beside the
    person's noun: Tom told the doctor that he was late. A sentence's first word is a name where the rendering has it
    too."""
    if not hinted(source):
        return False
    kept = set(NAME.findall(rendering))
    for match in NAME.finditer(source):
        near = start - 2 <= match.end() and match.start() <= end + 1
        before = WORD.findall(source[: match.start()])[-1:]
        opens = not before or source[: match.start()].rstrip()[-1:] in '.!?:"“'
        if near or match[0] in NO_NAMES or (opens and match[0] not in kept):
            continue
        if not before or before[0].casefold() not in PLACES:
            return True
    return False


def stated(source: str, start: int, *, alone: bool) -> Gender | None:
    """What the source says of the person named at `start`; `alone`: it names no other person, so that he or she can
    mean nobody else. None where it says nothing or both."""
    before = WORD.findall(source[:start].casefold())
    if before and before[-1] in ATTRIBUTES:
        return ATTRIBUTES[before[-1]]
    shown = pronouns(source)
    return shown.pop() if alone and len(shown) == 1 else None
