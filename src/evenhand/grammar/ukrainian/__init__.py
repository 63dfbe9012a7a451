"""Ukrainian: pymorphy3's dictionary, else endings; the three apostrophes in use are one."""

from evenhand.grammar.base import fold
from evenhand.grammar.families.morphology import Dictionary, pymorphy
from evenhand.grammar.families.slavic import Slavic


class Ukrainian(Slavic):
    """As in Russian, a feminine past tense shows a woman behind a masculine noun: "лікар сказала"."""

    code = "uk"
    name = "ukrainian"

    def opened(self) -> Dictionary | None:
        return pymorphy(self.code, lambda adjective: adjective[:-2] + ("я" if adjective.endswith("ій") else "а"))

    def plain(self, text: str) -> str:
        return fold(text).replace("ʼ", "'").replace("`", "'")
