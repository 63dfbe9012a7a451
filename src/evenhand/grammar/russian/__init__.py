"""Russian: pymorphy3's dictionary, else endings; ё and е are one letter."""

from __future__ import annotations

from evenhand.grammar.base import fold
from evenhand.grammar.families.slavic import Slavic


class Russian(Slavic):
    """Masculine nouns of women (врач, директор) yield to a feminine past tense or adjective: "врач сказала"."""

    code = "ru"
    name = "russian"
    ranked = True

    def plain(self, text: str) -> str:
        return fold(text).replace("ё", "е")
