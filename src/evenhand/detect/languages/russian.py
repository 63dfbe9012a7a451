"""Russian: pymorphy3's dictionary, else endings; ё and е are one letter."""

from __future__ import annotations

from evenhand.detect.languages.base import fold
from evenhand.detect.languages.slavic import Slavic


class Russian(Slavic):
    """Masculine nouns of women (врач, директор) yield to a feminine past tense or adjective: "врач сказала"."""

    code = "ru"
    name = "russian"

    def plain(self, text: str) -> str:
        return fold(text).replace("ё", "е")
