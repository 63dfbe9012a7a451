"""Catalan: el/la decide common nouns, l' tells nothing, -a and -ora are feminine."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from evenhand.grammar.catalan.chain import CatalanChain
from evenhand.grammar.families.romance import VOWELS, Romance

SINGULAR_ENDS = ("ès", "és", "ós", "às", "ís", "ús")  # francès, famós
SINGULAR_S = frozenset("ros gras gros rus fals dispers pervers ras llis gris pres".split())
GLIDE = re.compile(r"[iu][aeoàèéòó]")


class Catalan(Romance):
    """Plurals in -es of feminines in -a, -ns of stressed vowels."""

    code = "ca"
    name = "catalan"
    open_ends = ("x", "xs")
    elides = True
    elides_of = True
    four_endings = ("", "a", "s", "es")
    not_after_clitic = ("r", "re")
    sure_of_unlisted = 0.93
    chain = CatalanChain

    def loosely(self, low: str) -> int:
        return self.adjective(low)  # not música

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        if low == "ambdós":
            return plural
        return (low.endswith("s") and not low.endswith(SINGULAR_ENDS) and low not in SINGULAR_S) == plural

    def open_number(self, low: str) -> bool:
        return low.endswith(SINGULAR_ENDS)  # el pagès

    def article_form(self, row: Mapping[str, str], side: str, after: str) -> str:
        """The full form before a consonant, before i or u and a vowel (el iogui), and the feminine before an unstressed
        i or u (la infermera, but l'única): an accent shows the stress."""
        sound = after.removeprefix("h")
        full = unicodedata.normalize("NFD", sound)[:1] not in VOWELS - {"y"} or bool(GLIDE.match(sound))
        full = full or (side == "feminine" and sound[:1] in {"i", "u"})
        return row[side] if full or not row[f"{side}_vowel"] else row[f"{side}_vowel"]

    def mute(self, word: str) -> bool:
        return word.startswith("h")

    def singulars(self, low: str) -> list[str]:
        if low.endswith(("ores", "eres")):
            return [low[:-2] + "a"]  # professores are never the plural of professor
        found = super().singulars(low)
        for plural, singular in (("ans", "à"), ("ins", "í"), ("ons", "ó"), ("esos", "ès")):
            if low.endswith(plural):
                found.append(low[: -len(plural)] + singular)
        if low.endswith("es"):
            found.append(low[:-2] + "a")
        if low.endswith("ques"):
            found.append(low[:-4] + "ca")
        if low.endswith("gues"):
            found.append(low[:-4] + "ga")
        if low.endswith("ns"):
            found.append(low[:-2])
        return found

    def both(self, text: str) -> bool:
        """The point in l·l is spelling (gal·lesa), not a mark of both genders (alumnes·es)."""
        return super().both(text.replace("l·l", "ll").replace("L·L", "LL"))
