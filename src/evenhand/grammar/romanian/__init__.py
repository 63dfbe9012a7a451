"""Romanian: the definite article is an ending (doctorul, doctorița), nouns show two cases, possessives follow."""

import re

from evenhand.grammar.base import WORD
from evenhand.grammar.families.romance import Romance, RomanceParticipant
from evenhand.grammar.participants import Scan
from evenhand.grammar.protocol import ANY, Token

COMMA = str.maketrans("şţ", "șț")  # much text has the cedilla of Turkish for the comma below
# A pronoun joined to its verb is a word: m-am dus, te-ai dus, nu l-am văzut
CLITIC = r"\b(?i:m|te|s|i|l|ne|v|le|n|mi|ți|ţi|și|şi|ș|c|d)-(?=[^\W\d_])"


class RomanianParticipant(RomanceParticipant):
    """-i and -e end plurals, or adjectives of one form for both."""

    def _adjective(self, low: str) -> int:
        if low.endswith(("i", "e")) or (self.columns(low) and not self.language.modifier(low)):
            return 0
        return self.language.adjective(low) or self.language.listed_as(low, "predicate_words")

    def participle(self, low: str) -> bool:
        return low.endswith(("at", "it", "ut", "ât", "s", "ată", "ită", "ută", "âtă", "să"))

    def _quality(self, scan: Scan, at: int) -> bool:
        """Behind "un" and "o" only a listed adjective: "un furnicar" is an unknown noun."""
        open_ = scan.low(at - 1) in ("un", "o") and scan.low(at) not in self.gendered("adjective")
        return super()._quality(scan, at) and (
            not open_ or bool(self.language.listed_as(scan.low(at), "predicate_words"))
        )


class Romanian(Romance):
    """-or/-oare, -ist/-istă and -an/-ancă tell; a masculine -e takes -le, so "le" alone shows no plural."""

    code = "ro"
    name = "romanian"
    has_case = True
    plural_endings = ()
    participant = RomanianParticipant

    def __init__(self) -> None:
        super().__init__()
        self.pattern = re.compile(f"{CLITIC}|{WORD}" + r"|[^\w\s]")

    def tokens(self, text: str) -> list[Token]:
        folded = (token._replace(low=token.low.translate(COMMA)) for token in super().tokens(text))
        return [token._replace(low=token.low.rstrip("-")) if len(token.low) > 1 else token for token in folded]

    def lookups(self, text: str) -> tuple[str, ...]:
        return super().lookups(text.translate(COMMA))

    def _numbers(self, low: str) -> int:
        """Article and case hide the number: -ii ends plurals and genitives, -le singulars and plurals."""
        return ANY

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        return True  # see `_numbers`
