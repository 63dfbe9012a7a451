"""Greek: the article decides for the many nouns that men and women share (ο γιατρός, η γιατρός)."""

from __future__ import annotations

import re
import unicodedata

from evenhand.grammar.base import LONGEST, BaseLanguage, fold
from evenhand.grammar.protocol import ANY, Kind, Noun, Token, cells
from evenhand.remembered import remembered

FEMININE = re.compile(r".{2,}(?:τρι|ισσ|ιν|ιδ)(?:α|ας|ες|ων)")
MASCULINE = re.compile(r".{2,}(?:της|τη|τες|ιστας|ιστα|τζης)")
# Ending of a form, ending of its nominative singular; without accents, because they move in inflection.
ENDINGS = (
    ("ου", "ος"), ("ο", "ος"), ("οι", "ος"), ("ων", "ος"), ("ους", "ος"), ("ε", "ος"), ("η", "ης"), ("ες", "ης"),
    ("ων", "ης"), ("α", "ας"), ("ες", "ας"), ("ων", "ας"), ("ας", "α"), ("ες", "α"), ("ων", "α"), ("ης", "η"),
    ("εις", "ης"), ("εις", "εας"), ("εων", "εας"), ("εα", "εας"), ("ιδες", "ιδα"), ("οντα", "ων"), ("οντος", "ων"),
    ("ους", "ης"), ("ουν", "ους"),
)  # fmt: skip


class Greek(BaseLanguage):
    """Article first; without one, -τρια, -ισσα, -ίνα are women and -της, -ίστας men."""

    code = "el"
    name = "greek"
    family = "hellenic"
    has_case = True

    def __init__(self) -> None:
        super().__init__()
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]

    def plain(self, text: str) -> str:
        """Lower case without accents; η and ή, οι and όι are one."""
        if len(text) > LONGEST:
            return text
        marks = unicodedata.normalize("NFD", fold(text))
        return "".join(letter for letter in marks if not unicodedata.combining(letter))

    def tokens(self, text: str) -> list[Token]:
        return [Token(m[0], self.plain(m[0]) or m[0], m.start(), m.end()) for m in self.pattern.finditer(text)]

    def lookups(self, text: str) -> tuple[str, ...]:
        low = self.plain(text)
        found = [low]
        for ending, nominative in ENDINGS:
            if low.endswith(ending) and len(low) - len(ending) >= 2:
                found.append(low[: len(low) - len(ending)] + nominative)
        return tuple(dict.fromkeys(found))

    def guess(self, text: str) -> Noun:
        low = self.plain(text)
        if FEMININE.fullmatch(low):
            return Noun(cells("f"), Kind.SEXED)
        return Noun(cells("m") if MASCULINE.fullmatch(low) else ANY, Kind.GUESS)
