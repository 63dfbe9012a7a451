"""Which target word renders the focus: the strength of word pairs, what other source words claim, position.

The focus takes the target word where it is strong and no other source word is stronger. Nothing is learnt from the rows
at hand, so a verdict never depends on other rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import polars as pl

from evenhand.detect.strength import NOTHING, Strengths
from evenhand.grammar.base import LONGEST
from evenhand.grammar.english import FOLDER, Word, is_plural
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, Language, Token
from evenhand.tsv import words as words_of

TAKEN = 0.4  # strength from which another source word has a claim
LIKE_A_PERSON = {Kind.SEXED: 1.0, Kind.COMMON: 0.8, Kind.FIXED: 0.4, Kind.GUESS: 0.6}
PERSON_WORDS = frozenset(
    {"people", "person", "persons", "ones", "one", "man", "men", "woman", "women", "folks", "party"}
)
WINDOW = 100  # source words that compete for a target word, and a fifth of the target words looked at, each side
TENSION = 3.0  # how fast position counts against a pair; fast_align's default is 4


class Link(NamedTuple):
    """Where the focus is rendered, how sure that is against the next best word, and on what evidence."""

    at: int
    certainty: float  # in [0, 1]
    strength: float  # of the pair of words; NOTHING when the word was only left over
    taken: bool  # another source word has a claim on it


class Aligner:
    """Finds the focus in the rendering. `files` are what its answers depend on (for the fingerprint)."""

    def __init__(self, language: Language, forms: Forms, learnt: pl.DataFrame | None = None) -> None:
        self.language, self.forms = language, forms
        strengths = Strengths(language, forms, learnt)
        self.files = strengths.files
        self.strength = strengths.of
        self.borrowed = strengths.borrowed
        self.informed, self.translates = strengths.informed, strengths.translates
        self._quiet = words_of(FOLDER / "function_words.tsv")

    def quiet(self, low: str) -> bool:
        """True for an English word that no noun renders: articles, prepositions, pronouns."""
        return low in self._quiet

    def best(
        self, words: list[Word], focus: range, head: int, tokens: list[Token], *, among: frozenset[int] | None = None
    ) -> Link | None:
        """The token that renders the focus; None when no token can be it. With `among` only those are looked at."""
        language, strength = self.language, self.strength
        low = words[head].low
        # Words before the head inside its noun phrase: in Romance they follow the noun ("engenheiro de software").
        parts = self._premodifiers(words, head)
        apart = language.adjectives_follow
        others = [
            (i, part)
            for i, word in enumerate(words[max(0, head - WINDOW) : head + WINDOW], start=max(0, head - WINDOW))
            if i != head and (apart or i not in focus)
            for part in word.low.split("-")  # gift-giving: both parts claim a word
            if len(part) > 2 and part.isalpha() and part not in self._quiet
        ]
        number = PLURAL if is_plural(low) else SINGULAR
        places: list[tuple[float, int, float, bool]] = []
        length, size = max(len(words), 1), max(len(tokens), 1)
        middle = int(size * head / length)
        for j in range(max(0, middle - 5 * WINDOW), min(size, middle + 5 * WINDOW)) if among is None else sorted(among):
            token = tokens[j]
            if len(token.low) > LONGEST or not token.low[0].isalpha():
                continue
            if language.function_word(token.low) or language.adverb(token.low):
                continue
            mine = strength(low, token.text)
            agent = bool(parts) and mine < 0.3 and language.noun(token.text).kind is Kind.SEXED
            if agent and (len(focus) == 1 or apart) and low not in PERSON_WORDS:
                # "patrol officer": patrouilleuse, "logistics operator": Logistikerin
                mine = max(mine, 0.3 * max(strength(part, token.text) for part in parts))
            if parts and language.capitalises_nouns and len(focus) > 1:
                # "drug dealer": a compound may be rendered by one word (Drogenhändler), so its parts help a little.
                mine = max(mine, 0.2 * max(strength(part, token.text) for part in parts))
            elif low in PERSON_WORDS and parts:
                mine = max(mine, 0.6 * strength(parts[-1], token.text))  # young people: los jóvenes
            elif parts and apart and mine < 0.3:
                mine = max(mine, 0.3 * self._followed(tokens, j, parts))
            here = mine * math.exp(-TENSION * abs(head / length - j / size)) * self._noun_likeness(tokens, j, number)
            places.append((here, j, mine, agent))
        if not places:
            return None
        places.sort(reverse=True)
        scores: list[tuple[float, int, float, float]] = []
        for here, j, mine, agent in places:
            # A rival only lowers a score: what could not come second even without one need not be looked at.
            if len(scores) > 1 and here * here / (here + NOTHING) < scores[1][0]:
                break
            most = here * here / scores[1][0] - here - NOTHING if len(scores) > 1 else math.inf
            rival, nearest = 0.0, sorted(others, key=lambda entry: abs(entry[0] / length - j / size))
            for i, other in nearest:
                near = math.exp(-TENSION * abs(i / length - j / size))
                if near <= rival:
                    break  # no strength is above 1, and the rest is farther away
                if (i in focus or (agent and head - len(parts) <= i < head)) and mine > NOTHING:
                    continue
                there = strength(other, tokens[j].text)
                if there > 0.02:
                    rival = max(rival, there * near)
                    if rival > most * (1 + 1e-9):
                        break  # it cannot come second any more
            scores.append((here * here / (here + rival + NOTHING), j, rival, mine))
            scores.sort(reverse=True)
        top, at, rival, mine = scores[0]
        runner = scores[1][0] if len(scores) > 1 else 0.0
        certainty = top / (top + runner + NOTHING / 10)
        return Link(at, certainty, mine, rival > TAKEN)

    def capital(self, words: list[Word], focus: range, head: int, tokens: list[Token], best: Link) -> Link:
        """A German noun in the place of a verb that is linked to the focus, too: "Die Prüfärztin untersuchte" for the
        examiner. Otherwise `best`."""
        verb = self.language.capitalises_nouns and tokens[best.at].text[0].islower()
        if not verb or (best.at and self.language.determiner(tokens[best.at - 1].low)):
            return best
        nouns = frozenset(i for i, token in enumerate(tokens) if token.text[0].isupper())
        other = self.best(words, focus, head, tokens, among=nouns)
        return other if other and other.strength > NOTHING else best

    def _premodifiers(self, words: list[Word], head: int) -> list[str]:
        """Up to two words right before the head, as far as an article or another function word."""
        found: list[str] = []
        for word in reversed(words[max(0, head - 2) : head]):
            if len(word.low) < 3 or word.low in self._quiet:
                break
            found.insert(0, word.low)
        return found

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

    def participle(self, tokens: list[Token], j: int) -> bool:
        """True for a participle of a perfect tense: "a envoyé un colis" names no envoy."""
        before = tokens[j - 1].low if j else ""
        return self.language.perfect(before) and bool(self.language.prenominal(tokens[j].low))

    def attributive(self, tokens: list[Token], j: int) -> bool:
        """True for an adjective whose noun follows."""
        mask = self.language.modifier(tokens[j].low)
        if not mask or j + 1 >= len(tokens) or self.language.function_word(tokens[j + 1].low):
            return False
        follows = self.language.noun(tokens[j + 1].text)
        return follows.kind is not Kind.GUESS and bool(follows.cells & mask)

    def _noun_likeness(self, tokens: list[Token], j: int, number: int) -> float:
        """How much a token looks like a noun for a person in the right number; a factor, at most 1."""
        language, token = self.language, tokens[j]
        noun = language.noun(token.text)
        factor = 1.0 if noun.cells & number else 0.5
        if noun.kind is Kind.THING:
            factor *= 0.3
        elif not any(form in self.forms.known for form in language.lookups(token.text)):
            factor *= LIKE_A_PERSON[noun.kind]
            if noun.kind is Kind.GUESS and language.coined(token.low) and not language.agentive(token.low):
                factor *= 0.7  # "Инструкционер предкратит"
        if not language.adjectives_follow and not language.capitalises_nouns and self.attributive(tokens, j):
            return factor * 0.2  # "рабочего дня"
        if language.capitalises_nouns:
            return factor * (1.0 if token.text[:1].isupper() else 0.1)
        if token.low.endswith("mente") or (language.verb(token.low) and token.low not in self.forms.known):
            factor *= 0.2
        before = tokens[j - 1].low if j else ""
        further = tokens[j - 2].low if j > 1 else ""
        if language.perfect(before) or (language.perfect(further) and language.function_word(before)):
            return factor * 0.05  # "a demandé", "a été signé", "ha sido": a participle of a perfect tense
        if language.determiner(before) or (language.modifier(before) and language.determiner(further)):
            return factor
        return factor * 0.6
