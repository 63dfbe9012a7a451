"""What Polish and Czech share: the verb shows the person, so the speaker's forms can be read off.

Adjectives count after a linking verb of that person: "jestem zmęczona", "cítím se unavený", "mám ráda".
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evenhand.detect.speaker.signs import Persons, Sign, Words
from evenhand.gender import Gender
from evenhand.grammar.families.agreement import NOMINATIVE, Agreeing
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, Language, Token

STOPS = frozenset(",.;:!?…()—–[]")
WINDOW = 6  # words between a linking verb and its adjective
Span = tuple[int, int]


class Said(NamedTuple):
    """What a word after a linking verb says: a sign of the gender, or nothing."""

    sign: Sign | None


class WestSlavic:
    """What the two share: segments between marks, their parts between conjunctions, adjectives after linking verbs."""

    def __init__(self, language: Language, words: Words, persons: Persons, person: int) -> None:
        assert isinstance(language, Agreeing)
        self._language, self._persons, self._person = language, persons, person
        self._role = words.of
        self._nouns = words.of("not_verb")
        self._fixed = {
            **dict.fromkeys(words.of("female"), Gender.FEMALE),
            **dict.fromkeys(words.of("male"), Gender.MALE),
        }

    def signs(self, tokens: Sequence[Token]) -> list[Sign]:
        found: list[Sign] = []
        for segment in self._cut(tokens, (0, len(tokens)), STOPS):
            parts = list(self._cut(tokens, segment, self._role("joins")))
            found += self._verbs(tokens, segment, parts)
            for part in parts:
                found += self._predicates(tokens, segment, part)
        return sorted(found, key=lambda sign: sign.at)

    def _cut(self, tokens: Sequence[Token], span: Span, at: frozenset[str]) -> Iterator[Span]:
        first, last = span
        for i in range(*span):
            if tokens[i].low in at or (at is STOPS and not tokens[i].low[0].isalnum()):
                if i > first:
                    yield first, i
                first = i + 1
        if first < last:
            yield first, last

    @abstractmethod
    def _verbs(self, tokens: Sequence[Token], segment: Span, parts: list[Span]) -> list[Sign]:
        """Signs of finite verbs."""

    @abstractmethod
    def _adjective(self, low: str) -> Gender | None:
        """The gender of a form that can be a predicate adjective; None where it tells none."""

    def _owned(self, tokens: Sequence[Token], part: Span) -> bool:
        """True where a verb of the part is the person's: its subject is the person."""
        return any(tokens[i].low in self._role("finite") or self._verb_form(tokens, i) for i in range(*part))

    def _first_person(self, tokens: Sequence[Token], part: Span) -> bool:
        """True where a word of the part ends like a present tense of the person, and nobody else is its subject."""
        endings = tuple(self._role("present_ending"))
        return (
            bool(endings)
            and not self._another(tokens, part)
            and any(tokens[i].low.endswith(endings) and not self._language.kind(tokens[i].low) for i in range(*part))
        )

    @abstractmethod
    def _verb_form(self, tokens: Sequence[Token], i: int) -> bool:
        """True for a verb form of the person."""

    def _predicates(self, tokens: Sequence[Token], segment: Span, part: Span) -> list[Sign]:
        """Adjectives, words like "rád" and "sam", and nouns, said of the person."""
        found: list[Sign] = []
        owned = (
            self._owned(tokens, part)
            or self._first_person(tokens, part)
            or (self._owned(tokens, segment) and not self._another(tokens, part))
        )
        for i in range(*part):
            low = tokens[i].low
            if i and tokens[i - 1].low in self._role("itself"):
                continue  # sebe sama
            if owned and low in self._fixed and not self._attribute(tokens, i, part[1], self._fixed[low]):
                found.append(Sign(self._fixed[low], i, "agreement"))
            linking = low in self._role("link") or (owned and low in self._role("link_any"))
            linking = linking and not self._auxiliary(tokens, i, part)
            if linking and (sign := self._complement(tokens, i + 1, part[1])):
                found.append(sign)
            elif owned and (gender := self._beside(tokens, i, part, segment)):
                found.append(Sign(gender, i, "agreement"))
            elif low in self._role("as") and owned and i + 1 < part[1]:
                said = self._noun(tokens[i + 1].text)
                found += [Sign(said, i + 1, "forms")] if said else []
        return found

    def _beside(self, tokens: Sequence[Token], i: int, part: Span, segment: Span) -> Gender | None:
        """ "chodím formálně oblečená": the gender of a participle that ends its segment, after an adverb or a verb."""
        low = tokens[i].low
        if i != segment[1] - 1 or i == part[0] or not low.endswith(tuple(self._role("participle_ending"))):
            return None
        before = tokens[i - 1].low
        verb = before.endswith(tuple(self._role("present_ending"))) and not self._language.kind(before)
        return self._adjective(low) if verb or self._adverb(before) or before in self._role("skip") else None

    def _auxiliary(self, tokens: Sequence[Token], i: int, part: Span) -> bool:
        """True for a linking verb that only helps another verb here: "dodržoval jsem"."""
        return False

    def _another(self, tokens: Sequence[Token], part: Span) -> bool:
        """True where the part has a subject of its own."""
        return any(tokens[i].low in self._role("other_subject") for i in range(*part))

    def _complement(self, tokens: Sequence[Token], first: int, last: int) -> Sign | None:
        """The adjective or noun after a linking verb; adverbs and pronouns are passed over, a preposition ends it."""
        passed, attribute = -1, False
        for i in range(first, min(first + WINDOW, last)):
            low = tokens[i].low
            if i + 1 < last and f"{low}_{tokens[i + 1].low}" in self._role("phrases"):
                passed = i + 1  # po prostu, od přírody
            if passed in {i, i + 1} or self._passed_over(low):
                continue
            if self._governs(tokens, i, last):
                passed = i + 1
                continue
            if self._language.kind(low) in {"preposition", "conjunction", "relative"}:
                return None
            pointed = self._pointing(tokens, i, last)
            if pointed:
                return pointed
            if low in self._role("such") or (low in self._role("the_one") and low in self._role("skip")):
                continue
            said = self._said(tokens, i, last, attribute=attribute)
            if said is not None:
                return said.sign
            attribute = True  # what follows is the noun, or belongs to it
        return None

    def _passed_over(self, low: str) -> bool:
        """An adverb or a word like it, but not one that may point at the person (taki, ten)."""
        pointing = low in self._role("such") or low in self._role("the_one")
        return (low in self._role("skip") and not pointing) or self._adverb(low)

    def _governs(self, tokens: Sequence[Token], i: int, last: int) -> bool:
        """A preposition whose noun is no obstacle: "jestem w tym dobra"; in Czech any, because -ý and -á are no oblique
        cases ("jsem na svou práci hrdý")."""
        if self._language.kind(tokens[i].low) != "preposition":
            return False
        return self._plain_nominatives or (i + 1 < last and tokens[i + 1].low in self._role("object"))

    def _pointing(self, tokens: Sequence[Token], i: int, last: int) -> Sign | None:
        """ "jestem taka", "jsem ta, která": a pronoun that shows the gender by itself."""
        low = tokens[i].low
        if low in self._role("such"):
            female = low.endswith(("a", "á"))
            return Sign(Gender.FEMALE if female else Gender.MALE, i, "agreement") if i == last - 1 else None
        if low in self._role("the_one") and self._pointed(tokens, i, last):
            female = low in self._role("the_one_female")
            return Sign(Gender.FEMALE if female else Gender.MALE, i, "agreement")
        return None

    def _said(self, tokens: Sequence[Token], i: int, last: int, *, attribute: bool) -> Said | None:
        """What a word says of the person, perhaps nothing; None where it belongs to a noun that is still to come."""
        low = tokens[i].low
        gender = None if attribute or self._language.determiner(low) else self._adjective(low)
        if gender:
            noun = self._head(tokens, i + 1, last, gender)
            if noun is None:
                return Said(Sign(gender, i, "agreement"))
            own = self._noun(tokens[noun].text)
            return Said(Sign(own, noun, "forms") if own else None)
        own = self._noun(tokens[i].text)
        if own:
            return Said(Sign(own, i, "forms"))
        belongs = self._language.modifier(low) or self._language.determiner(low)
        return None if belongs else Said(None)

    def _pointed(self, tokens: Sequence[Token], i: int, last: int) -> bool:
        """ "já jsem ten, kdo", "jestem tą, która", "jsem ta nejslabší": a pronoun that stands for the person."""
        if i + 2 < len(tokens) and tokens[i + 1].low == ",":
            return tokens[i + 2].low in self._role("who")
        adjective = i + 1 < last and tokens[i + 1].low.endswith(tuple(self._role("adjective_ending")))
        after = tokens[i + 2].low if i + 2 < last else "."
        return adjective and (not after[0].isalpha() or self._language.kind(after) == "preposition")

    def _attribute(self, tokens: Sequence[Token], i: int, last: int, gender: Gender) -> bool:
        return self._head(tokens, i + 1, last, gender) is not None and tokens[i].low in self._role("before_noun")

    def _head(self, tokens: Sequence[Token], first: int, last: int, gender: Gender) -> int | None:
        """The noun that an adjective belongs to: the next word but adjectives, where it can be a nominative of that
        gender and is no verb or adverb; None where the adjective stands alone."""
        for i in range(first, min(first + 3, last)):
            low = tokens[i].low
            if low in self._role("skip") or self._adverb(low) or self._language.kind(low):
                return None
            if self._language.determiner(low) or low.endswith(tuple(self._role("oblique_ending"))):
                return None
            if self._adjective(low) and i + 1 < last and not self._noun(tokens[i].text):
                continue
            if self._infinitive(low) or self._verb_form(tokens, i):
                return None
            wanted = FEMININE if gender is Gender.FEMALE else MASCULINE
            nouns = [a for a in self._language.readings(low) if a.part == "noun"]
            return i if any(a.cells & NOMINATIVE & SINGULAR & wanted for a in nouns) else None
        return None

    def _noun(self, text: str) -> Gender | None:
        return self._persons.gender(text)

    def _adverb(self, low: str) -> bool:
        return low in self._role("adverb") or (len(low) > 3 and low.endswith(self._adverbial))

    _adverbial: tuple[str, ...] = ()
    _infinitives: tuple[str, ...] = ()
    _plain_nominatives = False  # endings of an adjective's nominative are no other case's

    def _infinitive(self, low: str) -> bool:
        return low.endswith(self._infinitives)


__all__ = ["Span", "WestSlavic"]
