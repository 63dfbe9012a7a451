"""Which target word renders the focus: the strength of word pairs, what other source words claim, position. The focus
takes the target word where it is strong and no other source word is stronger. Nothing is learnt from the given rows,
so a verdict never depends on other rows."""

import math
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

import polars as pl

from evenhand.detect.strength import NOTHING, Strengths
from evenhand.grammar.base import LONGEST, Language
from evenhand.grammar.english import FOLDER, Focus
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, Token
from evenhand.tsv import words as words_of

FAINT = 0.3  # strength below which words before the head help to find it
TAKEN = 0.4  # strength from which another source word has a claim
LIKE_A_PERSON = {Kind.SEXED: 1.0, Kind.COMMON: 0.8, Kind.FIXED: 0.4, Kind.GUESS: 0.6}
PERSON_WORDS = frozenset(
    {"people", "person", "persons", "ones", "one", "man", "men", "woman", "women", "folks", "party"}
)
WINDOW = 100  # source words that compete for a target word, and a fifth of the target words looked at, each side
TENSION = 3.0  # how fast position counts against a pair; fast_align's default is 4


class Alignment(NamedTuple):
    """Where the focus is rendered, how sure that is against the next best word, and on what evidence."""

    at: int
    certainty: float  # in [0, 1]
    strength: float  # of the pair of words; NOTHING when the word was only left over
    taken: bool  # another source word has a claim on it


