"""What Hebrew and Arabic share: words carry their article, prepositions and conjunctions as prefixes.

Gender stands in the noun's ending; there is no article that shows it. Spelling without vowels leaves some nouns open
(Hebrew "המנקה"), and then only a verb whose subject they are can tell.
"""

import re
from abc import abstractmethod

from evenhand.grammar.base import LONGEST, Language, fold
from evenhand.grammar.protocol import Kind, Noun, cells
from evenhand.tsv import words


class Semitic(Language):
    """Strips prefixes and endings for the lookup and reads the gender from the ending."""

    family = "semitic"
    has_articles = False
    shortest_stem = 2
    adjectives_follow = True  # so that the first word of a form of several words is its head: פקידת הקבלה
    word: str  # a word of this script
    prefixes: re.Pattern[str]
    marks: re.Pattern[str]  # vowel points and other marks that are not looked up
    alike: dict[int, str]  # letters that are written one for the other

    def __init__(self) -> None:
        super().__init__()
        self.pattern = re.compile(rf"{self.word}|[\w'’-]+|(?<![\u05d0-\u05ea])[-־]|[^\w\s\-־]")
        self._not_feminine = words(self.folder / "not_feminine.tsv")

    def plain(self, text: str) -> str:
        """Without vowel points, with letters that vary in spelling made one."""
        return self.marks.sub("", fold(text)).translate(self.alike) if len(text) <= LONGEST else text

    def bases(self, low: str) -> list[str]:
        """The word itself, then without each run of prefixes it can begin with."""
        match = self.prefixes.match(low)
        cuts = range(1, match.end() + 1) if match else ()
        return [low, *(low[i:] for i in cuts if len(low) - i >= self.shortest_stem)]

    @abstractmethod
    def feminine(self, low: str) -> bool:
        """True when the ending is feminine."""

    def guess(self, text: str) -> Noun:
        return Noun(cells("f" if self.feminine(self.plain(text)) else "m"), Kind.GUESS)

    def function_word(self, low: str) -> bool:
        return low in self._functions or low in self._pronouns
