"""Portuguese: o/a decide common nouns, contracted do, da, ao, à, no, na, pelo, pela are determiners."""

from __future__ import annotations

from evenhand.grammar.families.romance import Iberian
from evenhand.grammar.portuguese.chain import PortugueseChain

PLURALS = (
    ("ãos", "ão"), ("ns", "m"), ("ais", "al"), ("eis", "el"), ("éis", "el"), ("óis", "ol"), ("is", "il"),
    ("eses", "ês"),
)  # fmt: skip


class Portuguese(Iberian):
    """-or/-ora, -ão/-ã and -o/-a tell; -ista, -nte and -e are common."""

    code = "pt"
    name = "portuguese"
    third_person_past = ("ou", "eu", "iu")
    not_after_clitic = ("r", "re")
    singular_ends = ("uês", "cês", "dês", "lês", "nês", "rês")  # not bebês
    chain = PortugueseChain

    def singulars(self, low: str) -> list[str]:
        if low.endswith(("ões", "ães")):
            return [low[:-3] + "ão"]  # alemães are never the plural of alemã
        found = super().singulars(low)
        return found + [low.removesuffix(end) + new for end, new in PLURALS if low.endswith(end)]
