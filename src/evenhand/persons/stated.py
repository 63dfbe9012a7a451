"""What an English text says of a person's gender, and by which word.

Stated: by the noun (mother, businesswoman), by a word right before it (a female doctor, a woman pilot), or by a pronoun
where the text names one single person: one that follows ("The doctor lost her keys"), or one the noun is said of ("He
is a nurse"). "Her manager" says nothing about the manager. Open: nothing in the text states it. Unclear: something may
state it, but whom it means is not certain (two persons and one "her", a first name).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.tokens import Piece

Says = Literal["open", "female", "male", "unclear"]
PRONOUNS = frozenset("he she him her his hers himself herself he's she's".split())
FEMALE = frozenset("she her hers herself she's".split())
_EITHER = re.compile(
    r"\b(?:he\s*(?:or|/)\s*she|she\s*(?:or|/)\s*he|s/he|(?:his|him)\s*(?:or|/)\s*hers?|hers?\s*(?:or|/)\s*(?:his|him)"
    r"|himself\s*(?:or|/)\s*herself|herself\s*(?:or|/)\s*himself)\b|\(s\)he\b",
    re.IGNORECASE,
)
_BEFORE: dict[str, Says] = {
    **dict.fromkeys(("female", "woman", "women", "lady", "mrs", "mrs.", "ms", "ms.", "madam"), "female"),
    **dict.fromkeys(("male", "man", "men", "gentleman", "mr", "mr."), "male"),
}
_COPULAS = frozenset("is 's was be been being became become becomes as".split())
ANYBODY = frozenset("someone somebody anyone anybody everyone everybody".split())


class Marked(NamedTuple):
    """A word that a finder knows something about: its place among the words, and what it may be."""

    at: int
    word: Piece
    person: bool = False
    gendered: bool = False
    name: bool = False
    plural: bool = False
    attributive: bool = False
    share: float = 1.0


class Reading(NamedTuple):
    """A text, its words, and those of them that a finder marked."""

    text: str
    words: list[Piece]
    marks: list[Marked]


class _Clues(NamedTuple):
    """What may state a gender in a text: the places of he and she, names, and other persons."""

    spoken: list[int]
    telling: list[str]
    persons: Sequence[Marked]


def stated(reading: Reading, persons: Sequence[Marked], lexicon: PersonLexicon) -> list[tuple[Says, str]]:
    """For each of `persons`, marks of the reading, what the text says and by which word."""
    clues = _clues(reading, persons, lexicon)
    return [
        (_gender(lexicon, mark.word.low), mark.word.text) if mark.gendered else _open(mark, reading.words, clues)
        for mark in persons
    ]


def _gender(lexicon: PersonLexicon, low: str) -> Says:
    return "female" if lexicon.gendered.get(low.rstrip(".")) == "female" else "male"


def _clues(reading: Reading, persons: Sequence[Marked], lexicon: PersonLexicon) -> _Clues:
    spoken = [n for n, word in enumerate(reading.words) if word.low in PRONOUNS]
    if spoken:
        either = [match.span() for match in _EITHER.finditer(reading.text)]
        spoken = [n for n in spoken if not any(start <= reading.words[n].start < end for start, end in either)]
    titled = {m.word.text.rstrip(".") for m in reading.marks if m.gendered and m.name}  # Mrs. Hughes
    called = [m.word.text for m in reading.marks if m.name]
    telling = [name for name in called if (plain := name.rstrip(".")) in lexicon.names or plain in titled]
    if spoken:  # a pronoun may also mean a noun the tagger took for something else ("owed the cashier money")
        known = {mark.at for mark in persons}
        rest = (word for n, word in enumerate(reading.words) if n not in known)
        telling += [word.text for word in rest if word.low in ANYBODY or lexicon.look_up(word.low)]
    return _Clues(spoken, telling, persons)


def _open(person: Marked, words: list[Piece], clues: _Clues) -> tuple[Says, str]:
    """What states the gender of a noun that does not state it itself."""
    place = person.at
    before = words[place - 1] if place else None
    if before is not None and before.low in _BEFORE:
        return _BEFORE[before.low], before.text
    others = [m for m in clues.persons if m is not person]
    pronouns = [words[n] for n in clues.spoken if n != place - 1]
    if pronouns:
        said_of = all(n > place or any(word.low in _COPULAS for word in words[n:place]) for n in clues.spoken)
        genders = {"female" if word.low in FEMALE else "male" for word in pronouns}
        if len(genders) > 1 or others or clues.telling or person.plural or not said_of:
            return "unclear", pronouns[0].text
        return ("female" if "female" in genders else "male"), pronouns[0].text
    telling = clues.telling or [m.word.text for m in others if m.gendered]
    return ("unclear", telling[0]) if telling else ("open", "")
