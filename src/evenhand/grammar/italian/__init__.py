"""Italian: il/la decide common nouns, un' is feminine and un is not, l' tells nothing, -e is feminine in plurals."""

from __future__ import annotations

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.phrase import told
from evenhand.grammar.protocol import PLURAL, SINGULAR, Noun


class Italian(Romance):
    """Plural -i may come from -o, -e or -a; -he/-hi from -a/-o."""

    code = "it"
    name = "italian"
    plural_endings = ()
    open_ends = ("ə", "ɜ")
    elides = True

    def numbered(self, low: str, noun: Noun) -> Noun:
        return noun

    def modifier(self, low: str) -> int:
        """With the number that the ending shows: "all'assistente nuove schede" has no new assistant."""
        shown = super().modifier(low)
        if low.endswith("i") or (low.endswith("e") and told(shown)):
            return shown & PLURAL
        return shown & SINGULAR if low.endswith(("a", "e", "o")) else shown

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
