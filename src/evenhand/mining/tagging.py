"""Parts of speech of English words, without a download: HanTa's English model (tags of the BNC, C5)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, cast

from evenhand.errors import require


class _HanTa(Protocol):
    _tag_word: Callable[..., list[tuple[int, float]]]

    def tag_sent(self, sent: list[str], taglevel: int = 1, casesensitive: bool = True) -> list[str]: ...


class Tagger:
    """HanTa (Wartena 2019) with its word analyses remembered. NN* nouns, NP0 names, AJ0 adjectives, VV* full verbs."""

    def __init__(self) -> None:
        module = require("HanTa.HanoverTagger", purpose="finding person nouns", extra="mining")
        self._tagger = cast("_HanTa", module.HanoverTagger("morphmodel_en.pgz"))
        # Analysing a word letter by letter is most of the work, and words repeat.
        self._tagger._tag_word = lru_cache(maxsize=50_000)(self._tagger._tag_word)
        self.fingerprint = f"HanTa-{getattr(module, '__version__', 'en')}"

    def tag(self, words: list[str]) -> list[str]:
        """One tag a word; UNC for all where the model finds no reading of the sentence."""
        if not words:
            return []
        try:
            return self._tagger.tag_sent(words, taglevel=0)
        except (KeyError, IndexError, ValueError):
            return ["UNC"] * len(words)


def is_noun(tag: str) -> bool:
    return tag.startswith("NN")


def is_adjective(tag: str) -> bool:
    return tag.startswith("AJ")


def is_full_verb(tag: str) -> bool:
    return tag.startswith("VV")
