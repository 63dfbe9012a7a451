"""English words with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

_TOKEN = re.compile(
    r"['’](?:s|re|ve|ll|d|m)\b"  # a clitic that stands alone, as in text that was tokenised before
    r"|(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Hon|Capt|Gen|Col|Lt|Sgt|Gov|Sen|Rep)\.(?=\s)"
    r"|[^\W\d_]+(?:[-'’][^\W\d_]+)*['’]?(?<=[^\W\d_])"
    r"|\d[\d.,:]*|\.\.\.|[^\w\s]|_"
)
_CLITIC = re.compile(r"(?<=.)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)


class Piece(NamedTuple):
    """A word or sign of an English sentence; offsets are code points, the end exclusive. `low`: as it is looked up."""

    text: str
    start: int
    end: int
    low: str

    @staticmethod
    def of(text: str, start: int) -> Piece:
        low = text.lower() if text.isascii() else text.lower().replace("’", "'")
        return tuple.__new__(Piece, (text, start, start + len(text), low))  # three times as fast as the constructor


def tokens(text: str) -> list[Piece]:
    """Words and signs in order; clitics ('s, n't, 're) are tokens of their own, hyphenated words are one."""
    cut_up, of = [], Piece.of
    for match in _TOKEN.finditer(text):
        word, start = match[0], match.start()
        clitic = _CLITIC.search(word) if len(word) > 2 and ("'" in word or "’" in word) else None
        if clitic and clitic.start():
            cut = clitic.start()
            cut_up.append(of(word[:cut], start))
            cut_up.append(of(word[cut:], start + cut))
        else:
            cut_up.append(of(word, start))
    return cut_up


_LOOKING = re.compile(r"\(\?<?[=!](?:[^()]|\([^()]*\))*\)")  # what Polars' expressions do not know


class Expressions:
    """Regular expressions (case does not matter) that few texts match: columns say quickly which may."""

    def __init__(self, patterns: Iterable[str]) -> None:
        joined = "|".join(f"({pattern})" for pattern in patterns)
        self._pattern, self._anywhere = re.compile(joined, re.IGNORECASE), "(?i)" + _LOOKING.sub("", joined)

    def find_all(self, texts: Sequence[str]) -> list[list[re.Match[str]]]:
        """The matches in each text; `lastindex` is the number of the pattern, from 1."""
        maybe = pl.Series(texts, dtype=pl.String).str.contains(self._anywhere)
        return [list(self._pattern.finditer(text)) if has else [] for text, has in zip(texts, maybe, strict=True)]
