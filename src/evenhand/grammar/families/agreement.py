"""Which word agrees with a noun as its subject, in a language where the predicate shows gender.

A relative pronoun or participle after the noun's comma tells (", которая"), then a past tense or adjective whose
subject the noun surely is: nominative, no preposition before it, the same clause, no other subject.
"""

from __future__ import annotations

from typing import cast

from evenhand.grammar.base import LONGEST, BaseLanguage
from evenhand.grammar.families.morphology import Analyser, Analysis, Endings, analyser
from evenhand.grammar.protocol import (
    CASES,
    FEMININE,
    MASCULINE,
    NUMBERS,
    PLURAL,
    SINGULAR,
    Phrase,
    Predicate,
    Token,
    cells,
)
from evenhand.grammar.sentence import Part, Reading
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

NOMINATIVE = cells(cases="n")
GENITIVE = cells(cases="g")
GENITIVE_NOT_FEMININE = GENITIVE & ~cells("f", "s")
FEMININE_NOMINATIVE = cells("f", "s", "nv")
OBJECT = cells(cases="ga")
INSTRUMENTAL = cells(cases="i")
CASE_CELLS = tuple(cells(numbers=number, cases=case) for number in NUMBERS for case in CASES)
REACH = 9  # tokens between subject and verb
CLAUSE_END = frozenset(".;:!?…()—–")
DASHES = frozenset("—–")
AND = frozenset({"и", "і", "й", "та", "i", "a"})


