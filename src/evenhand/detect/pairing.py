"""Two persons in a sentence, one to one: the source's person nouns and the rendering's are assigned together."""

from __future__ import annotations

import math
from itertools import permutations

from evenhand.detect.align import TENSION, Aligner
from evenhand.detect.strength import NOTHING
from evenhand.grammar.english import DETERMINERS, Word, singular
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.protocol import Kind, Language, Token

PERSON = Column.FEMALE | Column.MALE
MOST = 4  # persons a side; a longer sentence is left to the alignment alone
NOBODY = NOTHING * math.exp(-TENSION)  # score of a person without a noun: as bad as an unlinked word at the other end


class Pairing:
    """Assigns the persons of sources to those of renderings in one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner) -> None:
        self.language, self.forms, self.aligner = language, forms, aligner

    def of(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> dict[int, int]:
        """Source index of each person -> token index, without those left over; empty unless the source names another
        person besides the focus. Maximises the product of strength and nearness, no token twice."""
        persons = sorted([at, *self._others(words, focus)])
        places = self._candidates(tokens) if 1 < len(persons) <= MOST else []
        if not places or len(places) > MOST:
            return {}
        length, size = max(len(words), 1), max(len(tokens), 1)
        scores = {
            (i, j): math.log(
                max(self.aligner.strength(words[i].low, tokens[j].text), NOTHING)
                * math.exp(-TENSION * abs(i / length - j / size))
            )
            for i in persons
            for j in places
        }
        nobody = math.log(NOBODY)
        best = max(
            permutations([*places, *(-1 for _ in persons)], len(persons)),
            key=lambda chosen: sum(scores.get(pair, nobody) for pair in zip(persons, chosen, strict=True)),
        )
        return {i: j for i, j in zip(persons, best, strict=True) if j >= 0}

    def _others(self, words: list[Word], focus: range) -> list[int]:
        """Nouns for persons outside the focus: listed, after a determiner, not the first part of a compound."""
        found = []
        for i, word in enumerate(words):
            if i in focus or len(word.low) < 3 or not DETERMINERS & {w.low for w in words[max(0, i - 2) : i]}:
                continue
            concept = self.forms.concept(word.low, singular(word.low))
            follows = i + 1 < len(words) and (i + 1 in focus or words[i + 1].low in self.forms.concepts)
            if concept and not follows and any(columns & PERSON for columns in concept.single.values()):
                found.append(i)
        return found

    def _candidates(self, tokens: list[Token]) -> list[int]:
        """Tokens that can be a person's noun by the forms tables, the dictionary or their ending."""
        return [
            j for j, token in enumerate(tokens) if self._candidate(token) and not self.aligner.participle(tokens, j)
        ]

    def _candidate(self, token: Token) -> bool:
        language = self.language
        if not token.low[0].isalpha() or language.function_word(token.low):
            return False
        if "-" in token.low and language.noun(token.text).kind is Kind.THING:
            return False  # petit-déjeuner
        if any(self.forms.known.get(form, 0) & PERSON for form in language.lookups(token.text)):
            return not language.capitalises_nouns or token.text[:1].isupper()
        if language.capitalises_nouns:
            return token.text[:1].isupper() and language.noun(token.text).kind is Kind.SEXED
        verbal = language.verb(token.low) or bool(language.modifier(token.low))
        coined = language.coined(token.low) and language.agentive(token.low)
        return not verbal and (coined or language.noun(token.text).kind is Kind.SEXED)
