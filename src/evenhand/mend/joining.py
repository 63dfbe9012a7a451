"""Putting the changed words back: articles by the sound that follows, contractions, capitals; all else byte by byte."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.protocol import Token
from evenhand.mend.partners import SIDES
from evenhand.mend.rewriting import Rewritten, cased, replaced
from evenhand.mend.roles import TABLES
from evenhand.tsv import words as listed

VOWELS = frozenset("aeiouyœæ")
GLIDE = re.compile(r"[iu][aeoàèéòó]")
IMPURE = re.compile(r"s[^aeiou]|z|gn|ps|pn|x|y|i[aeou]")
MERGED = {
    "es": {("de", "el"): "del", ("a", "el"): "al"},
    "fr": {("de", "le"): "du", ("à", "le"): "au"},
    "ca": {
        **{(word, "el"): merged for word, merged in (("de", "del"), ("a", "al"), ("per", "pel"))},
        **{(word, "els"): merged for word, merged in (("de", "dels"), ("a", "als"), ("per", "pels"))},
    },
}
MERGED_WORDS = {
    ("à", "lequel"): "auquel",
    ("de", "lequel"): "duquel",
    ("de", "elle"): "d'elle",
    ("d'", "lui"): "de lui",
}
STRESSED_A = frozenset({"ama", "aya", "águila", "alma", "hada"})  # el ama de llaves
APOSTROPHES = ("'", "’")


@cache
def aspirated() -> frozenset[str]:
    """French words before which nothing is elided: le héros, but l'héroïne."""
    return listed(TABLES / "french" / "aspirated.tsv")


class Joining(NamedTuple):
    """One rendering and the gender that its changed words have."""

    code: str
    rendering: str
    tokens: list[Token]
    wanted: Gender

    def joined(self, words: Mapping[int, str], articles: Mapping[int, Mapping[str, str]]) -> Rewritten:
        """The sentence with these words in place, the articles by their rows, and the pairs of words changed."""
        pieces: list[tuple[int, int, str]] = []
        for i in sorted({*words, *articles}):
            start, end, new = self.tokens[i].start, self.tokens[i].end, words.get(i, "")
            if i in articles:
                start, end, new = self._article(i, articles[i], self._after(i, words, articles))
            merged = MERGED_WORDS.get((self.tokens[i - 1].low, new)) if i else None
            if merged and not self.rendering[self.tokens[i - 1].end : start].strip():
                start, new = self.tokens[i - 1].start, merged
            elif i and i in words and not {i - 1} & {*words, *articles}:
                start, new = self._after_of(self.tokens[i - 1], start, new)
            new = cased(self.rendering[start:end], new)
            pieces.append((start, end, new))
        return replaced(self.rendering, pieces)

    def _after_of(self, before: Token, start: int, new: str) -> tuple[int, str]:
        """un groupe d'hommes, de femmes: of before a word that begins otherwise than the one it replaces."""
        if self.code not in {"ca", "fr"} or not new or self.rendering[before.end : start].strip():
            return start, new
        vowel = self._vowel(new)
        if before.low in {"d'", "d’"} and not vowel:
            return before.start, f"de {new}"
        if before.low == "de" and vowel and start > before.end:
            return before.start, f"d'{new}"
        return start, new

    def _vowel(self, word: str) -> bool:
        """Begins with a vowel, or with an h that is not heard."""
        plain = unicodedata.normalize("NFD", word)
        mute = plain[:1] == "h" and (self.code == "ca" or word not in aspirated())
        return plain[:1] in VOWELS - {"y"} or mute

    def _after(self, i: int, words: Mapping[int, str], articles: Mapping[int, Mapping[str, str]]) -> str:
        """The word that will stand after this one."""
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
        merged = MERGED.get(self.code, {}).get((before.low, new)) if before else None
        if before and merged and self.rendering[before.end : start].isspace():
            return before.start, end, merged
        return start, end, new

    def form(self, row: Mapping[str, str], after: str) -> str:
        """The article before the word that follows it."""
        side = SIDES[self.wanted]
        if self.code == "es":
            return (row.get(f"{side}_a") if after in STRESSED_A else "") or row[side]
        if self.code == "ca":
            return row[side] if not row[f"{side}_vowel"] or self._full(after) else row[f"{side}_vowel"]
        plain = unicodedata.normalize("NFD", after.removesuffix("'"))
        impure = row.get(f"{side}_impure")
        if impure and IMPURE.match(plain):
            return impure
        vowel = row.get(f"{side}_vowel")
        mute = self.code == "fr" and plain[:1] == "h" and after not in aspirated()
        return vowel if vowel and (plain[:1] in VOWELS or mute) else row[side]

    def _full(self, after: str) -> bool:
        """Catalan: before a consonant, before i or u and a vowel (el iogui), and the feminine before an unstressed i or
        u (la infermera, but l'única): an accent shows the stress."""
        sound = after.removeprefix("h")
        if unicodedata.normalize("NFD", sound)[:1] not in VOWELS - {"y"} or GLIDE.match(sound):
            return True
        return self.wanted is Gender.FEMALE and sound[:1] in {"i", "u"}
