"""Which gender an English rendering gives the person the source leaves open.

The published rule (Cho et al. 2019) is a bag of nine words tested female first: it misses his, hers, himself, does not
know "he or she", and calls "his mother" female. This one asks what refers to the focus:

1. "he or she", "s/he", "his/her" name both genders at once: both.
2. A subject pronoun that opens the rendering decides when the focus opens the source ("Hura medikua da").
3. Pronouns that agree with a gendered noun before them ("my mother ... she") belong to that noun. If other pronouns are
   left, they decide; if they are all of one gender, that is the verdict; if not, there are several persons: unknown.
4. Without pronouns a gendered noun or title decides ("this woman", "Mr"); they, them, their keep the gender open.
5. No trace of a gender is neutral.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evenhand.detect.pronouns.forms import Form, read_forms
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender

_HE = r"(?:he|him|his|himself)"
_SHE = r"(?:she|her|hers|herself)"
_OR = r"(?:\s*[/|]\s*|\s+or\s+|\s*,\s*or\s+|\s*\(\s*(?:or\s+)?)"
BOTH = re.compile(rf"\b{_HE}{_OR}{_SHE}\b|\b{_SHE}{_OR}{_HE}\b|\bs/he\b|(?<!\w)\(s\)he\b|\bs\(he\)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_OPENING = re.compile(r"^\W*(?:(?:and|but|so|yes|no|well|oh|now|today|actually)\W+)?(he|she|they)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A pronoun or gendered noun and where it stands."""

    start: int
    end: int
    form: Form


@cache
def _forms() -> dict[str, Form]:
    return {form.text: form for form in read_forms("english") if form.role != "not a man"}


@cache
def _not_men() -> frozenset[str]:
    return frozenset(form.text for form in read_forms("english") if form.role == "not a man")


def mentions(rendering: str) -> list[Mention]:
    """Every pronoun, gendered noun and title of an English text, in its order."""
    known = _forms()
    told: list[Mention] = []
    for match in _TOKEN.finditer(rendering):
        word = match.group().casefold()
        form = known.get(word)
        end = match.end()
        if form is None:
            form = _by_ending(word, known)
        if form is not None:
            told.append(Mention(match.start(), end, form))
    return told


def _by_ending(word: str, known: dict[str, Form]) -> Form | None:
    """ "soon-to-be-wife" is a wife, a "weatherwoman" a woman; "human", "German" and names are not men."""
    if "-" in word:
        last = known.get(word.rsplit("-", 1)[1])
        return last if last and not last.is_pronoun else None
    if word.endswith("woman"):
        return known["woman"]
    if word.endswith("man") and len(word) > 5 and word not in _not_men():
        return known["man"]
    return None


def judge(rendering: str, focus_opens: bool) -> Verdict:
    """The verdict on one English rendering. See the module for the order of rules."""
    both = BOTH.search(rendering)
    if both:
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.98)
    told = mentions(rendering)
    pronouns = [m for m in told if m.form.is_pronoun]
    nouns = [m for m in told if not m.form.is_pronoun]
    if focus_opens and (opening := _OPENING.match(rendering)):
        gender = _forms()[opening.group(1).casefold()].gender
        others = {m.form.gender for m in told} - {gender, Gender.NEUTRAL}
        conflict = gender is not Gender.NEUTRAL and bool(others)
        return Verdict(gender, opening.start(1), opening.end(1), "pronoun", 0.9 if conflict else 0.99, None, conflict)
    if pronouns:
        return _by_pronouns(pronouns, nouns)
    return _by_nouns(nouns)


def _by_pronouns(pronouns: list[Mention], nouns: list[Mention]) -> Verdict:
    free = [p for p in pronouns if not any(n.end <= p.start and n.form.gender == p.form.gender for n in nouns)]
    deciding = free or pronouns
    gendered = [p for p in deciding if p.form.gender is not Gender.NEUTRAL]
    genders = {p.form.gender for p in gendered}
    if len(genders) > 1:
        return Verdict(Gender.UNKNOWN, reason="several persons of different gender", confidence=0.5)
    first = gendered[0] if gendered else deciding[0]
    if gendered or not nouns:
        sure = len({p.form.gender for p in pronouns}) == 1 and not nouns
        return Verdict(first.form.gender, first.start, first.end, "pronoun", 0.99 if sure else 0.9)
    return Verdict(Gender.NEUTRAL, first.start, first.end, "pronoun", 0.7)


def _by_nouns(nouns: list[Mention]) -> Verdict:
    genders = {n.form.gender for n in nouns}
    if not nouns:
        return Verdict(Gender.NEUTRAL, confidence=0.95, reason="no word gives a gender")
    if len(genders) > 1:
        return Verdict(Gender.UNKNOWN, reason="several persons of different gender", confidence=0.5)
    return Verdict(nouns[0].form.gender, nouns[0].start, nouns[0].end, "forms", 0.95 if len(nouns) == 1 else 0.9)
