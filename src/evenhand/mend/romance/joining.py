"""Puts changed words back: articles by the sound that follows, contractions, capitals; all else byte by byte."""

from collections.abc import Mapping
from typing import NamedTuple

from evenhand.grammar.families.romance_forms import GenderForms
from evenhand.grammar.protocol import Token
from evenhand.mend.rewriting import Rewritten, cased, replaced

APOSTROPHES = ("'", "’")


class Joining(NamedTuple):
    """One rendering and the gender that its changed words have (`side`: masculine, feminine)."""

    forms: GenderForms
    rendering: str
    tokens: list[Token]
    side: str

    def joined(self, words: Mapping[int, str], articles: Mapping[int, Mapping[str, str]]) -> Rewritten:
        """The sentence with these words in place, the articles by their rows, and the pairs of words changed."""
        pieces: list[tuple[int, int, str]] = []
        for i in sorted({*words, *articles}):
            start, end, new = self.tokens[i].start, self.tokens[i].end, words.get(i, "")
            if i in articles:
                start, end, new = self._article(i, articles[i], self._after(i, words, articles))
            else:
                merged = self.forms.contractions.get(("pronoun", self.tokens[i - 1].low, new)) if i else None
                if merged and not self.rendering[self.tokens[i - 1].end : start].strip():
                    start, new = self.tokens[i - 1].start, merged
                elif i and not {i - 1} & {*words, *articles}:
                    start, new = self._after_of(self.tokens[i - 1], start, new)
            pieces.append((start, end, cased(self.rendering[start:end], new)))
        return replaced(self.rendering, pieces)

    def _after_of(self, before: Token, start: int, new: str) -> tuple[int, str]:
        """un groupe d'hommes, de femmes: of before a word that begins otherwise than the one it replaces."""
        if not self.forms.language.elides_of or not new or self.rendering[before.end : start].strip():
            return start, new
        vowel = self.forms.language.begins_with_vowel(new)
        if before.low == "d'" and not vowel:
            return before.start, f"de {new}"
        if before.low == "de" and vowel and start > before.end:
            return before.start, f"d'{new}"
        return start, new

    def _after(self, i: int, words: Mapping[int, str], articles: Mapping[int, Mapping[str, str]]) -> str:
        """The word that will follow this one, where no placeholder does."""
        if i + 1 < len(self.tokens) and "%" in self.rendering[self.tokens[i].end : self.tokens[i + 1].start]:
            return ""
        if i + 1 in articles:
            return self.form(articles[i + 1], "")
        return words.get(i + 1) or (self.tokens[i + 1].low if i + 1 < len(self.tokens) else "")

    def _article(self, i: int, row: Mapping[str, str], after: str) -> tuple[int, int, str]:
        """Where the article goes and what it is there: with a blank or not, in one word with a preposition or two."""
        start, end, new = self.tokens[i].start, self.tokens[i].end, self.form(row, after)
        elided = self.tokens[i].text.endswith(APOSTROPHES)
        if elided and not new.endswith("'"):
            new += "" if self.rendering[end : end + 1].isspace() else " "
        elif new.endswith("'"):
            new = new[:-1] + self.tokens[i].text[-1] if elided else new
            while not elided and self.rendering[end : end + 1].isspace():
                end += 1
        before = self.tokens[i - 1] if i else None
        merged = self.forms.contractions.get(("article", before.low, new)) if before else None
        if before and merged and self.rendering[before.end : start].isspace():
            return before.start, end, merged
        return start, end, new

    def form(self, row: Mapping[str, str], after: str) -> str:
        """The article before the word that follows it."""
        return self.forms.language.article_form(row, self.side, after)
