"""Portuguese: o/a decide common nouns, contracted do, da, ao, à, no, na, pelo, pela are determiners."""

from __future__ import annotations

import re

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.portuguese.chain import PortugueseChain
from evenhand.grammar.protocol import cells

ACCENTED = re.compile(r"[áéíóúâêô][^aeiouáéíóúâêô]{1,3}[ieu]?[^aeiou]{0,2}[ao]s?$")
WE = re.compile(r"(?!suprem|extrem|blasfem)[^áéíóúâêôãõ]+[aei]mos")  # devemos; not íntimos

PLURALS = (
    ("ãos", "ão"), ("ns", "m"), ("ais", "al"), ("eis", "el"), ("éis", "el"), ("óis", "ol"), ("is", "il"),
    ("eses", "ês"),
)  # fmt: skip


class Portuguese(Romance):
    """-or/-ora, -ão/-ã and -o/-a tell; -ista, -nte and -e are common."""

    code = "pt"
    name = "portuguese"
    open_ends = ("x", "xs")
    third_person_past = ("ou", "eu", "iu")
    not_after_clitic = ("r", "re")
    singular_ends = ("uês", "cês", "dês", "lês", "nês", "rês")  # not bebês
    agent_feminine = ("ora", "oras")
    chain = PortugueseChain

    def conjugated(self, low: str) -> bool:
        return bool(WE.fullmatch(low)) or super().conjugated(low)

    def modifier(self, low: str) -> int:
        """Words stressed on the last syllable but two show it by an accent and are no verbs: prolífica, britânico."""
        found = super().modifier(low)
        if not found and ACCENTED.search(low) and low not in self._functions:
            return cells("f" if low.rstrip("s").endswith("a") else "m")
        return found

    def singulars(self, low: str) -> list[str]:
        if low.endswith(("ões", "ães")):
            return [low[:-3] + "ão"]  # alemães are never the plural of alemã
        found = super().singulars(low)
        for plural, singular in PLURALS:
            if low.endswith(plural):
                found.append(low[: -len(plural)] + singular)
        return found
