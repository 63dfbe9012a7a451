"""Portuguese: o/a decide common nouns, contracted do, da, ao, à, no, na, pelo, pela are determiners."""

from __future__ import annotations

from evenhand.detect.languages.romance import Romance


class Portuguese(Romance):
    """-or/-ora, -ão/-ã and -o/-a tell; -ista, -nte and -e are common."""

    code = "pt"
    name = "portuguese"

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
