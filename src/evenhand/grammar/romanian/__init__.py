"""Romanian: the definite article is an ending (doctorul, doctorița), nouns show two cases, possessives follow."""

from __future__ import annotations

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import Noun, Token

COMMA = str.maketrans("şţ", "șț")  # much text has the cedilla of Turkish for the comma below

# Endings of article, number and case, and what the dictionary has instead; longest first.
ENDINGS = (
    ("oarelor", "oare oară"), ("oarele", "oare oară"), ("oarei", "oare oară"), ("oarea", "oare"), ("oara", "oară"),
    ("oare", "oară"), ("esele", "easă"), ("eselor", "easă"), ("ese", "easă"), ("esei", "easă"), ("easa", "easă"),
    ("ului", "0 u"), ("cei", "că"), ("iului", "iu"), ("lui", "0"), ("ilor", "0 ă e u"), ("elor", "ă e"), ("știlor", "st"),
    ("știi", "st"), ("ști", "st sc"), ("ților", "t"), ("ții", "t te ție"), ("ți", "t te"), ("enii", "ean"), ("eni", "ean"), ("enilor", "ean"), ("enei", "eancă"), ("zii", "d"), ("zi", "d"),
    ("ele", "ă e"), ("ile", "ă e ie"), ("ul", "0 u"), ("le", "0 e"), ("ei", "ă e"), ("ii", "0 u e ie iu"), ("i", "0 u e ă"),
    ("ia", "ie"), ("ea", "e ea"), ("a", "ă"), ("e", "ă"), ("l", "0"),
)  # fmt: skip


class Romanian(Romance):
    """-or/-oare, -ist/-istă and -an/-ancă tell; a masculine -e takes -le, so "le" alone shows no plural."""

    code = "ro"
    name = "romanian"
    has_case = True
    plural_endings = ()

    def tokens(self, text: str) -> list[Token]:
        return [token._replace(low=token.low.translate(COMMA)) for token in super().tokens(text)]

    def lookups(self, text: str) -> tuple[str, ...]:
        return super().lookups(text.translate(COMMA))

    def numbered(self, low: str, noun: Noun) -> Noun:
        return noun

    def singulars(self, low: str) -> list[str]:
        found = []
        for ending, endings in ENDINGS:
            if low.endswith(ending) and len(low) - len(ending) > 2:
                found += [low.removesuffix(ending) + new.strip("0") for new in endings.split()]
        return found
