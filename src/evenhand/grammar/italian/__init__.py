"""Italian: il/la decide common nouns, un' is feminine and un is not, l' tells nothing, -e is feminine in plurals."""

import re

from evenhand.grammar.base import fold
from evenhand.grammar.families.romance import FOUR, Romance
from evenhand.grammar.lexicon import PERSON, Column
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, open_gender

PLURALS = {"i": Column.MALE, "e": Column.FEMALE}  # of nouns in -a for both
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
    elides = True
    four_endings = ("o", "a", "i", "e")
    either_number = re.compile(r"[eàèéìòù]$|[^aeiou]$|si$|\d")  # parte and case, città, film, crisi
    agrees_with_clitic = True
    sure_of_unlisted = 0.93

    def modifier(self, low: str) -> int:
        """With the number that the ending shows: "all'assistente nuove schede" has no new assistant."""
        shown = super().modifier(low)
        if low.endswith("i") or (low.endswith("e") and not open_gender(shown)):
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

    def columns(self, text: str) -> int:
        """Not direttore as several of whom one is a direttora; professionisti, professioniste show what their singular
        does not."""
        low, known = fold(text), self.persons.known
        if known.get(f"{low[:-1]}a", 0) & PERSON == PERSON and low[-1] in PLURALS:
            return PLURALS[low[-1]]
        return known.get(low, 0) & PERSON if low.endswith("ore") else super().columns(text)
