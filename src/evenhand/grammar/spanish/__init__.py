"""Spanish: el/la decide common nouns, -o/-a and -or/-ora tell, "el" before stressed a is no masculine."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import ANY, Kind, Noun, Phrase, Token, cells

ACCENTED = re.compile(r"[áéíóú][^aeiouáéíóú]{1,3}[ieu]?[^aeiou]{0,2}[ao]s?$")

WE = re.compile(r"(?!suprem|extrem|blasfem)[^áéíóúâêôãõ]+[aei]mos")  # debemos; not íntimos
STRESSED_A = frozenset({"ama", "aya", "águila", "alma", "hada"})  # el ama de llaves


class Spanish(Romance):
    """Contracted al and del are determiners; "el ama de llaves" is feminine although it takes "el"."""

    code = "es"
    name = "spanish"
    open_ends = ("x", "xs")
    third_person_past = ("ó",)
    singular_ends = ("és",)
    agent_feminine = ("ora", "oras")

    def conjugated(self, low: str) -> bool:
        return bool(WE.fullmatch(low)) or super().conjugated(low)

    def article_form(self, row: Mapping[str, str], side: str, after: str) -> str:
        return (row.get(f"{side}_a") if after in STRESSED_A else "") or row[side]

    def modifier(self, low: str) -> int:
        """Words stressed on the last syllable but two show it by an accent and are no verbs: prolífica, británico."""
        found = super().modifier(low)
        if not found and ACCENTED.search(low) and low not in self._functions:
            return cells("f" if low.rstrip("s").endswith("a") else "m")
        return found

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        if self.role(tokens[phrase.head].low, "stressed_a") and tokens[phrase.head - 1].low in {
            "el",
            "un",
            "del",
            "al",
        }:
            return noun.cells
        return phrase.cells & noun.cells

    def singulars(self, low: str) -> list[str]:
        found = super().singulars(low)
        if low.endswith("ces"):
            found.append(low[:-3] + "z")
        if low.endswith("ones"):
            found.append(low[:-4] + "ón")
        if low.endswith("anes"):
            found.append(low[:-4] + "án")
        if low.endswith("eses"):
            found.append(low[:-4] + "és")
        return found

    def guess(self, text: str) -> Noun:
        found = super().guess(text)
        return found if found.cells else Noun(ANY, Kind.GUESS)
