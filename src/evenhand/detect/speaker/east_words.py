"""What a Russian or Ukrainian word form can be, as far as the gender of a speaker is concerned."""

from __future__ import annotations

from typing import NamedTuple

from evenhand.detect.speaker.signs import Words, one
from evenhand.grammar.families.agreement import INSTRUMENTAL, NOMINATIVE, Agreeing, union
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, cells
from evenhand.remembered import remembered

ACCUSATIVE = cells(cases="a")
POSSESSIVE = ("ина", "їна")  # людина is read as an adjective too
PAST = ("л", "ла", "лся", "лась", "в", "вся", "лася")
OTHER_PERSONS = {"1": {"2", "3"}, "2": {"1", "3"}}


class Word(NamedTuple):
    """What a form can be. `finite`, `adjective`, `nominative` are cells; `sure`: it can be no object."""

    finite: int  # cells of a past tense or short adjective that agrees with a subject in the singular
    elsewhere: bool  # a verb that cannot be the person's: neuter or plural past, third person
    adjective: int
    nominative: int
    sure: bool
    noun: bool
    person: str
    objectless: bool
    lemmas: frozenset[str]
    doubtful: bool  # more likely a noun than a verb
    predicative: bool  # a noun that may say what somebody is: nominative or instrumental


class EastWords:
    """Answers about one form at a time, remembered."""

    def __init__(self, language: Agreeing, words: Words, person: str) -> None:
        self._language, self._person = language, person
        self._agreeing, self._others_verbs = words.of("agreeing"), words.of("other_verb")
        self._verbs, self._predicates = words.of("verb"), words.of("predicate")
        self._links = words.of("link")
        self.of = remembered(self._read, mebibytes=16)

    def _read(self, low: str) -> Word:
        language = self._language
        readings = language.readings(low)
        function = language.kind(low) is not None
        pasts = [a for a in readings if a.part == "past" and (a.known or low.endswith(PAST))]
        past = union(pasts) & SINGULAR
        short = union([a for a in readings if a.part == "short" and a.known]) & SINGULAR
        finite = (past | short) & (FEMININE | MASCULINE)
        finite = 0 if function or not one(finite) else finite
        nouns = [] if function else [a for a in readings if a.part == "noun" and (a.known or not finite)]
        if language.determiner(low):
            nouns = []
        adjectives = [a for a in readings if a.part == "adjective"]
        if low.endswith(POSSESSIVE) and any(a.animate for a in nouns):
            adjectives = []
        if any(a.known for a in nouns):
            adjectives = [a for a in adjectives if a.known]
        pronominal = bool(language.determiner(low)) and low not in self._agreeing
        adjective = 0 if function or pronominal else union(adjectives)
        if low in self._predicates:  # Ukrainian повинна, рада: what Russian has as short adjectives
            finite, nouns = union(adjectives) & NOMINATIVE & SINGULAR & (FEMININE | MASCULINE), []
        verbs = [a for a in readings if a.part in {"past", "verb", "short"}]
        first = bool(nouns) and readings[0].part == "noun" and readings[0].known
        nominative = union(nouns) & NOMINATIVE if first or not past else 0
        person = next((a.person for a in verbs if a.person), "") if readings and not nominative else ""
        other = bool(pasts) and not past & (FEMININE | MASCULINE) and not nominative
        return Word(
            finite,
            other or person in OTHER_PERSONS[self._person] or low in self._others_verbs,
            adjective,
            nominative,
            not any(a.cells & ACCUSATIVE & SINGULAR for a in nouns if a.cells & SINGULAR),
            bool(nouns),
            person,
            bool(short) or any(a.objectless or a.lemma in self._links for a in verbs),
            frozenset(a.lemma for a in verbs),
            (language.no_past(low) or first) and low not in self._verbs,
            bool(union(nouns) & (NOMINATIVE | INSTRUMENTAL) & SINGULAR),
        )
