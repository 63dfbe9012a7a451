"""What a Russian or Ukrainian word form can be, as far as the gender of a speaker is concerned."""

from __future__ import annotations

from typing import NamedTuple

from evenhand.detect.speaker.signs import Words, one
from evenhand.grammar.families.agreement import INSTRUMENTAL, NOMINATIVE, Agreeing, union
from evenhand.grammar.families.morphology import Analysis, adjectives, nouns
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, cells
from evenhand.remembered import remembered

ACCUSATIVE = cells(cases="a")
PERSONS = FEMININE | MASCULINE
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
        language, readings = self._language, self._language.readings(low)
        function = language.kind(low) is not None
        pasts = [a for a in readings if a.part == "past" and (a.known or low.endswith(PAST))]
        past = union(pasts) & SINGULAR
        short = union([a for a in readings if a.part == "short" and a.known]) & SINGULAR
        finite = 0 if function else self._one((past | short) & PERSONS)
        named = [] if function or language.determiner(low) else nouns(readings, known=bool(finite))
        adjective = 0 if function else self._adjective(low, named)
        if low in self._predicates:  # Ukrainian повинна, рада: what Russian has as short adjectives
            finite, named = union(adjectives(readings)) & NOMINATIVE & SINGULAR & PERSONS, []
        verbs = [a for a in readings if a.part in {"past", "verb", "short"}]
        first = bool(named) and readings[0].part == "noun" and readings[0].known
        nominative = union(named) & NOMINATIVE if first or not past else 0
        person = "" if nominative else next((a.person for a in verbs if a.person), "")
        other = bool(pasts) and not past & PERSONS and not nominative
        return Word(
            finite,
            other or person in OTHER_PERSONS[self._person] or low in self._others_verbs,
            adjective,
            nominative,
            not union(named) & ACCUSATIVE & SINGULAR,
            bool(named),
            person,
            bool(short) or any(a.objectless or a.lemma in self._links for a in verbs),
            frozenset(a.lemma for a in verbs),
            (language.no_past(low) or first) and low not in self._verbs,
            bool(union(named) & (NOMINATIVE | INSTRUMENTAL) & SINGULAR),
        )

    def _one(self, mask: int) -> int:
        """The cells where they leave one gender, else none."""
        return mask if one(mask) else 0

    def _adjective(self, low: str, named: list[Analysis]) -> int:
        """Cells as an adjective; not of a pronoun that agrees with a noun, nor of людина."""
        language = self._language
        if language.determiner(low) and low not in self._agreeing:
            return 0
        if low.endswith(POSSESSIVE) and any(a.animate for a in named):
            return 0
        return union(adjectives(language.readings(low), known=any(a.known for a in named)))
