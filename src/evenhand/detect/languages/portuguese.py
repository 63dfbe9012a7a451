"""Portuguese: o/a decide common nouns, contracted do, da, ao, à, no, na, pelo, pela are determiners."""

from __future__ import annotations

import re

from evenhand.detect.languages.protocol import cells
from evenhand.detect.languages.romance import Romance

ACCENTED = re.compile(r"[áéíóúâêô][^aeiouáéíóúâêô]{1,3}[ieu]?[^aeiou]{0,2}[ao]s?$")


class Portuguese(Romance):
    """-or/-ora, -ão/-ã and -o/-a tell; -ista, -nte and -e are common."""

    code = "pt"
    name = "portuguese"

    def modifier(self, low: str) -> int:
        """Words stressed on the last syllable but two show it by an accent and are no verbs: prolífica, britânico."""
        found = super().modifier(low)
        if not found and ACCENTED.search(low) and low not in self._functions:
            return cells("f" if low.rstrip("s").endswith("a") else "m")
        return found

    def singulars(self, low: str) -> list[str]:
        found = super().singulars(low)
        if low.endswith(("ões", "ães", "ãos")):
            found.append(low[:-3] + "ão")
        if low.endswith("ns"):
            found.append(low[:-2] + "m")
        if low.endswith("ais"):
            found.append(low[:-2] + "l")
        if low.endswith("eis"):
            found.append(low[:-2] + "l")
        return found
