"""Italian: il/la decide common nouns, un' is feminine and un is not, l' tells nothing, -e is feminine in plurals."""

from __future__ import annotations

import re

from evenhand.grammar.families.romance import FOUR, Romance
from evenhand.grammar.italian.chain import ItalianChain
from evenhand.grammar.phrase import told
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, Noun

RELATIONAL = [
    (ending, mask)
    for endings in ("ario|aria|ari|arie", "ico|ica|ici|iche")  # letterario, cinematografico
    for ending, mask in zip(endings.split("|"), FOUR, strict=True)
]


class Italian(Romance):
    """Plural -i may come from -o, -e or -a; -he/-hi from -a/-o."""

    code = "it"
    name = "italian"
    plural_endings = ()
    open_ends = ("ə", "ɜ")
    elides = True
    four_endings = ("o", "a", "i", "e")
    third_person_past = ("ò", "ì")
    either_number = re.compile(r"[eàèéìòù]$|[^aeiou]$|si$|\d")  # parte and case, città, film, crisi
    agrees_with_clitic = True
    sure_of_unlisted = 0.93
    chain = ItalianChain

    def numbered(self, low: str, noun: Noun) -> Noun:
        return noun

    def modifier(self, low: str) -> int:
        """With the number that the ending shows: "all'assistente nuove schede" has no new assistant."""
        shown = super().modifier(low)
        if low.endswith("i") or (low.endswith("e") and told(shown)):
            return shown & PLURAL
        return shown & SINGULAR if low.endswith(("a", "e", "o")) else shown

    def adjective(self, low: str) -> int:
        """Also what is made from a noun: letterario, cinematografico."""
        shown = super().adjective(low)
        if shown or len(low) <= 6 or low.endswith("trici") or self.noun(low).kind in {Kind.FIXED, Kind.THING}:
            return shown
        return next((mask for ending, mask in RELATIONAL if low.endswith(ending)), 0)

    def loosely(self, low: str) -> int:
        return self.adjective(low)  # not addirittura

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        return low[-1] in ("ie" if plural else "oae'lnm")

    def person_forms(self, text: str) -> tuple[str, ...]:
        forms = self.lookups(text)
        return forms[:1] if forms[0].endswith("ore") else forms  # direttore, not several of whom one is a direttora

    def singulars(self, low: str) -> list[str]:
        found = []
        if low.endswith("chi") or low.endswith("ghi"):
            found += [low[:-2] + "o", low[:-2] + "a"]
        if low.endswith("che") or low.endswith("ghe"):
            found.append(low[:-2] + "a")
        if low.endswith("i") and len(low) > 3:
            found += [low[:-1] + "e", low[:-1] + "o", low[:-1] + "a", low + "o"]
        if low.endswith("e") and len(low) > 3:
            found += [low[:-1] + "a"]
        return found
