"""Catalan: el/la decide common nouns, l' tells nothing, -a and -ora are feminine."""

import re

from evenhand.grammar.families.romance import Romance

SINGULAR_ENDS = ("ès", "és", "ós", "às", "ís", "ús")  # francès, famós
SINGULAR_S = frozenset("ros gras gros rus fals dispers pervers ras llis gris pres".split())
GLIDE = re.compile(r"[iu][aeoàèéòó]")


class Catalan(Romance):
    """Plurals in -es of feminines in -a, -ns of stressed vowels."""

    code = "ca"
    name = "catalan"
    elides = True
    elides_of = True
    four_endings = ("", "a", "s", "es")
    sure_of_unlisted = 0.93

    def loosely(self, low: str) -> int:
        return self.adjective(low)  # not música

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        if low == "ambdós":
            return plural
        return (low.endswith("s") and not low.endswith(SINGULAR_ENDS) and low not in SINGULAR_S) == plural

    def open_number(self, low: str) -> bool:
        return low.endswith(SINGULAR_ENDS)  # el pagès

    def elided(self, side: str, after: str) -> bool:
        """Not before i or u and a vowel (el iogui), nor the feminine before an unstressed i or u (la infermera, but
        l'única): an accent shows the stress."""
        sound = after.removeprefix("h")
        unstressed = side == "feminine" and sound[:1] in {"i", "u"}
        return self.begins_with_vowel(sound) and not GLIDE.match(sound) and not unstressed

    def mute(self, word: str) -> bool:
        return word.startswith("h")

    def both(self, text: str) -> bool:
        """The point in l·l is spelling (gal·lesa), not a mark of both genders (alumnes·es)."""
        return super().both(text.replace("l·l", "ll").replace("L·L", "LL"))
