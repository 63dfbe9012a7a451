"""Hebrew: prefixes, construct -ת, feminine -ה, -ת and -ית; a verb after its subject for nouns with one spelling."""

import re

from evenhand.grammar.families.semitic import Semitic
from evenhand.grammar.protocol import Phrase, Predicate, Token, cells

FINAL = {"כ": "ך", "מ": "ם", "נ": "ן", "פ": "ף", "צ": "ץ"}


class Hebrew(Semitic):
    """ "המנקה" is either gender in writing: neutral, unless it is the subject of a verb that tells."""

    code = "he"
    name = "hebrew"
    # Letters with points; a quotation mark inside marks an acronym (מנכ"ל), even when a tokeniser cut it off (מנכ "ל).
    word = (
        r"[\u05d0-\u05ea][\u05d0-\u05ea\u0591-\u05c7]*"
        r"(?:[\"״'׳’][\u05d0-\u05ea][\u05d0-\u05ea\u0591-\u05c7]*|(?<=מנכ) [\"״]ל(?:ית)?\b|(?<=צ) ['׳’]יף\b)*"
    )
    prefixes = re.compile(r"ו?(?:כש|ש|מש|לכש)?[בכלמ]?ה?")
    marks = re.compile(r"[\u0591-\u05bd\u05bf-\u05c7]")
    alike = str.maketrans({"״": '"', "׳": "'", " ": ""})

    def stems(self, base: str) -> list[str]:
        """The last letter of a stem takes its final shape."""
        return [stem[:-1] + FINAL.get(stem[-1], stem[-1]) for stem in super().stems(base)]

    def feminine(self, low: str) -> bool:
        return low.endswith(("ה", "ת", "ות")) and low not in self._not_feminine

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The word after a definite noun that opens the clause: "המורה אמרה". -ה also ends some masculine verbs (היה,
        עשה), which are listed."""
        at = phrase.last
        if at >= len(tokens) or not tokens[phrase.head].low.lstrip("וש").startswith("ה"):
            return None
        if phrase.first and tokens[phrase.first - 1].low not in {".", ",", "כי", '"', ":", "ו", "אבל"}:
            return None
        low = tokens[at].low
        if not low[0].isalpha() or self.function_word(low) or low.startswith(("ה", "ש", "ל", "ב", "ו")):
            return None
        if low in self._not_feminine:
            return Predicate(at, cells("m", "s"))
        if low.endswith(("ה", "ת")):
            return Predicate(at, cells("f", "s"))
        return None if low.endswith(("ו", "ים")) else Predicate(at, cells("m", "s"))