class Agreeing(BaseLanguage):
    """Readings of words and the search for the predicate. Beside the tables of `BaseLanguage`: `function_words.tsv` has
    a column `kind` (preposition, conjunction, relative, other), `not_past.tsv` lists words that look like a past,
    `be.tsv` the plural past tenses of verbs that take a noun as complement (были, стали)."""

    analyser: Analyser

    def __init__(self) -> None:
        super().__init__()
        self.analyser = analyser(self.code, self.folder)
        self._other_endings = Endings(self.folder / "other_endings.tsv")
        self.source = self.analyser.source  # part of the detector's fingerprint: a dictionary changes verdicts
        self._kinds: dict[str, str] = {}
        for row in rows(self.folder / "function_words.tsv"):
            for word in row["word"].split():
                self._kinds.setdefault(word, row["kind"])
        self._not_past = words(self.folder / "not_past.tsv")
        self._be = words(self.folder / "be.tsv")
        self.readings = remembered(self._readings, mebibytes=24)
        self._cases = remembered(self._cases)  # type: ignore[method-assign]
        self._shown = remembered(self._shown)  # type: ignore[method-assign]

    def read(self, token: Token) -> tuple[Reading, ...]:
        """Readings of the dictionary or the endings, and of the tables of closed classes, which go first."""
        low = token.low
        if not low[0].isalnum():
            return ()
        relative = self._kinds.get(low) == "relative"
        closed: tuple[tuple[Part, int], ...] = (("determiner", self.determiner(low)), ("pronoun", self.pronoun(low)))
        found = [Reading(low, part, mask) for part, mask in closed if mask]
        for a in (*self.readings(low), *self._other_endings.analyse(low)):
            found.append(Reading(a.lemma, _part(a, relative=relative), a.cells, a.known))
        return tuple(dict.fromkeys(found))

    def word_kind(self, low: str) -> str | None:
        """preposition, conjunction, relative or other for a function word, else None."""
        return self._kinds.get(low)

    def agreeing(self, low: str) -> int:
        """Cells of a past tense or short adjective, which agree with their subject; 0 for every other word."""
        return self._shown(low)

    def no_past(self, low: str) -> bool:
        """True for a word that only looks like a past tense (школа, угол)."""
        return low in self._not_past

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The nearest word that agrees: ", которая", ", сидящая", then the verb or adjective of which it is subject."""
        attached = self._attached(tokens, phrase)
        if attached or not self._subject(tokens, phrase):
            return attached
        i, steps = phrase.last, 0
        while i < len(tokens) and steps < REACH:
            low = tokens[i].low
            if low == ",":
                after = self._after_relative_clause(tokens, i)
                if after is None and steps < 3 and phrase.first and tokens[phrase.first - 1].low == ",":
                    after = i + 1  # "офицер, капитан Морено, заглянула": the phrase is an apposition itself
                if after is None:
                    break
                i = after
                continue
            if low == "(" and (closed := self._closed(tokens, i)):
                i = closed  # "Врач (Анна) пришла"
                continue
            if low in DASHES:
                return self._equated(tokens, i)
            if low[0] in CLAUSE_END or (
                self._kinds.get(low) in {"conjunction", "relative"} and not self._even(tokens, i)
            ):
                break
            shown = self._shown(low) or self._predicative(tokens, i)
            if shown:
                if shown & PLURAL:
                    return self._complement(tokens, i)
                return Predicate(i, shown)
            if self._finite(low):
                return None
            i, steps = i + 1, steps + 1
        return self._before(tokens, phrase)

    def _closed(self, tokens: list[Token], i: int) -> int:
        """The place behind a short parenthesis that opens at `i`; 0 where none closes."""
        return next((j + 1 for j in range(i + 1, min(i + REACH, len(tokens))) if tokens[j].low == ")"), 0)

    def kind(self, low: str) -> str | None:
        """preposition, conjunction, relative or other for a function word; None for other words."""
        return self._kinds.get(low)

    def _even(self, tokens: list[Token], i: int) -> bool:
        """ "так и не нашла", "в то время": words for "and" and "then" that end no clause."""
        if i and self._kinds.get(tokens[i - 1].low) == "preposition":
            return True
        return tokens[i].low in AND and i + 1 < len(tokens) and self._kinds.get(tokens[i + 1].low) == "other"

    def _equated(self, tokens: list[Token], dash: int) -> Predicate | None:
        """ "Игроки — ваши соперницы", "Вундеркинд — моя младшая": what stands after the dash, where it is a woman."""
        last: Predicate | None = None
        for i in range(dash + 1, min(dash + 5, len(tokens))):
            low = tokens[i].low
            nouns = [a for a in self.readings(low) if a.part == "noun" and a.known]
            if nouns and not self.determiner(low):
                mask = union([a for a in nouns if a.animate]) & NOMINATIVE
                return Predicate(i, mask) if mask & FEMININE and told(mask) else None
            mask = (self.determiner(low) or self.modifier(low)) & FEMININE_NOMINATIVE
            if mask and told(self.determiner(low) or self.modifier(low)):
                last = Predicate(i, mask)
            elif not low[0].isalpha() or self._shown(low) or self._finite(low):
                return last
        return last

    def _complement(self, tokens: list[Token], verb: int) -> Predicate | None:
        """ "композиторы были националистками": a noun for women in the instrumental, right after the verb to be."""
        if tokens[verb].low not in self._be:
            return None
        for i in range(verb + 1, min(verb + 4, len(tokens))):
            nouns = [a for a in self.readings(tokens[i].low) if a.part == "noun" and a.known]
            if nouns:
                mask = union([a for a in nouns if a.animate]) & INSTRUMENTAL
                return Predicate(i, mask) if mask & FEMININE and told(mask) else None
            if not self.modifier(tokens[i].low):
                return None
        return None

    def _readings(self, low: str) -> tuple[Analysis, ...]:
        return self.analyser.analyse(low) if len(low) <= LONGEST else ()

    def _noun_at(self, tokens: list[Token], first: int, last: int) -> int:
        """The noun of a form of several words: помощник in "помощник юриста", директор in "генеральный директор"."""
        for i in range(first, last):
            if any(a.part == "noun" and a.known for a in self.readings(tokens[i].low)):
                return i
        return first if self.adjectives_follow else last - 1

    def _attached(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """A relative pronoun or participle after the noun's comma; one noun in the genitive may stand between."""
        i = phrase.last
        while i < min(phrase.last + 2, len(tokens)) and self._genitive(tokens[i].low):
            i += 1
        if i + 1 >= len(tokens) or tokens[i].low != ",":
            return None
        at = i + 2 if self._kinds.get(tokens[i + 1].low) == "preposition" else i + 1
        if at >= len(tokens):
            return None
        low = tokens[at].low
        readings = [a for a in self.readings(low) if a.part == "adjective"]
        mask = union(readings) & (SINGULAR if phrase.cells & SINGULAR else PLURAL)
        if self._kinds.get(low) != "relative":
            mask = mask & phrase.cells if any(a.substantive and a.known for a in readings) else 0
        if phrase.first and self._owner(tokens, phrase) & (FEMININE if mask & FEMININE else MASCULINE):
            return None
        return Predicate(at, mask) if mask and told(mask) else None

    def _owner(self, tokens: list[Token], phrase: Phrase) -> int:
        """Cells of a noun on which this one may depend and which then is what the clause is about: "петицию фермера,
        которая"; not "отсутствие министра, которая". 0 when there is none."""
        if not phrase.cells & GENITIVE:
            return 0
        return union([a for a in self.readings(tokens[phrase.first - 1].low) if a.part == "noun"])

    def _genitive(self, low: str) -> bool:
        nouns = [a for a in self.readings(low) if a.part == "noun"]
        return bool(nouns) and any(a.cells & GENITIVE_NOT_FEMININE for a in nouns)

    def _cases(self, low: str) -> int:
        """All cells of the cases and numbers this form can be, of any gender; 0 when nothing is known."""
        readings = [a for a in self.readings(low) if a.part in {"noun", "adjective"}]
        mask = union([a for a in readings if a.animate] or readings)
        found = 0
        for case in CASE_CELLS:
            if mask & case:
                found |= case
        return found

    def _subject(self, tokens: list[Token], phrase: Phrase) -> bool:
        """True when the phrase can only be a subject: nominative, and no preposition before it."""
        if phrase.first and self._kinds.get(tokens[phrase.first - 1].low) == "preposition":
            return False
        cases = self._cases(tokens[self._noun_at(tokens, phrase.head, phrase.last)].low)
        if cases and not cases & NOMINATIVE & phrase.cells:
            return False
        if cases and not cases & OBJECT:
            return True
        # The form does not show its case (CEO, портье): a subject only when no verb comes before it in the clause.
        for token in reversed(tokens[: phrase.first]):
            if token.low[0] in CLAUSE_END or token.low == "," or self._kinds.get(token.low) == "conjunction":
                break
            if self._shown(token.low) or self._finite(token.low):
                return False
        return True

    def _shown(self, low: str) -> int:
        """Cells of a past tense or short adjective; 0 for every other word."""
        if low in self._not_past or low in self._kinds:
            return 0
        readings = self.readings(low)
        # Neither a short form that no dictionary has (кошков) nor one that is a verb first of all (спит) is one.
        short = not readings or readings[0].part != "verb"
        doubted = self.source != Endings.source
        parts = [
            a for a in readings[:3] if a.part == "past" or (a.part == "short" and short and (a.known or not doubted))
        ]
        mask = union(parts)
        if any(a.part == "noun" and a.known for a in readings[:1]):
            return 0
        return mask if mask & (FEMININE | MASCULINE) else 0  # "точно" is an adverb as well

    def _predicative(self, tokens: list[Token], i: int) -> int:
        """Cells of a feminine nominative adjective that no noun follows: "лікар повинна". The masculine one looks like
        an object's ("менеджер новый стол ..."), so it tells nothing."""
        mask = union([a for a in self.readings(tokens[i].low) if a.part == "adjective" and a.known])
        if not mask or mask & ~FEMININE_NOMINATIVE:
            return 0
        follows = tokens[i + 1].low if i + 1 < len(tokens) else ""
        noun = union([a for a in self.readings(follows) if a.part in {"noun", "adjective"}]) if follows else 0
        return 0 if noun & mask else mask

    def _finite(self, low: str) -> bool:
        readings = self.readings(low)
        return bool(readings) and readings[0].part == "verb" and readings[0].known and low not in self._kinds

    def _before(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The verb before its subject: "сказала врач"."""
        for i in range(phrase.first - 1, max(-1, phrase.first - 5), -1):
            low = tokens[i].low
            if i == phrase.first - 1 and low in AND:
                continue  # "поддержала и наш командир"
            if low == "," or low[0] in CLAUSE_END or self._kinds.get(low) in {"conjunction", "relative"}:
                return None
            shown = self._shown(low)
            if shown:
                return Predicate(i, shown) if not shown & PLURAL and not self._taken(tokens, i, shown) else None
        return None

    def _taken(self, tokens: list[Token], verb: int, shown: int) -> bool:
        """True when a word before the verb is its subject: "Медсестра осмотрела плотник"."""
        for i in range(verb - 1, max(-1, verb - REACH), -1):
            low = tokens[i].low
            if low == "," or low[0] in CLAUSE_END or self._kinds.get(low) == "conjunction":
                return False
            nouns = [a for a in self.readings(low) if a.part == "noun"]
            subject = union([a for a in nouns if a.animate]) | (self.pronoun(low) | union(nouns)) & shown
            if subject & NOMINATIVE:
                return not i or self._kinds.get(tokens[i - 1].low) != "preposition"
        return False

    def _after_relative_clause(self, tokens: list[Token], comma: int) -> int | None:
        """Index after ", который ... ," or ", сидящий ... ,"; None when the comma ends the clause."""
        after = tokens[comma + 1 : comma + 3]
        relative = any(self._kinds.get(token.low) == "relative" for token in after)
        apposed = bool(after) and bool(
            union([a for a in self.readings(after[0].low) if a.part == "noun" and a.animate and a.known]) & NOMINATIVE
        )
        if not relative and not apposed and not (after and self.modifier(after[0].low)):
            return None
        for i in range(comma + 1, len(tokens)):
            if tokens[i].low == ",":
                return i + 1
        return None


def _part(a: Analysis, *, relative: bool) -> Part:
    if relative:
        return "relative"
    if a.pronominal:
        return "determiner"
    if a.participle:
        return "participle"
    return cast("Part", a.part)


def union(readings: list[Analysis]) -> int:
    """The cells of any of the readings."""
    mask = 0
    for reading in readings:
        mask |= reading.cells
    return mask


def told(mask: int) -> bool:
    """True when only one of feminine and masculine is left."""
    return not (mask & FEMININE and mask & MASCULINE)
