"""What the Slavic languages share: cases instead of articles, and predicates that show the subject's gender.

A noun tells by its form (учительница) or by what agrees with it: "врач сказала" is a woman. Only a past tense or short
adjective whose subject the noun surely is counts: nominative, no preposition, same clause.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from evenhand.detect.languages.base import BaseLanguage, fold
from evenhand.detect.languages.morphology import Analyser, Analysis, Endings, analyser
from evenhand.detect.languages.protocol import (
    ANY,
    CASES,
    FEMININE,
    MASCULINE,
    PLURAL,
    SINGULAR,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells,
)
from evenhand.detect.tables import rows, words

NOMINATIVE = cells(cases="n")
GENITIVE = cells(cases="g")
CASE_CELLS = tuple(cells(cases=case) for case in CASES)
REACH = 9  # tokens between subject and verb
CLAUSE_END = frozenset(".;:!?…()—–")


class Slavic(BaseLanguage):
    """Answers from readings (pymorphy3 or endings) and from the tables of the language's folder.

    Beside the tables of `BaseLanguage`: `function_words.tsv` has a column `kind` (preposition, conjunction, relative,
    other), `appositions.tsv` lists nouns that give another noun their gender (женщина-врач, pani doktor).
    """

    predicate_overrides = True
    analyser: Analyser

    def __init__(self) -> None:
        super().__init__()
        self.analyser = analyser(self.code, self.folder)
        self._endings = Endings(self.folder / "endings.tsv")
        self._kinds: dict[str, str] = {}
        for row in rows(self.folder / "function_words.tsv"):
            for word in row["word"].split():
                self._kinds.setdefault(word, row["kind"])
        self._appositions = {
            form: cells(row["genders"], row["numbers"], row["cases"])
            for row in rows(self.folder / "appositions.tsv")
            for form in row["form"].split()
        }
        self._not_past = words(self.folder / "not_past.tsv")
        self.readings = lru_cache(maxsize=200_000)(self._readings)
        self.noun = lru_cache(maxsize=100_000)(self.noun)  # type: ignore[method-assign]
        self.lookups = lru_cache(maxsize=100_000)(self.lookups)  # type: ignore[method-assign]
        self.function_word = lru_cache(maxsize=100_000)(self.function_word)  # type: ignore[method-assign]
        self.modifier = lru_cache(maxsize=100_000)(self.modifier)  # type: ignore[method-assign]

    def plain(self, text: str) -> str:
        """The spelling under which a form is looked up; a language may make spellings alike (ё, е)."""
        return fold(text)

    def tokens(self, text: str) -> list[Token]:
        found = []
        for match in self.pattern.finditer(text):
            word, start = match[0], match.start()
            first, hyphen, rest = word.partition("-")
            if rest and self._appositions.get(self.plain(first)):
                # женщина-врач: two words, of which the first tells
                found.append(Token(first, self.plain(first), start, start + len(first)))
                word, start = rest, start + len(first) + len(hyphen)
            found.append(Token(word, self.plain(word), start, match.end()))
        return found

    def lookups(self, text: str) -> tuple[str, ...]:
        low = self.plain(text)
        found = [low]
        readings = self.readings(low)
        if not any(a.known for a in readings):
            readings += self._endings.analyse(low)  # a new word (авторки): every lemma its ending allows
        found += [self.plain(a.lemma) for a in readings if a.part in {"noun", "adjective", "short"}]
        return tuple(dict.fromkeys(found))

    def modifier(self, low: str) -> int:
        mask = self._appositions.get(low, 0)
        readings = self.readings(low)
        if any(reading.part == "past" for reading in readings):
            return mask
        for reading in readings:
            if reading.part == "adjective":
                mask |= reading.cells
        return 0 if low in self._kinds else mask

    def noun(self, text: str) -> Noun:
        low = self.plain(text)
        for form in self.lookups(text):
            if form in self._nouns:
                return self._nouns[form]
        readings = self.readings(low)
        persons = [a for a in readings if a.part == "noun" and a.animate and not a.name]
        adjectives = [a for a in readings if a.part == "adjective" and a.animate is not False]
        if persons and not persons[0].known:
            return self.guess(text)
        if persons:
            return self._person(persons)
        if adjectives and not any(a.part == "noun" and a.known for a in readings):
            mask = union(adjectives)
            if not any(a.substantive for a in adjectives):
                return Noun(mask, Kind.THING)
            return Noun(mask, Kind.SEXED if told(mask) else Kind.COMMON)
        things = [a for a in readings if a.part == "noun" and a.known]
        return Noun(union(things) or ANY, Kind.THING) if things else self.guess(text)

    def guess(self, text: str) -> Noun:
        """The likeliest reading's gender: a dictionary orders its guesses by how often they hold."""
        nouns = [a for a in self.readings(self.plain(text)) if a.part == "noun" and not a.name]
        return Noun(nouns[0].cells if nouns else ANY, Kind.GUESS)

    def phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        """Leftwards, every determiner and adjective that agrees in case with the noun; an adverb may stand between.
        After the noun, where classifying adjectives stand there (Polish), those that agree."""
        mask = number & (self._cases(tokens[self._noun_at(tokens, first, last)].low) or ANY)
        spoke: list[int] = []
        start = first
        for i in range(first - 1, max(-1, first - 7), -1):
            low = tokens[i].low
            answer = self.determiner(low) or self.modifier(low)
            if answer & mask:
                mask &= answer
                start = i
                if told(answer):
                    spoke.append(i)
            elif answer or not self.adverb(low):
                break
        end = last
        while self.modifiers_follow and end < len(tokens) and end - last < 2:
            answer = self.modifier(tokens[end].low)
            if not answer & mask or self._shown(tokens[end].low):
                break
            end += 1
        return Phrase(start, end, first, mask, tuple(spoke))

    def adverb(self, low: str) -> bool:
        readings = self.readings(low)
        return self._kinds.get(low) == "other" or (bool(readings) and all(a.adverb for a in readings))

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """What phrase and noun have in common. A form that is a man's nominative or a woman's other case (больной) is
        read by its place: an object or after a preposition it is no nominative."""
        own = noun.cells
        if noun.kind is not Kind.GUESS and own & NOMINATIVE and own & ~NOMINATIVE and not told(own):
            place = NOMINATIVE if self._subject(tokens, phrase) else ANY & ~NOMINATIVE
            own = own & place or own
        return phrase.cells & own

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
                if after is None:
                    break
                i = after
                continue
            if low[0] in CLAUSE_END or self._kinds.get(low) in {"conjunction", "relative"}:
                break
            shown = self._shown(low) or self._predicative(tokens, i)
            if shown:
                return Predicate(i, shown) if not shown & PLURAL else None
            if self._finite(low):
                return None
            i, steps = i + 1, steps + 1
        return self._before(tokens, phrase)

    def both(self, text: str) -> bool:
        return bool(self.both_pattern.search(text))

    @cached_property
    def both_pattern(self) -> re.Pattern[str]:
        return re.compile(r"\w(?:[:*·•_/]-?)\w{1,6}$")

    def verb(self, low: str) -> bool:
        readings = self.readings(low)
        return bool(readings) and readings[0].known and readings[0].part in {"past", "verb"}

    def function_word(self, low: str) -> bool:
        """Also every word that the dictionary knows as a verb, a short adjective or an adverb only."""
        if super().function_word(low):
            return True
        readings = self.readings(low)
        if not readings or not readings[0].known:
            return False
        return readings[0].part == "past" or all(a.part in {"past", "short", "verb", "other"} for a in readings)

    def _readings(self, low: str) -> tuple[Analysis, ...]:
        return self.analyser.analyse(low)

    def _person(self, readings: list[Analysis]) -> Noun:
        mask = union(readings)
        lemmas = {a.lemma for a in readings if a.cells & FEMININE} & {a.lemma for a in readings if a.cells & MASCULINE}
        if lemmas or any(reading.common for reading in readings):
            return Noun(mask, Kind.COMMON)
        first = readings[0].cells
        if not first & (FEMININE | MASCULINE):
            return Noun(mask, Kind.FIXED)
        return Noun(mask if told(mask) else first, Kind.SEXED)

    def _noun_at(self, tokens: list[Token], first: int, last: int) -> int:
        """The noun of a form of several words: помощник in "помощник юриста", директор in "генеральный директор"."""
        for i in range(first, last):
            if any(a.part == "noun" and a.known for a in self.readings(tokens[i].low)):
                return i
        return first if self.modifiers_follow else last - 1

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
        return Predicate(at, mask) if mask and told(mask) else None

    def _genitive(self, low: str) -> bool:
        nouns = [a for a in self.readings(low) if a.part == "noun"]
        return bool(nouns) and any(a.cells & GENITIVE & ~cells("f", "s") for a in nouns)

    def _cases(self, low: str) -> int:
        """All cells of the cases this form can be, of any gender and number; 0 when nothing is known."""
        mask = union([a for a in self.readings(low) if a.part in {"noun", "adjective"}])
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
        if cases and not cases & cells(cases="ga"):
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
        mask = union([a for a in readings[:3] if a.part in {"past", "short"}])
        if any(a.part == "noun" and a.known for a in readings[:1]):
            return 0
        return mask

    def _predicative(self, tokens: list[Token], i: int) -> int:
        """Cells of a feminine nominative adjective that no noun follows: "лікар повинна". The masculine one looks like
        an object's ("менеджер новый стол ..."), so it tells nothing."""
        mask = union([a for a in self.readings(tokens[i].low) if a.part == "adjective" and a.known])
        if not mask or mask & ~cells("f", "s", "nv"):
            return 0
        follows = tokens[i + 1].low if i + 1 < len(tokens) else ""
        noun = union([a for a in self.readings(follows) if a.part in {"noun", "adjective"}]) if follows else 0
        return 0 if noun & mask else mask

    def _finite(self, low: str) -> bool:
        readings = self.readings(low)
        return bool(readings) and readings[0].part == "verb" and readings[0].known

    def _before(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The verb before its subject: "сказала врач"."""
        for i in range(phrase.first - 1, max(-1, phrase.first - 5), -1):
            low = tokens[i].low
            if low == "," or low[0] in CLAUSE_END or self._kinds.get(low) in {"conjunction", "relative"}:
                return None
            shown = self._shown(low)
            if shown:
                return Predicate(i, shown) if not shown & PLURAL else None
        return None

    def _after_relative_clause(self, tokens: list[Token], comma: int) -> int | None:
        """Index after ", который ... ," or ", сидящий ... ,"; None when the comma ends the clause."""
        after = tokens[comma + 1 : comma + 3]
        relative = any(self._kinds.get(token.low) == "relative" for token in after)
        if not relative and not (after and self.modifier(after[0].low)):
            return None
        for i in range(comma + 1, len(tokens)):
            if tokens[i].low == ",":
                return i + 1
        return None


def union(readings: list[Analysis]) -> int:
    """The cells of any of the readings."""
    mask = 0
    for reading in readings:
        mask |= reading.cells
    return mask


def told(mask: int) -> bool:
    """True when only one of feminine and masculine is left."""
    return not (mask & FEMININE and mask & MASCULINE)
