"""What the English source shows of persons' genders: he and she, man and woman, and names they may mean."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.persons.stated import FEMALE, PRONOUNS

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
    return bool(he_or_she(source))


def says(source: str, gender: Gender) -> bool:
    """True when the source has a he or she, a man or woman of this gender, and none of the other."""
    attributes = {ATTRIBUTES[low] for low in WORD.findall(source.casefold()) if low in ATTRIBUTES}
    return he_or_she(source) | attributes == {gender}


def he_or_she(source: str) -> set[Gender]:
    """The genders of the he and she that the source has, whomever they mean."""
    shown = PRONOUNS.intersection(WORD.findall(source.casefold()))
    return {Gender.FEMALE if word in FEMALE else Gender.MALE for word in shown}


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
