"""Spanish: el/la decide common nouns, -o/-a and -or/-ora tell, "el" before stressed a is no masculine."""

from __future__ import annotations

from evenhand.detect.languages.protocol import ANY, Kind, Noun, Phrase, Token
from evenhand.detect.languages.romance import Romance


class Spanish(Romance):
    """Contracted al and del are determiners; "el ama de llaves" is feminine although it takes "el"."""

    code = "es"
    name = "spanish"

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
