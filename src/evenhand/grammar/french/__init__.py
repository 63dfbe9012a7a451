"""French: le/la decide common nouns, l' tells nothing, mon before a vowel neither, -e often tells."""

from __future__ import annotations

import re

from evenhand.grammar.base import DOTTED, HYPHENED, fold
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.french.chain import FrenchChain
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind, Noun, Token
from evenhand.tsv import words

DOTTED_WORD = re.compile(DOTTED)
BOTH_NUMBERS = re.compile(r"(?:[^l]eux|oux|faux|[^l]ois|[^aeiou]ais)$")  # one masculine form for both numbers
SURELY = ("ée", "euse", "ienne", "ière", "trice")
VOWELS = frozenset("aeiouyhàâäéèêëîïôöùûüœæ")


class French(Romance):
    """mon, ton, son stand before feminine nouns that begin with a vowel: there the token's `low` is mon', son'."""

    code = "fr"
    name = "french"
    elides = True
    elides_of = True
    joins_pronouns = True
    either_number = re.compile(r"(?:[^e]|[èé]|i[eè])s$|.{0,4}es$|[xz]$|\d")  # temps, fois, pays, procès, prix
    drops_subjects = False
    four_endings = ("", "e", "s", "es")
    pairs_in_singular = True
    agrees_with_clitic = True
    third_person_past = ("a", "èrent", "it", "irent", "ut", "urent")
    sure_of_unlisted = 0.93
    chain = FrenchChain

    def __init__(self) -> None:
        super().__init__()
        self._aspirated = words(self.folder / "aspirated.tsv")  # le héros, but l'héroïne
        self.pattern = re.compile(rf"{DOTTED}(?!\w)|{self.pattern.pattern}")

    def tokens(self, text: str) -> list[Token]:
        found = super().tokens(text)
        for i in range(len(found) - 1):
            if found[i].low in {"mon", "ton", "son"} and found[i + 1].low[0] in VOWELS:
                found[i] = found[i]._replace(low=found[i].low + "'")
        return found

    def mute(self, word: str) -> bool:
        return word.startswith("h") and word not in self._aspirated

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        if masculine and (BOTH_NUMBERS.search(low) or self.role(low, "both_numbers")):
            return True
        return super().numbered_as(low, plural=plural, masculine=masculine)

    def open_number(self, low: str) -> bool:
        return low.endswith(("x", "fils")) or bool(BOTH_NUMBERS.search(low))  # nouveaux, furieux, suédois

    def verb_rather(self, low: str, shown: int) -> bool:
        """habite, chante, salue: an ending of feminine adjectives whose masculine no list knows is a verb's."""
        if shown & MASCULINE or not low.endswith("e") or low.endswith(SURELY):
            return False
        stem = low[:-1]
        doubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        return not any(
            form in self._stems or form in self._whole
            for form in (low, stem, doubled, f"{stem[:-1]}f", stem.replace("èr", "er"), f"{stem[:-1]}x", f"{doubled}c")
        )

    def both(self, text: str) -> bool:
        return bool(HYPHENED.fullmatch(text) or DOTTED_WORD.fullmatch(text)) or super().both(text)

    def guess(self, text: str) -> Noun:
        """A verb with what it is done to is an instrument: ramasse-miettes, sèche-cheveux."""
        if "-" in text and self.role(fold(text).partition("-")[0], "instrument"):
            return Noun(MASCULINE, Kind.THING)
        return super().guess(text)

    def verb(self, low: str) -> bool:
        """Also present tenses that look like participles: "l'architecte fait cuire du pain"."""
        return super().verb(low) or self.role(low, "present")

    def main_verb(self, tokens: list[Token], at: int) -> bool:
        """The third person of a verb in -er ends like many a feminine: crie, démissionne, traite; not invitée."""
        low = tokens[at].low
        if not low.endswith("e") or low.endswith("ée") or self.lists(low) or self.modifier(low) & MASCULINE:
            return False
        return self.verbless(tokens, at + 1)

    def predicative(self, low: str) -> int:
        """A bare masculine noun ("est médecin") tells little in French; adjectives, participles and feminines do."""
        found = super().predicative(low)
        return found if found & FEMININE or self.modifier(low) else 0

    def singulars(self, low: str) -> list[str]:
        found = []
        if low.endswith("s") and len(low) > 3:
            found.append(low[:-1])
        if low.endswith("aux"):
            found += [low[:-2] + "l", low[:-1]]
        if low.endswith(("eaux", "eux")):
            found.append(low[:-1])
        return found
