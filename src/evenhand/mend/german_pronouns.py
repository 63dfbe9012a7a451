"""German pronouns that take a person up: er, ihm, sein; sie, ihr. Only where they can mean nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.gender import Gender
from evenhand.mend.german_case import Sentence
from evenhand.mend.rewriting import Task

RELATIVE = frozenset("der die den dem dessen deren welcher welche welchen welchem".split())
POSSESSIVE = re.compile(r"(sein|ihr)(|e|er|es|en|em)")
OF_THINGS = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)
MANY = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)


ENGLISH = {
    Gender.FEMALE: re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
    Gender.MALE: re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
}


def stated(source: str, gender: Gender) -> bool:
    """True when the English has a pronoun of this gender: then a person of that gender is in it."""
    return bool(ENGLISH[gender].search(source))


def relative(sentence: Sentence, at: int) -> int | None:
    """The relative pronoun that opens a clause at this place, a preposition before it or not; None where none does."""
    governed = bool(sentence.roles.governs(sentence.low(at)))
    at += governed
    low = sentence.low(at)
    if low not in RELATIVE:
        return None
    if governed and low not in {"dessen", "deren"} and sentence.capital(at + 1):
        return None  # , mit den Zielen einverstanden
    language, after = sentence.language, sentence.low(at + 1)
    adjective = bool(language.modifier(after)) and not language.function_word(after)
    article = sentence.capital(at + 1) or (adjective and (sentence.capital(at + 2) or sentence.capital(at + 3)))
    if low not in {"dessen", "deren"} and article and not _verb_final(sentence, at):
        return None  # ", der Arzt, ": an article
    return at


def _verb_final(sentence: Sentence, at: int) -> bool:
    """True where what looks like a verb closes the clause: ", der Kinder behandelt,"."""
    end = at + 1
    while end < len(sentence.tokens) and sentence.low(end) != "," and not sentence.stop(end):
        end += 1
    last = sentence.tokens[end - 1]
    if sentence.low(end - 2) == "zu" or "zu" in last.low[2:-3]:
        return False  # , dem Arzt zu helfen
    return end - at > 1 and last.text[:1].islower() and last.low not in {"und", "oder"}


class GermanPronouns:
    """The pronouns of one sentence; `persons` are the other nouns for persons, `marked` the words changed so far."""

    def __init__(self, sentence: Sentence, task: Task, persons: set[int], marked: set[int]) -> None:
        self.sentence, self.task, self.persons, self.marked = sentence, task, persons, marked

    def changes(self, head: int, case: str, *, said: bool) -> Iterator[tuple[int, str]]:
        """Places and new words; `said`: the noun is said of somebody (ist Arzt, als Arzt), whom pronouns before it may
        mean too."""
        alone = not self.persons and self._of_person() and (case == "n" or said or not self._another(head))
        _, right = self.sentence.clause(head)
        for at, token in enumerate(self.sentence.tokens):
            low = token.low
            if at in self.marked or (at < head and not said):
                continue
            capital = token.text[:1].isupper()
            if capital and low not in {"er", "sein", "seine", "seinem", "seinen", "seiner"} and not self._begins(at):
                continue  # the polite Sie
            possessive = POSSESSIVE.fullmatch(low)
            if possessive and self._owns(at):
                if possessive[1] == "ihr" and self._many(at):
                    continue
                near = case == "n" and at < right and not any(head < i < at for i in self.persons)
                if possessive[1] == ("sein" if self.task.wanted is Gender.FEMALE else "ihr") and (alone or near):
                    yield at, {"sein": "ihr", "ihr": "sein"}[possessive[1]] + possessive[2]
            elif alone:
                new = self._personal(at, low)
                if new:
                    yield at, new

    def _another(self, head: int) -> bool:
        """Er kaufte das Brot beim Bäcker, dem er vertraut: somebody of the same gender is named by a pronoun before."""
        own = "er" if self.task.wanted is Gender.FEMALE else "sie"
        places = (at for at in range(head) if self.sentence.low(at) == own and at not in self.marked)
        return any(own == "er" or not self.sentence.low(at + 1).endswith("n") for at in places)

    def _many(self, at: int) -> bool:
        """Their: the clause has a verb in the plural (haben ihren Ursprung)."""
        left, right = self.sentence.clause(at)
        return any(self.sentence.roles.has(self.sentence.low(i), "plural") for i in range(left, right)) and not any(
            self.sentence.roles.has(self.sentence.low(i), "singular") for i in range(left, right)
        )

    def _begins(self, at: int) -> bool:
        """The first word of the text or of a further sentence, with a verb in the singular where it is sie."""
        if at and not self.sentence.stop(at - 1):
            return False
        after = self.sentence.low(at + 1)
        singular = after.isalpha() and not (self.sentence.roles.has(after, "plural") or after.endswith(("n", "seid")))
        return self.sentence.low(at) != "sie" or singular

    def _owns(self, at: int) -> bool:
        """A possessive stands before its noun: sein altes Buch; not "zu sein"."""
        return any(
            self.sentence.capital(at + step)
            and all(self.sentence.language.modifier(self.sentence.low(i)) for i in range(at + 1, at + step))
            for step in (1, 2, 3)
        )

    def _of_person(self) -> bool:
        """The English has a pronoun for a person, or none for a thing."""
        source = self.task.source
        if self.task.wanted is Gender.MALE and MANY.search(source) and self._plural_nouns():
            return False
        return bool(OF_PERSONS.search(source)) or not OF_THINGS.search(source)

    def _plural_nouns(self) -> bool:
        language = self.sentence.language
        return any(language.determiner(token.low) and token.low in {"alle", "viele", "einige", "mehrere", "beide"}
                   for token in self.sentence.tokens)  # fmt: skip

    def _personal(self, at: int, low: str) -> str | None:
        if self.task.wanted is Gender.FEMALE:
            return {"er": "sie", "ihn": "sie", "ihm": "ihr"}.get(low)
        if low == "ihr":
            return "ihm"
        if low != "sie":
            return None
        left, right = self.sentence.clause(at)
        lows = [self.sentence.low(i) for i in range(left, right)]
        if any(self.sentence.roles.has(other, "plural") for other in lows):
            return None
        verbs = (self.sentence.low(at - 1), self.sentence.low(at + 1), self.sentence.low(right - 1))
        singular = any(self.sentence.roles.has(other, "singular") for other in lows)
        if not singular and any(verb.endswith("en") for verb in verbs):
            return None  # they
        polite = any(self.sentence.tokens[i].text == "Sie" and i != at and i > left for i in range(left, right))
        if polite or self.sentence.low(at - 1) in {"lass", "lasst", "lasse"}:
            return "ihn"
        return {"n": "er", "a": "ihn"}[self.sentence.subject_or_object(at, at)]
