"""Arabic: prefixes with the article, ta marbuta, regular plurals and attached pronouns."""

import re
import unicodedata

from evenhand.grammar.families.semitic import Semitic


class Arabic(Semitic):
    """The noun's form decides; a verb before its subject often lacks the feminine ending, so it is not asked."""

    code = "ar"
    name = "arabic"
    word = r"[\u0621-\u063a\u0641-\u064a\u0671-\u06d3\ufb50-\ufefc][\u0621-\u065f\u0670-\u06d3\ufb50-\ufefc]*"
    prefixes = re.compile(r"[وف]?(?:[بك]?ال|لل|[بكلس])?")
    marks = re.compile(r"[\u0640\u064b-\u065f\u0670]")
    alike = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي"})

    def plain(self, text: str) -> str:
        return super().plain(unicodedata.normalize("NFKC", text))  # letters coded by their shape in old fonts

    def feminine(self, low: str) -> bool:
        return low.endswith(("ة", "ات")) and low not in self._not_feminine
