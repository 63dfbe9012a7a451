"""What an English text says of a person's gender, and by which word.

Stated: by the noun (mother, businesswoman), by a word right before it (a female doctor, a woman pilot), or by a pronoun
where the text names one single person: one that follows ("The doctor lost her keys"), or one the noun is said of ("He
is a nurse"). "Her manager" says nothing about the manager. Open: nothing in the text states it. Unclear: something may
state it, but whom it means is not certain (two persons and one "her", a first name).
"""

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Literal, NamedTuple

from evenhand.grammar.english import HE_OR_SHE
from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.tokens import Piece

Says = Literal["open", "female", "male", "unclear"]
PRONOUNS = frozenset("he she him her his hers himself herself he's she's".split())
FEMALE = frozenset("she her hers herself she's".split())
_BEFORE: dict[str, Says] = {
    **dict.fromkeys(("female", "woman", "women", "lady", "mrs", "mrs.", "ms", "ms.", "madam"), "female"),
    **dict.fromkeys(("male", "man", "men", "gentleman", "mr", "mr."), "male"),
}
_SUBJECTS = frozenset("i you we they it".split())
_JOINTS = frozenset({"/", "or", "and", "&"})
_DASHES = frozenset("-–—")
_ABBREVIATED = frozenset({"MS", "MR", "MRS"})  # capitals among small letters: no title
_COPULAS = frozenset("is 's was be been being became become becomes as".split())
_PREDICATED = re.compile(
    r"\b(he|she) (?:(?:has|had|have|will|would|may|might|must|can|could|should|not|n't|never|also|still|now|only|just"
    r"|already|once|later|soon) )*(?:is|'s|was|be|been|became|becomes|become|remained|remains)"
    r"(?: (?:not|n't|never|also|still|now|only|just|already|no longer))?(?: (?:an?|the|my|our|your|their))"
    r"(?: (?!(?:of|for|with|to|from|by|in|on|at|and|or|as|who|that|than)\b)[\w-]+){0,2}$"
)

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
    behind: str = ""  # the noun right before it that names no person: overlay manager
    people: bool = False  # members of a people or a faith, by their name

    @property
    def names_person(self) -> bool:
        return (self.person or self.gendered) and (self.people or not self.name) and not self.attributive


class Reading(NamedTuple):
    """A text, its words, and those of them that a finder marked."""

    text: str
    words: list[Piece]
    marks: list[Marked]


class Stating:
    """What may state a gender in a text: he and she, names, words right before a noun, other persons."""

    def __init__(self, reading: Reading, persons: Sequence[Marked], lexicon: PersonLexicon) -> None:
        self._text, self._words, self._persons, self._lexicon = reading.text, reading.words, persons, lexicon
        self._spoken = _spoken(reading)
        names = [m for m in reading.marks if m.name]
        if self._spoken:  # he or she may mean any name, and a noun that the tagger mistook ("owed the cashier money")
            self._names = [m.word.text for m in reading.marks if m.name or (m.attributive and m.share >= 0.5)]
            self._names += [word.text for word in reading.words if word.low in ANYBODY]
        else:
            self._names = [m.word.text for m in names if m.gendered or m.word.text.rstrip(".") in lexicon.names]
        self._unlisted = [m for m in names if not m.gendered]

    def _called(self, person: Marked) -> list[str]:
        """Tania - scientist; your friend, Tania, ...: a name beside the noun, which may be a first name."""
        words = [word.text for word in self._words]
        return [
            name.word.text
            for name in self._unlisted
            if (name.at == 0 and words[1:2] and words[1] in _DASHES)
            or (
                name.at == person.at + 2
                and words[name.at - 1] == ","
                and not "".join(words[name.at + 1 :][:1]).isalnum()
            )
        ]

    def of(self, person: Marked) -> tuple[Says, str]:
        """What the text says of one of the persons, and by which word."""
        before = self._words[person.at - 1].text if person.at else ""
        capitals = before in _ABBREVIATED and not person.word.text.isupper()
        said = None if capitals else _BEFORE.get(before.lower())
        if person.gendered:
            own: Says = self._lexicon.gendered.get(person.word.low.rstrip("."), "") or "male"
            unclear = self._names_both(person) or said not in (None, own)  # a female husband
            return "unclear" if unclear else own, person.word.text
        if said:
            return said, before
        pronouns = [self._words[n] for n in self._spoken if n != person.at - 1]
        if pronouns:
            return self._predicated(person) or self._by_pronouns(person, pronouns)
        telling = self._names or [m.word.text for m in self._persons if m.gendered] or self._called(person)
        return ("unclear", telling[0]) if telling else ("open", "")

    def _names_both(self, person: Marked) -> bool:
        """Sons or daughters, his/her aunt/uncle: a pair of words, which a translation may render by one for both."""
        own, genders = self._lexicon.gendered.get(person.word.low), self._lexicon.gendered
        for side in (self._words[: person.at][::-1], self._words[person.at + 1 :]):
            joined = list(dropwhile(lambda word: word.low in _JOINTS, side))  # sir and or madam
            if own and 0 < len(joined) < len(side) and genders.get(joined[0].low, own) != own:
                return True
        return False

    def _predicated(self, person: Marked) -> tuple[Says, str] | None:
        """She has never been a good <nurse>: whoever else is named."""
        match = _PREDICATED.search(" ".join(word.low for word in self._words[max(0, person.at - 9) : person.at]))
        return (("female" if match[1] == "she" else "male"), match[1]) if match and not person.plural else None

    def _by_pronouns(self, person: Marked, pronouns: list[Piece]) -> tuple[Says, str]:
        genders: set[Says] = {"female" if word.low in FEMALE else "male" for word in pronouns}
        others = len(self._persons) > 1 or self._names
        apart = "\n" in self._text[person.word.end : pronouns[-1].start]  # of somebody in another paragraph
        unclear = len(genders) > 1 or others or person.plural or apart or not self._said_of(person)
        return ("unclear" if unclear else genders.pop()), pronouns[0].text

    def _said_of(self, person: Marked) -> bool:
        """True where every he or she follows the noun, or the noun is said of it (she is a nurse; not "she's here, so
        we have another one")."""
        before = [self._words[n : person.at] for n in self._spoken if n < person.at]
        return all(
            any(word.low in _COPULAS for word in between) and not any(word.low in _SUBJECTS for word in between)
            for between in before
        )


def says_he_or_she(words: Sequence[Piece]) -> bool:
    return any(word.low in PRONOUNS for word in words)


def _spoken(reading: Reading) -> list[int]:
    """The places of he and she, but for "he or she"."""
    places = [n for n, word in enumerate(reading.words) if word.low in PRONOUNS]
    either = [match.span() for match in HE_OR_SHE.finditer(reading.text)] if places else []
    return [n for n in places if not any(start <= reading.words[n].start < end for start, end in either)]
