"""Dutch: de and het show no sex, so the noun's own form decides; forms used of both stay neutral."""

from __future__ import annotations

import re

from evenhand.grammar.base import BaseLanguage, fold
from evenhand.grammar.protocol import ANY, Kind, Noun, cells
from evenhand.remembered import remembered

FEMININE = re.compile(
    r".{2,}(?:ster|euse|trice|esse|ière|vrouw|dame|meisje|moeder|zuster|rin|[nr]ares|eres)(?:s|n|en|sen)?"
)
MASCULINE = re.compile(r".{2,}(?:man|mannen|heer|heren|vader|broer|jongen|broeder)s?")
# An adjective that names the sex: "de vrouwelijke arts".
SEX = {"vrouwelijke": "f", "vrouwelijk": "f", "mannelijke": "m", "mannelijk": "m"}


class Dutch(BaseLanguage):
    """-ster, -in, -es, -euse, -trice are women; a noun without such a counterpart in use (arts, rechter) is neutral."""

    code = "nl"
    name = "dutch"
    family = "germanic"

    def __init__(self) -> None:
        super().__init__()
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]

    def lookups(self, text: str) -> tuple[str, ...]:
        low = fold(text)
        found = [low]
        for base in (low, low.rsplit("-", 1)[-1]):
            found.append(base)
            for ending, repair in (
                ("'s", ""), ("s", ""), ("en", ""), ("n", ""), ("nen", "n"), ("sen", "s"), ("ven", "f"), ("zen", "s"),
                ("ssen", "s"), ("mannen", "man"), ("lieden", "man"), ("aren", "aar"), ("ers", "er"), ("ogen", "oog"),
                ("inen", "in"), ("innen", "in"), ("ices", "ex"), ("ci", "cus"), ("tjes", ""), ("je", ""),
            ):  # fmt: skip
                if base.endswith(ending) and len(base) - len(ending) >= 3:
                    found.append(base[: len(base) - len(ending)] + repair)
        return tuple(dict.fromkeys(found))

    def modifier(self, low: str) -> int:
        return cells(SEX[low]) if low in SEX else 0

    def noun(self, text: str) -> Noun:
        for form in self.lookups(text):
            if form in self._nouns:
                return self._nouns[form]
        low = fold(text)
        if FEMININE.fullmatch(low):
            return Noun(cells("f"), Kind.SEXED)
        if MASCULINE.fullmatch(low):
            return Noun(cells("m"), Kind.SEXED)
        return Noun(ANY, Kind.GUESS)
