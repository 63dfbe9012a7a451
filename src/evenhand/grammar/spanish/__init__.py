"""Spanish: el/la decide common nouns, -o/-a and -or/-ora tell, "el" before stressed a is no masculine."""

from __future__ import annotations

from collections.abc import Mapping

from evenhand.grammar.families.romance import Iberian
from evenhand.grammar.protocol import ANY, Kind, Noun, Phrase, Token

PLURALS = (("ces", "z"), ("ones", "ón"), ("anes", "án"), ("eses", "és"))
STRESSED_A = frozenset({"ama", "aya", "águila", "alma", "hada"})  # el ama de llaves


class Spanish(Iberian):
    """Contracted al and del are determiners; "el ama de llaves" is feminine although it takes "el"."""

    code = "es"
    name = "spanish"
    third_person_past = ("ó",)
    singular_ends = ("és",)

    def article_form(self, row: Mapping[str, str], side: str, after: str) -> str:
        return (row.get(f"{side}_a") if after in STRESSED_A else "") or row[side]

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        before = tokens[phrase.head - 1].low
        if self.role(tokens[phrase.head].low, "stressed_a") and before in {"el", "un", "del", "al"}:
            return noun.cells
        return phrase.cells & noun.cells

    def singulars(self, low: str) -> list[str]:
        found = super().singulars(low)
        return found + [low.removesuffix(end) + new for end, new in PLURALS if low.endswith(end)]

    def guess(self, text: str) -> Noun:
        found = super().guess(text)
        return found if found.cells else Noun(ANY, Kind.GUESS)