class Aligner(Strengths):
    """Finds the focus in the rendering."""

    def __init__(self, language: Language, forms: Forms, learnt: pl.DataFrame | None = None) -> None:
        super().__init__(language, forms, learnt)
        self._quiet = words_of(FOLDER / "function_words.tsv")

    def best(self, focus: Focus, tokens: list[Token]) -> Alignment | None:
        """The token that renders the focus; None when no token can be it."""
        length, size = len(focus.words), len(tokens)
        places = sorted(self._proposals(focus, tokens), reverse=True)
        rivals = self._rivals(focus) if places else []
        scores: list[tuple[float, int, float, float]] = []
        for here, j, mine in places:
            # A rival only lowers a score: what could not come second even without one need not be looked at.
            if len(scores) > 1 and here * here / (here + NOTHING) < scores[1][0]:
                break
            most = here * here / scores[1][0] - here - NOTHING if len(scores) > 1 else math.inf
            rival = self._claim(rivals, tokens[j].text, j / size, length, most)
            scores.append((here * here / (here + rival + NOTHING), j, rival, mine))
            scores.sort(reverse=True)
        if not scores:
            return None
        top, at, rival, mine = scores[0]
        runner = scores[1][0] if len(scores) > 1 else 0.0
        return Alignment(at, top / (top + runner + NOTHING / 10), mine, rival > TAKEN)

    def _proposals(self, focus: Focus, tokens: list[Token]) -> Iterator[tuple[float, int, float]]:
        """Score, index and strength of every token that may be a noun."""
        low, number, parts = focus.head.low, PLURAL if focus.plural else SINGULAR, self._premodifiers(focus)
        where, size = focus.at / len(focus.words), len(tokens)
        middle = int(size * where)
        for j in range(max(0, middle - 5 * WINDOW), min(size, middle + 5 * WINDOW)):
            token = tokens[j]
            if len(token.low) > LONGEST or not token.low[0].isalpha() or self.language.function_word(token.low):
                continue
            mine = self.strength(low, token.text)
            if parts:
                mine = max(mine, self._helped(focus, tokens, j, parts, faint=mine < FAINT))
            here = mine * math.exp(-TENSION * abs(where - j / size)) * self._noun_likeness(tokens, j, number)
            yield here, j, mine

    def _helped(self, focus: Focus, tokens: list[Token], j: int, parts: list[str], *, faint: bool) -> float:
        """The strength that words before the head lend a token: "patrol officer" and patrouilleuse."""
        text = tokens[j].text
        if focus.head.low in PERSON_WORDS:
            return 0.6 * self.strength(parts[-1], text)  # young people: los jóvenes
        best = 0.3 * self._followed(tokens, j, parts) if faint and self.language.adjectives_follow else 0.0
        if faint and self.language.noun(text).kind is Kind.SEXED:
            best = max(
                best, 0.3 * max(self.strength(part, text) for part in parts)
            )  # "logistics operator": Logistikerin
        return best

    def _rivals(self, focus: Focus) -> list[tuple[int, str]]:
        """Source words that may claim a token, with their index."""
        start = max(0, focus.at - WINDOW)
        words = enumerate(focus.words[start : focus.at + WINDOW], start=start)
        parts = ((i, part) for i, word in words if i != focus.at for part in word.low.split("-"))  # gift-giving
        return [(i, part) for i, part in parts if len(part) > 2 and part.isalpha() and part not in self._quiet]

    def _claim(self, rivals: list[tuple[int, str]], text: str, where: float, length: int, most: float) -> float:
        """The strongest claim of a rival on a token; what exceeds `most` need not be exact."""
        best = 0.0
        for far, low in sorted((abs(i / length - where), low) for i, low in rivals):
            near = math.exp(-TENSION * far)
            if near <= best or best > most * (1 + 1e-9):
                break  # no strength is above 1, and the rest is farther away
            there = self.strength(low, text)
            if there > 0.02:
                best = max(best, there * near)
        return best

    def _premodifiers(self, focus: Focus) -> list[str]:
        """Up to two words right before the head, as far as an article or another function word."""
        before = [word.low for word in reversed(focus.words[max(0, focus.at - 2) : focus.at])]
        return [*takewhile(lambda low: len(low) > 2 and low not in self._quiet, before)][::-1]

    def _followed(self, tokens: list[Token], j: int, parts: list[str]) -> float:
        """How surely the words after the token render words before the head: dealer + "drug" -> traficante de droga."""
        best, language = 0.0, self.language
        if j + 1 < len(tokens) and language.function_word(tokens[j + 1].low) and not language.begins(tokens[j + 1].low):
            return 0.0  # "il programma locale ha una nuova": a verb lies between
        for k in (j + 1, j + 2, j + 3):
            if k < len(tokens) and not self.language.function_word(tokens[k].low):
                best = max(best, *(self.strength(part, tokens[k].text) for part in parts))
                break
        return best if best > 0.2 else 0.0

    def _attributive(self, tokens: list[Token], j: int) -> bool:
        """True for an adjective whose noun follows."""
        if j + 1 >= len(tokens) or not self.language.modifier(tokens[j].low):
            return False
        return self.language.noun(tokens[j + 1].text).kind is not Kind.GUESS

    def _noun_likeness(self, tokens: list[Token], j: int, number: int) -> float:
        """How much a token looks like a noun for a person in the right number; a factor, at most 1."""
        language, token = self.language, tokens[j]
        factor = self._person_likeness(token, number)
        if language.capitalises_nouns:
            return factor * (1.0 if token.text[:1].isupper() else 0.1)
        if not language.adjectives_follow and self._attributive(tokens, j):
            return factor * 0.2  # "рабочего дня"
        if token.low.endswith("mente") or language.verb(token.low):
            factor *= 0.2
        return factor * self._place_likeness(*(tokens[k].low if k >= 0 else "" for k in (j - 1, j - 2)))

    def _place_likeness(self, before: str, further: str) -> float:
        """The same by the words before it."""
        language = self.language
        if language.perfect(before) or language.perfect(further):
            return 0.05  # "a demandé", "a été signé", "ha sido": a participle of a perfect tense
        if language.determiner(before) or (language.modifier(before) and language.determiner(further)):
            return 1.0
        return 0.6

    def _person_likeness(self, token: Token, number: int) -> float:
        """The same by the form alone."""
        noun = self.language.noun(token.text)
        factor = 1.0 if noun.cells & number else 0.5
        if noun.kind is Kind.THING:
            return factor * 0.3
        if any(form in self.forms.known for form in self.language.lookups(token.text)):
            return factor
        if noun.kind is Kind.GUESS and self.language.coined(token.low) and not self.language.agentive(token.low):
            factor *= 0.7  # "Инструкционер предкратит"
        return factor * LIKE_A_PERSON[noun.kind]
