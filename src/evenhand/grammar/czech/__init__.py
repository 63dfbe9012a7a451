"""Czech: endings of case and gender, past tense in -l and -la, "paní doktorka"."""

from __future__ import annotations

from evenhand.grammar.families.slavic import Slavic


class Czech(Slavic):
    """Works from tables alone; nouns in -í (recepční, vedoucí) are of common gender."""

    code = "cs"
    name = "czech"
