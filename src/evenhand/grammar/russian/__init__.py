"""Russian: pymorphy3's dictionary, else endings; ё and е are one letter."""

from evenhand.grammar.base import fold
from evenhand.grammar.families.morphology import Dictionary, pymorphy
from evenhand.grammar.families.slavic import Slavic


class Russian(Slavic):
    """Masculine nouns of women (врач, директор) yield to a feminine past tense or adjective: "врач сказала"."""

    code = "ru"
    name = "russian"
    ranked = True

    def opened(self) -> Dictionary | None:
        return pymorphy(self.code, _feminine)

    def plain(self, text: str) -> str:
        return fold(text).replace("ё", "е")


def _feminine(adjective: str) -> str:
    stem, ending = adjective[:-2], adjective[-2:]
    return stem + ("яя" if ending == "ий" and stem[-1:] not in "гкхжчшщ" else "ая")
