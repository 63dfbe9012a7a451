"""What a source is compared by: its words, its names, its size."""

from __future__ import annotations

from typing import NamedTuple

from evenhand.detect.validity import phrases, shape
from evenhand.detect.validity.tongues import RARE, WORD, table

NO_NAME = 5.9  # Zipf frequency from which a word that opens the source is no name
SHOUTED = 0.8  # share of words with a capital from which none of them tells a name ...
SHORT = 5  # ... in a text of more words than this


class Source(NamedTuple):
    """A source as the check reads it; `words` in lower case."""

    text: str
    words: list[str]
    known: frozenset[str]  # words it may come back with: its own, and the same without their accents
    letters: int
    size: int  # in words; of a language without blanks, half its letters
    names: frozenset[str]  # words with a capital that are taken for names, in lower case


def read_source(text: str, language: str) -> Source:
    """The source's words and names. A capital at the beginning makes a name only of a word that is not frequent in the
    language (Tom, not The); in a text of capitals none does."""
    spelt = WORD.findall(text)
    words = [word.lower() for word in spelt]
    listed = table(language)
    capitals = [word for word in spelt[1:] if word[:1].isupper()]
    if listed and words and listed.get(words[0], RARE) < NO_NAME:
        capitals += spelt[:1]
    shouted = len(capitals) > SHOUTED * len(spelt) and len(spelt) > SHORT
    names = frozenset(() if shouted else (word.lower() for word in capitals))
    known = frozenset([*words, *map(shape.bare, words)])
    return Source(text, words, known, sum(map(len, words)), phrases.size_of(text, language), names)
