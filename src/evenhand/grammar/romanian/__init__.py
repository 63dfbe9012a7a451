"""Romanian: the definite article is an ending (doctorul, doctorița), nouns show two cases, possessives follow."""

from __future__ import annotations

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import ANY, Noun, Token
from evenhand.tsv import rows

COMMA = str.maketrans("şţ", "șț")  # much text has the cedilla of Turkish for the comma below


class Romanian(Romance):
    """-or/-oare, -ist/-istă and -an/-ancă tell; a masculine -e takes -le, so "le" alone shows no plural."""

    code = "ro"
    name = "romanian"
    has_case = True
    plural_endings = ()

    def __init__(self) -> None:
        super().__init__()
        self._dictionary = {row["ending"]: row["dictionary"].split() for row in rows(self.folder / "suffixes.tsv")}

    def tokens(self, text: str) -> list[Token]:
        return [token._replace(low=token.low.translate(COMMA)) for token in super().tokens(text)]

    def lookups(self, text: str) -> tuple[str, ...]:
        return super().lookups(text.translate(COMMA))

    def numbered(self, low: str, noun: Noun) -> Noun:
        return noun

    def _numbers(self, low: str) -> int:
        """Article and case hide the number: -ii ends plurals and genitives, -le singulars and plurals."""
        return ANY

    def singulars(self, low: str) -> list[str]:
        found = []
        for ending, endings in self._dictionary.items():
            if low.endswith(ending) and len(low) - len(ending) > 2:
                found += [low.removesuffix(ending) + new.strip("0") for new in endings]
        return found
