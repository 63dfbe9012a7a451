"""Whether a German noun for a person stands in the plural, by its form, its determiner, its place and the source."""

from __future__ import annotations

from evenhand.gender import Gender
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR
from evenhand.mend.german_case import Sentence
from evenhand.mend.german_nouns import GermanNouns
from evenhand.mend.rewriting import Task

CELLS = {Gender.FEMALE: FEMININE, Gender.MALE: MASCULINE}


class Number:
    """The nouns of one rendering; phrases are given by their first word and their noun."""

    def __init__(self, sentence: Sentence, nouns: GermanNouns, task: Task) -> None:
        self.sentence, self.nouns, self.task = sentence, nouns, task
        self.language, self.roles, self.tokens = sentence.language, sentence.roles, task.tokens

    def plural(self, head: int, first: int) -> bool:
        low = self.tokens[head].low
        if low.endswith("innen"):
            return True
        if self.task.before is Gender.FEMALE and low.endswith("in"):
            return False
        owned = first < head and self.sentence.low(first) == "der" and self.sentence.capital(first - 1)
        if self.task.before is Gender.MALE and owned and self._is_plural_form(low):
            return True  # im Interesse der Bürger
        you = first < head and self.sentence.low(first) == "ihr" and self.task.plural
        if self.task.before is Gender.MALE and you and self._is_plural_form(low):
            return True  # dass ihr Freunde seid
        if self.task.before is Gender.MALE and self._only_plural(low):
            return True  # von den Bewohnern
        masks = [self.language.determiner(self.tokens[i].low) for i in range(first, head)]
        for mask in filter(None, masks):
            singular = mask & CELLS[self.task.before] & SINGULAR
            if not singular:
                return True
            if not mask & ~SINGULAR:
                return False
        if self.task.before is Gender.MALE and self.task.plural and self.nouns.lemma(low) == low:
            return self._is_plural_form(low)  # jeden Feind
        return self.task.plural

    def slip(self, head: int) -> bool:
        """die Kunde: the source names one person, and the noun is a man's singular that is no plural, whatever its
        article is."""
        low = self.tokens[head].low
        one = self.task.before is Gender.MALE and not self.task.plural
        return one and self.nouns.lemma(low) == low and not self._is_plural_form(low)

    def _only_plural(self, low: str) -> bool:
        """A form of the plural that is none of the singular."""
        lemma = self.nouns.lemma(low)
        if lemma is None or lemma == low:
            return False
        single = {self.nouns.inflected(lemma, case, plural=False) for case in "ngda"}
        return low not in single and low in {self.nouns.inflected(lemma, case, plural=True) for case in "nd"}

    def _is_plural_form(self, low: str) -> bool:
        lemma = self.nouns.lemma(low)
        return lemma is not None and self.nouns.inflected(lemma, "n", plural=True) == low

    def dative_plural(self, first: int, head: int) -> bool:
        determiners = [self.tokens[i].low for i in range(first, head) if self.language.determiner(self.tokens[i].low)]
        if any(low.endswith("en") and low not in {"sieben"} for low in determiners):
            return True
        if determiners and determiners[0] in {"die", "diese", "alle", "viele", "einige", "der", "aller", "vieler"}:
            return False
        return self.roles.governs(self.sentence.low(first - 1)) == "d"
