"""Catalan: el/la decide common nouns, l' tells nothing, -a and -ora are feminine."""

from __future__ import annotations

from evenhand.grammar.families.romance import Romance


class Catalan(Romance):
    """Plurals in -es of feminines in -a, -ns of stressed vowels."""

    code = "ca"
    name = "catalan"
    open_ends = ("x", "xs")
    elides = True

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
