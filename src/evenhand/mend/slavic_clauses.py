"""Of which verbs and adjectives a Slavic noun is the subject, clause by clause.

A clause ends at punctuation and before a conjunction. Its subject is the nominative it holds; one without a subject
goes on with that of the main clause. A clause with который belongs to the noun before its comma.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.families.morphology import Parse
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.protocol import Token
from evenhand.mend.slavic_classes import (
    ABSENT,
    ACTIVE,
    ALWAYS,
    BEING,
    BELIEVING,
    CONTROLLED,
    ENDS,
    FINITE,
    GOVERNED,
    JOINING,
    NOMINATIVE,
    QUANTITY,
    RANKS,
    SHORTS,
    SUBORDINATE,
    THEN,
)
from evenhand.mend.slavic_words import CASES, RELATIVE, TAGS, SlavicWords


class Clause(NamedTuple):
    """tokens[start:end]; `ours`: the noun is its subject."""

    start: int
    end: int
    ours: bool


class Clauses:
    """The clauses of one sentence, seen from the nouns that name the person."""

    def __init__(self, language: Slavic, words: SlavicWords, tokens: list[Token], before: Gender) -> None:
        self.language, self.words, self.tokens = language, words, tokens
        self.tag, self.before = TAGS[before], before
        self.relatives: list[tuple[int, set[str]]] = []

    def low(self, at: int) -> str:
        return self.tokens[at].text.lower() if 0 <= at < len(self.tokens) else "."

    def preposition(self, at: int) -> bool:
        return at >= 0 and self.language.kind(self.tokens[at].low) == "preposition"

    def adjective(self, at: int, cases: set[str]) -> bool:
        """An adjective, participle or pronoun of the person's gender in one of the cases."""
        return any(
            self.words.declined(one) and one.tag.gender == self.tag and self.words.case(one) in cases
            for one in self.words.parses(self.low(at))
        )

    def case(self, first: int, cases: set[str]) -> str | None:
        """One case of those that the form leaves open, by the preposition or the word before the phrase."""
        if len(cases) == 1:
            return next(iter(cases))
        before = self.low(first - 1)
        if self.words.soft and before in {"в", "у"} and {"gent", "accs"} <= cases:
            believed = any(self.low(i).startswith(BELIEVING) for i in range(first))
            return "accs" if believed else "gent"  # позичили в сусідки
        if self.preposition(first - 1):
            asked = (case for case, words in GOVERNED.items() if before in words and case in cases)
            return next(asked, next(iter(sorted(cases - {"nomn"})), None))
        if "nomn" in cases:
            return "nomn"
        if "ablt" in cases and self.after_being(max(0, first - 2), first):
            return "ablt"  # была последней
        noun = self.noun(first - 1) and not (self.words.soft and self.verbal(first - 1))  # розумів: of розум, too
        absent = before in ABSENT and "не" in (self.low(first - 2), self.low(first - 3))
        if "gent" in cases and (noun or before in QUANTITY or absent):
            return "gent"
        return next((case for case in ("accs", "datv", "gent", "ablt") if case in cases), None)

    def settled(self, heads: list[int], subjects: list[int], *, alone: bool, resumed: frozenset[str]) -> list[Clause]:
        """All clauses, and whether the person is their subject; finds the relative pronouns on the way. `alone`: no
        other person is named; `resumed`: pronouns that mean the person."""
        clauses: list[Clause] = []
        main: bool | None = None
        waiting: bool | None = None  # который, распростёршись, умер: whose verb is still to come
        for start, end in self._segments():
            inside = range(start, end)
            opener = next((i for i in range(start, min(start + 3, end)) if self.low(i).startswith(RELATIVE)), start)
            subordinate = self.low(start) in SUBORDINATE
            taken_up = any(self.low(at) in resumed for at in inside if at > min(heads))
            named = next((at for at in subjects if at in inside), None)
            verb = next((i for i in inside if self.verbal(i)), end)
            if named is not None and named > verb and self._subject(start, verb):
                ours, main = False, False  # менеджер обещал поднять учитель: a slip, and no subject
            elif named is not None or taken_up:
                ours = True
                main = main if subordinate and main is not None else True
            elif self.low(opener).startswith(RELATIVE) and self._pronoun(opener):
                ours = self._refers(opener, start, heads)
                waiting = ours if verb == end else None
            elif self._participle(start, heads) or (waiting and self._gerund(start, end)):
                ours = False
            elif waiting and verb < end and not self._subject(start, end):
                ours, waiting = True, None
            elif self._subject(start, end):
                ours = False
                main = main if subordinate else False
            elif clauses and self.low(start) in JOINING and clauses[-1].end == start:
                ours = clauses[-1].ours  # взяла ручку и ушла
            else:
                ours = bool(main) and (self.low(start) not in CONTROLLED or alone)
            clauses.append(Clause(start, end, ours))
        return clauses

    def words_of(self, clauses: list[Clause], heads: list[int]) -> Iterator[tuple[int, set[str] | None]]:
        """Words that agree with the person, with the cases they may have (None: a past tense or short form)."""
        yield from self.relatives
        said: set[str] = set()  # the cases of the predicates before: строгим, но справедливым
        open_ = False  # студентка, яка прийшла, рада: what is said of the noun is still to come
        for start, end, ours in clauses:
            verbless = not any(self.verbal(i) for i in range(start, end))
            named = max((at for at in heads if start <= at < end), default=None)
            aside = any(self.low(i).startswith(RELATIVE) for i in range(start, min(start + 3, end)))
            open_ = (open_ and (verbless or aside or not ours)) or (verbless and named == end - 1)
            for at in range(start, end) if ours else ():
                if at in heads:
                    continue
                if self._shown(at):
                    yield at, None
                elif self._always(at) and self.adjective(at, {"nomn"}):
                    yield at, {"nomn"}
                elif self._before_noun(at) or self.preposition(at - 1) or not self.adjective(at, {"nomn", "ablt"}):
                    continue
                elif self.after_being(start, at):
                    said = {case for case in ("nomn", "ablt") if self.adjective(at, {case})}
                    yield at, {"nomn", "ablt"}
                elif verbless and named is None and said and self.adjective(at, said):
                    yield at, said
                elif verbless and named is None and (open_ or self._goes_on(start)) and self.adjective(at, {"nomn"}):
                    yield at, {"nomn"}
                elif self.low(at) in RANKS:
                    yield at, {"ablt"}
                elif verbless and named is not None and at > named and self.adjective(at, {"nomn"}):
                    yield at, {"nomn"}  # наш учитель строгий

    def said(self, clauses: list[Clause], heads: list[int]) -> Iterator[int]:
        """Nouns that say of the person what it is: стал учителем, работает учителем, как учитель."""
        for start, end, ours in clauses:
            for at in range(start, end) if ours else ():
                if at in heads or self.preposition(at - 1):
                    continue
                readings = self.words.nouns(self.low(at))
                instrumental = any(self.words.case(one) == "ablt" and self.words.gender(one) == self.tag
                                   and one.tag.number != "plur" for one in readings)  # fmt: skip
                if instrumental and self.after_being(start, at):
                    yield at

    # -- parts

    def _segments(self) -> Iterator[tuple[int, int]]:
        start = 0
        for at, token in enumerate(self.tokens):
            if token.low[0] in ENDS:
                if at > start:
                    yield start, at
                start = at + 1
            elif at > start and token.low not in THEN and self.language.kind(token.low) == "conjunction":
                yield start, at
                start = at
        if start < len(self.tokens):
            yield start, len(self.tokens)

    def _gerund(self, start: int, end: int) -> bool:
        return any(one.tag.POS == "GRND" for at in range(start, end) for one in self.words.parses(self.low(at))[:1])

    def _pronoun(self, at: int) -> bool:
        return any(one.tag.gender == self.tag and one.tag.number != "plur" for one in self.words.parses(self.low(at)))

    def _refers(self, at: int, start: int, heads: list[int]) -> bool:
        """Whether the relative pronoun means the person: the nearest noun before its clause of its gender. Then it
        agrees; and the person is the subject of its clause where it is a nominative."""
        if not self._nearest(start, heads):
            return False
        readings = [one for one in self.words.parses(self.low(at)) if one.tag.gender == self.tag]
        case = self.case(at, {self.words.case(one) for one in readings})
        self.relatives.append((at, {case} if case else set()))
        return case == "nomn"

    def _nearest(self, start: int, heads: list[int]) -> bool:
        """Whether the nearest noun of the person's gender before a clause is the person's."""
        for i in range(start - 1, -1, -1):
            if i in heads:
                return True
            nouns = [one for one in self.words.parses(self.low(i)) if one.tag.POS == "NOUN" and one.is_known]
            if self.tokens[i].low[0] in ENDS - {","} or any(
                self.words.gender(one) == self.tag and one.tag.number != "plur" for one in nouns[:1]
            ):
                return False
        return False

    def _participle(self, start: int, heads: list[int]) -> bool:
        """, сидящий у окна,: it agrees with the noun before its comma."""
        participle = any(one.tag.POS == "PRTF" for one in self.words.parses(self.low(start))[:1])
        if participle and self._pronoun(start) and self._nearest(start, heads):
            self.relatives.append((start, set(CASES)))
        return participle and start > 1 and self.low(start - 1) == ","

    def _subject(self, start: int, end: int) -> bool:
        """Another nominative in the clause: a pronoun, a person, or a thing before the verb."""
        verb = next((i for i in range(start, end) if self.verbal(i)), end)
        for at in range(start, end):
            low = self.low(at)
            if low in NOMINATIVE and (low not in {"это", "це"} or at < verb):
                return True
            if self._governed(at) or self.rather_adjective(at) or self.preposition(at):
                continue
            first = self.words.parses(low)[:1]
            for one in first:
                nominative = self.words.case(one) == "nomn" and one.tag.POS in {"NOUN", "NPRO"}
                if nominative and ("anim" in one.tag.grammemes or one.tag.POS == "NPRO" or at < verb):
                    return True
        return False

    def rather_adjective(self, at: int) -> bool:
        """горда: a name in the Ukrainian dictionary, too."""
        declined = any(self.words.declined(one) for one in self.words.parses(self.low(at)))
        return self.words.soft and declined and not self.words.forms.known.get(self.low(at))

    def _governed(self, at: int) -> bool:
        """After a preposition, over adjectives: в наш класс."""
        before = at - 1
        while before >= 0 and any(self.words.declined(one) for one in self.words.parses(self.low(before))[:1]):
            before -= 1
        return self.preposition(before)

    def noun(self, at: int) -> bool:
        return any(one.tag.POS == "NOUN" for one in self.words.parses(self.low(at))[:1])

    def verbal(self, at: int) -> bool:
        readings: tuple[Parse, ...] = self.words.parses(self.low(at))
        first = readings if self.words.soft else readings[:1]
        return any(one.tag.POS in FINITE and "infn" not in one.tag.grammemes for one in first)

    def _always(self, at: int) -> bool:
        """A word that is said of a clause's subject wherever it stands: сам, повинен."""
        return self.low(at) in SHORTS or (self.low(at) in ALWAYS and not self._before_name(at))

    def _goes_on(self, start: int) -> bool:
        """купила козу і дуже горда: a joined predicate; not what a noun or an adjective before it begins (чай міцний і
        гарячий)."""
        return self.low(start) in JOINING and not self.adjective(start - 1, {"nomn", "accs"})

    def only_verb(self, at: int) -> bool:
        """A past tense, though it may be an adjective too (жила, мила), where its clause has no other verb."""
        past = any(one.tag.POS == "VERB" and one.tag.tense == "past" for one in self.words.parses(self.low(at)))
        place = next((part for part in self._segments() if part[0] <= at < part[1]), None) if past else None
        return place is not None and not any(self.verbal(i) for i in range(*place) if i != at)

    def _shown(self, at: int) -> bool:
        """A past tense or short form of the person's gender."""
        first = self.words.parses(self.low(at))
        if not self.words.soft and not self.low(at).startswith("прав"):  # оказалась права
            first = first[:2]  # the Ukrainian dictionary does not put the likeliest first
        return any(one.tag.gender == self.tag and one.tag.POS in {"VERB", "ADJS", "PRTS"} and one.tag.number != "plur"
                   for one in first)  # fmt: skip

    def _before_name(self, at: int) -> bool:
        """сам Пушкин, сам YouTube: it belongs to what follows."""
        after = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        return after[:1].isupper() or self._before_noun(at)

    def _before_noun(self, at: int) -> bool:
        """An adjective of a noun that follows it."""
        for i in (at + 1, at + 2):
            if any(one.tag.POS == "NOUN" and one.is_known for one in self.words.parses(self.low(i))[:1]):
                own = {self.words.case(one) for one in self.words.parses(self.low(at)) if one.tag.gender == self.tag}
                return any(self.words.case(one) in own for one in self.words.parses(self.low(i)))
            if not self.adjective(i, set(CASES)):
                return False
        return False

    def after_being(self, start: int, at: int) -> bool:
        return any(
            self.low(i).startswith(BEING)
            and (self.verbal(i) or self.infinitive(i))
            and (not self.low(i).startswith(ACTIVE) or self.low(i).endswith(("ся", "сь")))
            for i in range(max(start, at - 5), at)
        )

    def infinitive(self, at: int) -> bool:
        """The Ukrainian dictionary calls it a verb."""
        return any(one.tag.POS == "INFN" or "infn" in one.tag.grammemes for one in self.words.parses(self.low(at))[:1])
