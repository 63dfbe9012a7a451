"""Catalan: el/la decide common nouns, l' tells nothing, -a and -ora are feminine."""

from __future__ import annotations

from evenhand.detect.languages.romance import Romance


class Catalan(Romance):
    """Plurals in -es of feminines in -a, -ns of stressed vowels."""

    code = "ca"
    name = "catalan"
    elides = True

    def singulars(self, low: str) -> list[str]:
        found = super().singulars(low)
        if low.endswith("es"):
            found.append(low[:-2] + "a")
        if low.endswith("ques"):
            found.append(low[:-4] + "ca")
        if low.endswith("gues"):
            found.append(low[:-4] + "ga")
        if low.endswith("ns"):
            found.append(low[:-2])
        return found
