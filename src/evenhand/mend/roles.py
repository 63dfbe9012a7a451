"""The closed word classes of a Romance language and its adjectives.

A folder `tables/<language>/` holds
    roles.tsv       role, words     linking verbs beside the detector's copulas, participles that agree before another
                                    (auxiliary), modal verbs, clitic pronouns, pronouns that take a noun up, ...
    adjectives.tsv  stems           derived by builders/mend_adjectives.py; the detector's own lists come first
"""

from __future__ import annotations

import re
from pathlib import Path

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

TABLES = Path(__file__).parent / "tables"
FOUR = (MASCULINE & SINGULAR, FEMININE & SINGULAR, MASCULINE & PLURAL, FEMININE & PLURAL)
ENDINGS = {
    code: sorted(zip(endings.split("|"), FOUR, strict=True), key=lambda pair: -len(pair[0]))
    for code, endings in {
        "it": "o|a|i|e",
        "es": "o|a|os|as",
        "pt": "o|a|os|as",
        "fr": "|e|s|es",
        "ca": "|a|s|es",
    }.items()
}
RELATIONAL = [
    (ending, mask)
    for endings in ("ario|aria|ari|arie", "ico|ica|ici|iche")  # letterario, cinematografico
    for ending, mask in zip(endings.split("|"), FOUR, strict=True)
]
SURELY = ("ée", "euse", "ienne", "ière", "trice")
IMPERFECT = re.compile(r"(?:[áé][^aeiou]|[aeoué]í|[^aeiou]í)amos$|(?:[aei]r|ndo)nos$")  # jugábamos; asegurarnos
WE = re.compile(r"(?!suprem|extrem|blasfem)[^áéíóúâêôãõ]+[aei]mos$")  # debemos; not íntimos
NOT_SAID = frozenset({Kind.FIXED, Kind.THING})  # vittime, tiempos: nouns whose ending says nothing of a person
AND = frozenset("y e ed et o u ou od ni né nem mas ma bensì pero sino mais".split())
OF = frozenset({"de", "di", "d'", "tra", "fra", "entre", "do", "dos", "das"})
AS = frozenset({"como", "come", "comme"})


def told(cells: int) -> bool:
    """True when the cells show one of the two genders."""
    return bool(cells & (FEMININE | MASCULINE)) and not (cells & FEMININE and cells & MASCULINE)


class Roles:
    """The closed word classes of one language, and its adjectives."""

    def __init__(self, language: Romance) -> None:
        folder = TABLES / language.name
        self.language = language
        self.words = {row["role"]: frozenset(row["words"].split()) for row in rows(folder / "roles.tsv")}
        self.stems = words(folder / "adjectives.tsv", "stems")
        self.endings = ENDINGS[language.code]
        self.modifier = remembered(self.modifier)  # type: ignore[method-assign]

    def has(self, low: str, role: str) -> bool:
        return low in self.words.get(role, ())

    def adjectives(self) -> frozenset[str]:
        """Forms of adjectives listed because no ending tells them."""
        return frozenset().union(*(self.words.get(role, ()) for role in ("masculine_words", "feminine_words", "short")))

    def predicate(self, low: str) -> int:
        """Cells of a word that is an adjective after a linking verb, and mostly a verb or a noun elsewhere: libera."""
        if not self.has(low, "predicate_words"):
            return 0
        return next(mask for ending, mask in self.endings if low.endswith(ending))

    def joins(self, low: str) -> bool:
        """A word like and, or, but."""
        return low in self.words.get("and", AND)

    def compares(self, low: str) -> bool:
        """A word like as."""
        return low in AS or self.has(low, "as")

    def partitive(self, low: str) -> bool:
        """A word like of, with its article or without."""
        return low in OF if self.language.code != "ca" else self.has(low, "of") or low == "entre"

    def one(self, low: str) -> int:
        """The gender of what a partitive begins with: uno, nessuno by their ending where they are no determiners."""
        if not self.has(low, "one"):
            return 0
        return self.language.determiner(low) or (MASCULINE if low.endswith(("o", "os", "i")) else FEMININE)

    def links(self, low: str) -> bool:
        """A verb after which an adjective is said of the subject."""
        return self.language.role(low, "copula") or self.has(low, "linking")

    def modifier(self, low: str) -> int:
        """Cells of an adjective or participle: the detector's answer, else by the list of stems."""
        cells = self.language.modifier(low)
        if self.has(low, "short") and (not cells or self._verb_rather(low, cells)):
            return FEMININE if low.endswith(("e", "es")) else MASCULINE
        if (cells and self._verb_rather(low, cells)) or self.has(low, "verb_too") or self._conjugated(low):
            return 0
        for role, mask in (("masculine_words", MASCULINE), ("feminine_words", FEMININE)):
            if self.has(low, role):
                return mask
        own = self.words.get("own_stems", ())
        for ending, mask in self.endings if own else ():
            if low.endswith(ending) and low[: len(low) - len(ending)] in own:
                return mask
        if cells or self.language.function_word(low) or self.language.noun(low).kind in NOT_SAID:
            return cells
        relational = self.language.code == "it" and len(low) > 6 and not low.endswith("trici")
        for ending, mask in RELATIONAL if relational else ():
            if low.endswith(ending):
                return mask
        for ending, mask in self.endings:
            if low.endswith(ending) and low[: len(low) - len(ending)] in self.stems:
                return mask
        return 0

    def _conjugated(self, low: str) -> bool:
        return bool(IMPERFECT.search(low) or (self.language.code in {"es", "pt"} and WE.fullmatch(low)))

    def _verb_rather(self, low: str, cells: int) -> bool:
        """habite, chante, salue: an ending of French adjectives of women whose masculine no list knows is a verb's."""
        if self.language.code != "fr" or cells & MASCULINE or not low.endswith("e") or low.endswith(SURELY):
            return False
        stem = low[:-1]
        doubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        return not any(
            (form in self.stems and form != low) or self.language.lists(form)
            for form in (low, stem, doubled, f"{stem[:-1]}f", stem.replace("èr", "er"), f"{stem[:-1]}x", f"{doubled}c")
        )
