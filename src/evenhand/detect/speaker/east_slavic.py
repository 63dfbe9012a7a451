"""Russian and Ukrainian: the past tense and adjectives show gender but no person, so the subject has to be found.

A text is cut into clauses at punctuation and conjunctions. The subject of a verb is the pronoun or nominative noun of
its clause; where there is none, that of the clause before ("Я пришла и легла"). A clause that has "me" as an object is
about somebody else. Adjectives count in the nominative beside "я" and in the instrumental after a linking verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenhand.detect.speaker.east_words import EastWords, Word
from evenhand.detect.speaker.signs import Persons, Sign, Words, gender_of, one
from evenhand.grammar.families.agreement import INSTRUMENTAL, NOMINATIVE, Agreeing, union
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, Language, Token

STOPS = frozenset(",.;:!?…()—–-[]")
WINDOW = 5  # words between a linking verb and its adjective


class Clause(NamedTuple):
    """tokens[first:last] with the conjunction or mark that opens it."""

    first: int
    last: int
    opener: str


class EastSlavic:
    """Signs of the speaker's (or listener's) gender; see the module."""

    def __init__(self, language: Language, words: Words, persons: Persons, person: int) -> None:
        assert isinstance(language, Agreeing)
        self._language, self._persons, self._person = language, persons, str(person)
        self._own, self._oblique = words.of("subject"), words.of("oblique")
        self._others, self._agreeing = words.of("other_subject"), words.of("agreeing")
        self._links, self._times, self._joins = words.of("link"), words.of("time"), words.of("joins")
        self._as, self._pointing = words.of("as"), words.of("pointing")
        self._either = words.of("either")
        self._subordinate = words.of("relative_subject")
        self._infinitives = words.of("link_infinitive")
        self._reflexive, self._selves = words.of("link_self"), words.of("self")
        self._word = EastWords(language, words, self._person).of
        self._kind = language.kind

    def signs(self, tokens: Sequence[Token]) -> list[Sign]:
        """Clause by clause; `about` is whose the last subject was, its gender where it was another's."""
        found: list[Sign] = []
        about: bool | None = None  # nobody was named yet: a first-person text is about the speaker
        theirs, working = 0, False
        for clause in self._clauses(tokens):
            words = [self._word(tokens[i].low) for i in range(clause.first, clause.last)]
            mine = [i for i in range(clause.first, clause.last) if tokens[i].low in self._own]
            owner: bool | None = None
            verbs = self._verbs(tokens, clause, words, mine)
            for i in verbs:
                word = words[i - clause.first]
                owner, shown = self._owner(tokens, clause, i, word)
                if owner is None:
                    owner = about if about is not None else not word.finite & theirs
                    owner = owner or (about is False and bool(theirs) and not word.finite & theirs)
                    owner = owner and not self._told_of(tokens, clause)
                    if owner:
                        found.append(Sign(gender_of(word.finite), i, "agreement", explicit=False))
                elif owner:
                    found.append(Sign(gender_of(word.finite), i, "agreement"))
                else:
                    theirs = shown
            owner = self._by_person(tokens, clause, words, owner, mine)
            others_verb = any(word.elsewhere for word in words)
            speaks = owner if owner is not None else about is not False and not self._told_of(tokens, clause)
            if (speaks and not (others_verb and owner is None)) or self._wishes(tokens, clause):
                found += self._adjectives(tokens, clause, words, mine, verbs)
            if about and working and clause.opener in self._as and (noun := self._apposed(tokens, clause, words)):
                found.append(noun)
            working = any(self._linking(tokens[i].low) for i in range(clause.first, clause.last))
            if owner is not None and not self._relative(tokens, clause):
                about = owner
            elif about is None and not verbs and not mine:
                # "Пот, стекающий по лицу, был ...": the verb comes after what stands between commas
                theirs = self._waiting(tokens, clause, words) or theirs
        return found

    def _apposed(self, tokens: Sequence[Token], clause: Clause, words: list[Word]) -> Sign | None:
        """ "работаю как учительница": the noun of a clause that is nothing else."""
        for offset, word in enumerate(words[:3]):
            if word.noun and word.predicative:
                gender = self._persons.gender(tokens[clause.first + offset].text)
                return Sign(gender, clause.first + offset, "forms") if gender else None
            if not word.adjective:
                return None
        return None

    def _verbs(self, tokens: Sequence[Token], clause: Clause, words: list[Word], mine: list[int]) -> list[int]:
        """Where verbs in the past and short adjectives stand. A form that is more likely a noun (правила, пол) counts
        where "я" stands in the clause and no other verb does."""
        places = [
            clause.first + offset
            for offset, word in enumerate(words)
            if word.finite and not self._governed(tokens, clause.first + offset)
        ]
        sure = [i for i in places if not words[i - clause.first].doubtful]
        return sure or (places if mine and not any(word.person for word in words) else [])

    def _waiting(self, tokens: Sequence[Token], clause: Clause, words: list[Word]) -> int:
        """Cells of a subject that still waits for its verb; 0 where there is none."""
        for offset, word in enumerate(words):
            i = clause.first + offset
            if word.nominative & SINGULAR and not self._governed(tokens, i) and tokens[i].low not in self._times:
                return word.nominative & SINGULAR
        return 0

    def _clauses(self, tokens: Sequence[Token]) -> list[Clause]:
        cut: list[Clause] = []
        first, opener = 0, ""
        for i, token in enumerate(tokens):
            mark = token.low[0] in STOPS or not token.low[0].isalnum()
            if mark or token.low in self._joins:
                if i > first:
                    cut.append(Clause(first, i, opener))
                # "который" opens its clause and is its subject
                first, opener = (i if token.low in self._others else i + 1), token.low
        if first < len(tokens):
            cut.append(Clause(first, len(tokens), opener))
        return cut

    def _owner(self, tokens: Sequence[Token], clause: Clause, verb: int, word: Word) -> tuple[bool | None, int]:
        """Whether the person is the subject of this verb: True, False (then with the other's gender), or None where
        the clause names no subject."""
        pronoun: int | None = None
        linking = bool(word.lemmas & self._links)
        mine = any(tokens[i].low in self._own for i in range(clause.first, clause.last))
        for i in range(clause.first, clause.last):
            low = tokens[i].low
            either = low in self._either and linking and not mine  # "это была ошибка", but "я это сделала"
            if (low in self._own or low in self._others or either) and (i < verb or pronoun is None):
                pronoun = i
        if pronoun is not None and tokens[pronoun].low in self._own:
            return True, 0
        if pronoun is not None:
            return False, word.finite
        for i in range(clause.first, clause.last):
            other = self._word(tokens[i].low)
            agreeing = other.nominative & SINGULAR & word.finite
            if i == verb or not agreeing or self._governed(tokens, i) or tokens[i].low in self._times:
                continue
            object_ = not other.sure and (not word.objectless if i > verb else self._has_object(tokens, clause, word))
            if not object_:
                return False, agreeing
        return None, 0

    def _has_object(self, tokens: Sequence[Token], clause: Clause, word: Word) -> bool:
        """A form that may be nominative or accusative, before its verb: an object where the verb takes one and the
        clause goes on from a clause of the person's own; a subject otherwise."""
        if word.objectless or self._language.code != "ru":  # the Ukrainian dictionary does not say which verbs do
            return False
        return clause.opener in self._joins and not self._told_of(tokens, clause)

    def _governed(self, tokens: Sequence[Token], i: int) -> bool:
        """True when a preposition stands before the noun, adjectives and determiners between them."""
        k = i - 1
        while (
            k >= 0 and i - k < 5 and (self._word(tokens[k].low).adjective or self._language.determiner(tokens[k].low))
        ):
            k -= 1
        return k >= 0 and self._kind(tokens[k].low) == "preposition"

    def _told_of(self, tokens: Sequence[Token], clause: Clause) -> bool:
        """True where the person is an object or the like: "сказал мне", "у меня болел"."""
        return any(tokens[i].low in self._oblique for i in range(clause.first, clause.last))

    def _relative(self, tokens: Sequence[Token], clause: Clause) -> bool:
        return any(tokens[i].low in self._subordinate for i in range(clause.first, min(clause.first + 2, clause.last)))

    def _by_person(
        self, tokens: Sequence[Token], clause: Clause, words: list[Word], owner: bool | None, mine: list[int]
    ) -> bool | None:
        """The owner of a clause whose verb shows its person, or that names the person as its subject."""
        if owner is not None:
            return owner
        if any(word.person == self._person for word in words):
            return True
        if mine:
            return True if not any(word.person == "3" for word in words) else None
        others = any(tokens[i].low in self._others for i in range(clause.first, clause.last))
        return False if others and any(word.person for word in words) else None

    def _wishes(self, tokens: Sequence[Token], clause: Clause) -> bool:
        """ "Мне важно быть сильной": the person in the dative with an infinitive."""
        lows = [tokens[i].low for i in range(clause.first, clause.last)]
        return any(low in self._oblique for low in lows) and any(low in self._infinitives for low in lows)

    def _adjectives(
        self, tokens: Sequence[Token], clause: Clause, words: list[Word], mine: list[int], verbs: list[int]
    ) -> list[Sign]:
        """Adjectives and nouns said of the person in a clause of which it is the subject."""
        found: list[Sign] = []
        start = mine[0] if mine else None
        itself = any(tokens[i].low in self._selves for i in range(clause.first, clause.last))
        link = next((i for i in range(clause.first, clause.last) if self._linking(tokens[i].low, itself=itself)), None)
        if (
            link is not None
            and tokens[link].low in self._infinitives
            and not self._governs(tokens, clause, words, verbs)
        ):
            link = None  # "главное — быть последовательным": said of anybody
        for i in range(clause.first, clause.last):
            word, low = words[i - clause.first], tokens[i].low
            if low in self._agreeing:
                shown = word.adjective & NOMINATIVE & SINGULAR or self._language.determiner(low) & NOMINATIVE & SINGULAR
                gender = gender_of(shown or self._by_ending(low))
                if not self._qualifies(tokens, i, clause.last):
                    found.append(Sign(gender, i, "agreement", explicit=bool(mine)))
                continue
            if (
                low in self._pointing
                and i == clause.last - 1
                and start is not None
                and self._plain(tokens, start + 1, i)
            ):
                found.append(Sign(gender_of(self._by_ending(low)), i, "agreement"))  # "я тот, кто", "я такая"
                break
            if link is not None and 0 < i - link <= WINDOW:
                shown = word.adjective & INSTRUMENTAL & SINGULAR
                if not shown and link is not None and (start is not None or link > clause.first):
                    shown = word.adjective & NOMINATIVE & SINGULAR
            elif start is not None and i > start and self._plain(tokens, start + 1, i):
                shown = word.adjective & NOMINATIVE & SINGULAR
            else:
                continue
            if self._governed(tokens, i):
                continue
            if shown and one(shown) and not self._qualifies(tokens, i, clause.last):
                found.append(Sign(gender_of(shown), i, "agreement", explicit=bool(mine) or link is not None))
                break
            if word.noun and not shown and not word.finite:
                gender_ = self._persons.gender(tokens[i].text) if word.predicative else None
                if gender_:
                    found.append(Sign(gender_, i, "forms"))
                break
        return found

    def _governs(self, tokens: Sequence[Token], clause: Clause, words: list[Word], verbs: list[int]) -> bool:
        """True where the clause has somebody whose infinitive it is: "стараюсь быть", "мне важно быть", "будучи"."""
        own = self._own | self._oblique | {"будучи"}
        named = any(tokens[i].low in own for i in range(clause.first, clause.last))
        return named or bool(verbs) or any(word.person == self._person for word in words)

    def _linking(self, low: str, *, itself: bool = False) -> bool:
        """A verb with which an adjective agrees with the subject; some need "myself": считаю себя сильной."""
        lemmas = self._word(low).lemmas
        return low in self._infinitives or bool(lemmas & self._links) or (itself and bool(lemmas & self._reflexive))

    def _plain(self, tokens: Sequence[Token], first: int, last: int) -> bool:
        """True when only adverbs, particles, adjectives and linking verbs stand between."""
        return all(
            self._language.adverb(tokens[k].low)
            or self._kind(tokens[k].low) == "other"
            or self._word(tokens[k].low).adjective
            or self._linking(tokens[k].low)
            for k in range(first, last)
        )

    def _qualifies(self, tokens: Sequence[Token], i: int, last: int) -> bool:
        """True for an adjective that belongs to a noun behind it: "эмоциональный человек"."""
        own = self._word(tokens[i].low).adjective or self._language.determiner(tokens[i].low)
        for k in range(i + 1, min(i + 4, last)):
            word = self._word(tokens[k].low)
            readings = self._language.readings(tokens[k].low)
            if word.noun and union([a for a in readings if a.part == "noun"]) & own:
                return not word.finite
            if not word.adjective:
                return False
        return False

    def _by_ending(self, low: str) -> int:
        return FEMININE if low.endswith(("а", "я")) else MASCULINE


__all__ = ["EastSlavic"]
