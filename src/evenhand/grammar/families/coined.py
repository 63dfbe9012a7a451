"""Words that the dictionary of a Slavic language does not have: garbled, misspelt or new ones.

Such a word is no evidence by itself. What it can be is told by its place in the clause and by its ending; whether it is
a person is asked elsewhere (a likeness to the focus, an ending that makes persons, a past tense that agrees).
"""

from __future__ import annotations

import re

from evenhand.grammar.families.agreement import NOMINATIVE, Agreeing
from evenhand.grammar.families.morphology import Analysis, Endings, nouns
from evenhand.grammar.protocol import ANY, FEMININE, MASCULINE, SINGULAR, Kind, Noun, Phrase, Token

MALE = ("тель", "арь")  # where the dictionary guesses a woman: секатель
FEMALE = re.compile(r".*(?:[бвгджзйклмнпрстфхцчшщь]ка|иц[ая]|ша|иня|есса|иса|ья|иха|ая|яя)")  # endings of women's nouns
OBLIQUE = frozenset("уюыиіеё")  # last letters that a nominative singular of a person hardly has
PAST = ("л", "ла", "ло", "ли")
VOWELS = frozenset("аеёиоуыэюяієїaąeęěiíyýoóuúůáéь")


class Coining(Agreeing):
    """Answers about coined words; without a dictionary (Polish, Czech, no pymorphy3) no word is called one."""

    def __init__(self) -> None:
        super().__init__()
        self._endings = Endings(self.folder / "endings.tsv")

    def coined(self, low: str) -> bool:
        return self._dictionary and not self.listed(low) and not any(a.known for a in self.readings(low))

    def placed(self, tokens: list[Token], at: int) -> Noun | None:
        low = tokens[at].low
        named = [a for a in nouns(self.readings(low)) if not a.name]
        if not named or not self.coined(low):
            return None
        if low.endswith(("ой", "ей")) and FEMALE.fullmatch(f"{low[:-2]}а"):
            return Noun(FEMININE & SINGULAR, Kind.GUESS)  # с паралегалкой
        if low[-1] not in VOWELS:
            return None  # what ends in a consonant is left to `guess`
        place = self._place(tokens, at)
        gender = self._by_suffix(low, place)
        if gender:
            return Noun(gender, Kind.GUESS)
        return Noun(self._likeliest(low, named, place), Kind.GUESS)

    def _likeliest(self, low: str, named: list[Analysis], place: int) -> int:
        """Cells of the likeliest reading that fits the place; any where the ending makes no person."""
        here = [a for a in named if a.cells & place] or self._by_ending(low, place)
        if place == NOMINATIVE and not here and not self.agentive(low):
            return ANY  # суперевереду: no nominative, and no person's ending
        first = (here or named)[0].cells
        mask = first & place or first
        woman = place != NOMINATIVE or mask & MASCULINE or FEMALE.fullmatch(low)
        return mask if woman and mask & (FEMININE | MASCULINE) else ANY  # лабора: no woman's -а

    def _by_ending(self, low: str, place: int) -> list[Analysis]:
        """физикка: a nominative, where the dictionary guesses a genitive only."""
        endings = nouns(self._endings.analyse(low)) if place == NOMINATIVE else []
        return [a for a in endings if a.cells & place]

    def _by_suffix(self, low: str, place: int) -> int:
        """Cells of a case form whose suffix tells the gender by itself; 0 where it does not."""
        stem = low[:-1]
        if low.endswith(MALE) or (low[-1] in "ауе" and not place & NOMINATIVE and super().agentive(stem)):
            return MASCULINE & SINGULAR  # для уборника: the dictionary guesses a woman
        if low.endswith("е"):  # о диспетчерке; архите: a case that all genders share
            return FEMININE & SINGULAR if FEMALE.fullmatch(f"{stem}а") else ANY
        return 0

    def _place(self, tokens: list[Token], at: int) -> int:
        """The cases that a noun can have there: none but the nominative before the verb of its clause, any other after
        a preposition or after a verb whose subject stands before it or which has none (a plural)."""
        if at and self._kinds.get(tokens[at - 1].low) == "preposition":
            return ANY & ~NOMINATIVE
        clause = next((inside for inside in self.cut(tokens) if at in inside), range(at, at))
        verb = next((i for i in range(at - 1, clause.start - 1, -1) if self.form(tokens[i].low).verb), None)
        if verb is None:
            return NOMINATIVE
        shown = self._shown(tokens[verb].low)
        taken = (shown and not shown & SINGULAR) or self._rival(tokens, range(clause.start, verb), at)
        return ANY & ~NOMINATIVE if taken else ANY

    def _subject(self, tokens: list[Token], phrase: Phrase) -> bool:
        """A coined word before the verb of its clause is the subject, whatever case its ending looks like (оклер)."""
        low = tokens[phrase.head].low
        if phrase.head + 1 == phrase.last and low[-1] not in OBLIQUE and self.coined(low):
            return self._place(tokens, phrase.head) == NOMINATIVE
        return super()._subject(tokens, phrase)

    def verbal(self, low: str) -> bool:
        """True for a word that is in no dictionary and by its ending a verb before anything else: перевосходит. What
        looks like a past tense (пекарнял) must end in its -л, because гертер looks like one too."""
        real = [a for a in self.readings(low) if not a.name]
        past = bool(real) and real[0].part == "past" and low.endswith(PAST)
        verb = self._dictionary and bool(real) and (real[0].part == "verb" or past)
        return verb and not any(a.known or (a.part == "noun" and a.animate) for a in real)
