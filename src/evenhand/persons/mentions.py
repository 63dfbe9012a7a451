"""Every person an English string names, and whether the string itself tells the gender.

Told: by the noun (mother, businesswoman), by a word right before it (a female doctor, a woman pilot), or by a pronoun
where the string names one single person: one that follows ("The doctor lost her keys"), or one the noun is said of ("He
is a nurse"). "Her manager" tells nothing of the manager. Left open: nothing in the string tells. Unclear: something may
tell, but whom it means is not certain (two persons and one "her", a first name). A word that in programs is a thing as
often (driver, host) may be one: "thing?". Nothing about the translation follows from the last two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from evenhand.persons.finder import PRONOUNS, LexiconFinder, Marked
from evenhand.persons.lexicon import DATA, PersonLexicon
from evenhand.tsv import rows

Says = Literal["open", "female", "male", "unclear", "thing?"]
_EITHER = re.compile(
    r"\b(?:he\s*(?:or|/)\s*she|she\s*(?:or|/)\s*he|s/he|(?:his|him)\s*(?:or|/)\s*hers?|hers?\s*(?:or|/)\s*(?:his|him)"
    r"|himself\s*(?:or|/)\s*herself|herself\s*(?:or|/)\s*himself)\b|\(s\)he\b",
    re.IGNORECASE,
)
FEMALE = frozenset("she her hers herself she's".split())
_BEFORE: dict[str, Says] = {
    "female": "female", "woman": "female", "women": "female", "lady": "female",
    "male": "male", "man": "male", "men": "male",
    "mr": "male", "mr.": "male", "mrs": "female", "mrs.": "female", "ms": "female", "ms.": "female", "madam": "female",
}  # fmt: skip
_ANYBODY = frozenset("someone somebody anyone anybody everyone everybody".split())
_COPULAS = frozenset("is 's was be been being became become becomes as".split())
_TITLE_CASE = re.compile(r"(?<=\s)[A-Z](?=[a-z])")
_SMALL = frozenset("a an and as at by for from in into of on or per the to via with your".split())


class Vocabulary:
    """Which nouns for persons are things in the strings of programs: those of data/program_things.tsv, unless the user
    says otherwise (`persons`, `things`: single words, lower case)."""

    def __init__(self, *, persons: Iterable[str] = (), things: Iterable[str] = ()) -> None:
        listed = {row["word"]: row["kind"] for row in rows(DATA / "program_things.tsv")}
        self._kinds = listed | dict.fromkeys(things, "thing") | dict.fromkeys(persons, "person")

    def kind(self, lexicon: PersonLexicon, low: str) -> str:
        """thing, either or person; a compound goes by its last part, a plural by its singular."""
        entry = lexicon.look_up(low)
        for word in (low, low.rpartition("-")[2], entry[0].noun if entry else low.removesuffix("s")):
            if word in self._kinds:
                return self._kinds[word]
        return "person"


class Mention(NamedTuple):
    """A noun for a person (offsets, end exclusive), what the string says of the gender, and by which word."""

    start: int
    end: int
    says: Says
    by: str


def decapitalised(text: str) -> str:
    """A headline or label in Title Case with small letters ("Delete This User"); other texts as they are.

    Of the same length. Capitals inside a sentence otherwise mean names.
    """
    words = text.split()
    if len(words) < 2 or not all(
        word[:1].isupper() or word.lower() in _SMALL or not word[0].isalpha() for word in words
    ):
        return text
    return _TITLE_CASE.sub(lambda letter: letter[0].lower(), text)


def mentions_all(finder: LexiconFinder, texts: Sequence[str], words: Vocabulary | None = None) -> list[list[Mention]]:
    """The persons of each string in order; no names, no titles before names, nor what `words` say is a thing there."""
    marked = finder.marks_all(texts)
    return [_mentions(finder, text, marks, words) for text, marks in zip(texts, marked, strict=True)]


def _mentions(finder: LexiconFinder, text: str, marked: list[Marked], words: Vocabulary | None = None) -> list[Mention]:
    gendered, lexicon = {m.token.start for m in marked if m.gendered}, finder.lexicon
    persons = [m for m in marked if (m.person or m.gendered) and not m.name]
    kinds = {m.token.start: words.kind(lexicon, m.token.low) for m in persons} if words else {}
    persons = [m for m in persons if kinds.get(m.token.start) != "thing"]
    if not persons:
        return []
    spoken = [n for n, m in enumerate(marked) if m.token.low in PRONOUNS]
    if spoken:
        either = [match.span() for match in _EITHER.finditer(text)]
        spoken = [n for n in spoken if not any(start <= marked[n].token.start < end for start, end in either)]
    called, titled = [m.token.text for m in marked if m.name], _titled(marked)
    names = [name for name in called if (plain := name.rstrip(".")) in lexicon.names or plain in titled]
    telling = names
    if spoken:
        # A pronoun may also mean a noun the tagger took for something else ("owed the cashier money").
        known = {m.token.start for m in persons}
        rest = [m.token for m in marked if m.token.start not in known]
        telling = names + [token.text for token in rest if token.low in _ANYBODY or lexicon.look_up(token.low)]
    told: list[Mention] = []
    for person in persons:
        if kinds.get(person.token.start) == "either":
            told.append(Mention(person.token.start, person.token.end, "thing?", person.token.text))
        elif person.token.start not in gendered:
            told.append(_open(person, marked, persons, spoken, telling))
        elif not any(m.token.start > person.token.end and _beside(person, m) for m in persons):
            says: Says = "female" if lexicon.gendered[person.token.low.rstrip(".")] == "female" else "male"
            told.append(Mention(person.token.start, person.token.end, says, person.token.text))
    return told


def _titled(marked: list[Marked]) -> frozenset[str]:
    """Titles that tell a gender (Mrs. Hughes)."""
    return frozenset(m.token.text.rstrip(".") for m in marked if m.gendered and m.name)


def _beside(first: Marked, second: Marked) -> bool:
    """One blank between: "woman pilot"."""
    return second.token.start - first.token.end == 1


def _open(person: Marked, marked: list[Marked], persons: list[Marked], spoken: list[int], names: list[str]) -> Mention:
    """What tells the gender of a noun that does not tell it itself; `spoken` are the places of pronouns."""
    start, end, place = person.token.start, person.token.end, marked.index(person)
    before = marked[place - 1].token if place else None
    if before is not None and before.low in _BEFORE:
        return Mention(start, end, _BEFORE[before.low], before.text)
    others = [m for m in persons if m is not person]
    pronouns = [marked[n].token for n in spoken if n != place - 1]
    if pronouns:
        said_of = all(n > place or any(m.token.low in _COPULAS for m in marked[n:place]) for n in spoken)
        genders = {"female" if token.low in FEMALE else "male" for token in pronouns}
        if len(genders) > 1 or others or names or person.plural or not said_of:
            return Mention(start, end, "unclear", pronouns[0].text)
        return Mention(start, end, "female" if "female" in genders else "male", pronouns[0].text)
    telling = names or [m.token.text for m in others if m.gendered]
    return Mention(start, end, "unclear", telling[0]) if telling else Mention(start, end, "open", "")
