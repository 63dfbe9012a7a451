"""What Hebrew and Arabic share: words carry their article, prepositions and conjunctions as prefixes.

Gender stands in the noun's ending; there is no article that shows it. Spelling without vowels leaves some nouns open
(Hebrew "המנקה"), and then only a verb whose subject they are can tell.
"""

from __future__ import annotations

import re
from abc import abstractmethod

from evenhand.grammar.base import LONGEST, BaseLanguage, fold
from evenhand.grammar.protocol import Kind, Noun, Token, cells
from evenhand.remembered import remembered
from evenhand.tsv import words

SHORTEST = 2  # letters that must be left of a stem


class Semitic(BaseLanguage):
    """Strips prefixes and endings for the lookup and reads the gender from the ending."""

    family = "semitic"
    has_articles = False
    adjectives_follow = True  # so that the first word of a form of several words is its head: פקידת הקבלה
    word: str  # a word of this script
    prefixes: re.Pattern[str]
    marks: re.Pattern[str]  # vowel points and other marks that are not looked up
    alike: dict[int, str]  # letters that are written one for the other

    def __init__(self) -> None:
        super().__init__()
        self.pattern = re.compile(rf"{self.word}|[\w'’-]+|(?<![\u05d0-\u05ea])[-־]|[^\w\s\-־]")
        self._not_feminine = words(self.folder / "not_feminine.tsv")
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]

    def plain(self, text: str) -> str:
        """Without vowel points, with letters that vary in spelling made one."""
        return self.marks.sub("", fold(text)).translate(self.alike) if len(text) <= LONGEST else text

    def tokens(self, text: str) -> list[Token]:
        return [Token(m[0], self.plain(m[0]) or m[0], m.start(), m.end()) for m in self.pattern.finditer(text)]

    def lookups(self, text: str) -> tuple[str, ...]:
        low = self.plain(text)
        found: list[str] = []
        for base in self.bases(low):
            found.append(base)
            found += [stem for stem in self.stems(base) if len(stem) >= SHORTEST]
        return tuple(dict.fromkeys(found))

    def bases(self, low: str) -> list[str]:
        """The word itself, then without each run of prefixes it can begin with."""
        found = [low]
        match = self.prefixes.match(low)
        if match:
            found += [low[i:] for i in range(1, match.end() + 1) if len(low) - i >= SHORTEST]
        return found

    @abstractmethod
    def stems(self, base: str) -> list[str]:
        """Singular forms without suffixes that this form may come from."""

    @abstractmethod
    def feminine(self, low: str) -> bool:
        """True when the ending is feminine."""

    def guess(self, text: str) -> Noun:
        return Noun(cells("f" if self.feminine(self.plain(text)) else "m"), Kind.GUESS)

    def function_word(self, low: str) -> bool:
        return low in self._functions or low in self._pronouns
