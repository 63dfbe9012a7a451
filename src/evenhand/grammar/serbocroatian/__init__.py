"""Croatian, Serbian and Bosnian: one grammar and one lexicon (lekar, ljekar, liječnik) in both scripts."""

from evenhand.grammar.base import fold
from evenhand.grammar.families.slavic import Slavic

LETTERS = dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
LATIN = str.maketrans(LETTERS | {"љ": "lj", "њ": "nj", "џ": "dž"})


class Serbocroatian(Slavic):
    """Works from tables alone, which are in the Latin script; a Cyrillic word is looked up by its transliteration."""

    code = "sh"
    name = "serbocroatian"

    def plain(self, text: str) -> str:
        return fold(text).translate(LATIN)
