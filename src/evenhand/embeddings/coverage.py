"""The classic mistake: word lists of one language on vectors of another.

Frequent small words tell a vocabulary's language, because published vector files are sorted by frequency: large English
vectors hold thousands of Spanish words, but not `pero` among the first 2,000.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists, function_words
from evenhand.errors import BadInput

FREQUENT = 2_000
LEAST, DOUBTFUL = 0.1, 0.5  # shares of a list with vectors: below, an error; below, a warning
TELLING = 0.5  # share of a language's function words that must be frequent to recognise it


@dataclass(frozen=True)
class Coverage:
    """How many words of a list have a vector."""

    name: str
    found: int
    asked: int
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.found / self.asked if self.asked else 0.0


def recognised_language(vectors: Vectors) -> str | None:
    """The language of the vocabulary, or None when it is too small or none of ours."""
    frequent = {word.casefold() for word in vectors.words[:FREQUENT]}
    shares = {lang: sum(w in frequent for w in words) / len(words) for lang, words in function_words().items()}
    best = max(shares, key=lambda lang: shares[lang])
    others = max(share for lang, share in shares.items() if lang != best)
    return best if shares[best] >= TELLING and shares[best] - others >= 0.2 else None


def check_language(vectors: Vectors, language: str) -> list[str]:
    """Refuse vectors that are clearly in another language; warn when the language cannot be told."""
    found = recognised_language(vectors)
    if found == language:
        return []
    if found is None:
        return [f"{vectors.name}: too few small words to confirm that these are {language} vectors"]
    if language not in function_words():
        return [f"{vectors.name}: the vocabulary looks like {found}; no small words are known for {language}"]
    raise BadInput(
        f"{vectors.name}: the vocabulary is {found}, the word lists are {language}. "
        f"Give {language} vectors, or --language {found} (--any-language overrides)."
    )


def coverage(vectors: Vectors, lists: WordLists, english: Vectors | None = None) -> list[Coverage]:
    """Coverage of each list; pairs count when both forms have a vector of their own."""
    both = [(p.masculine, p.feminine) for p in lists.occupations]
    report = [
        _pairs("definition pairs", vectors, lists.definitions),
        _pairs("occupations (both forms)", vectors, both),
        _words("male attribute words", vectors, lists.male),
        _words("female attribute words", vectors, lists.female),
        _words("nouns with a gender", vectors, lists.nouns),
        _words("inanimate nouns", vectors, lists.inanimate),
        _words("occupations", vectors, lists.titles),
        *(_words(test.name, vectors, test.x + test.y) for test in lists.targets),
    ]
    if english is not None:
        named = [p.english for p in lists.occupations if p.english]
        report.append(_pairs("English definition pairs", english, lists.english_definitions))
        report.append(_words("English occupations", english, dict.fromkeys(named)))
    return [entry for entry in report if entry.asked]


def check_coverage(report: list[Coverage]) -> list[str]:
    """Refuse when hardly a definition pair is covered; warn about every list less than half covered."""
    for entry in report:
        if "definition" in entry.name and (entry.share < LEAST or entry.found < 2):
            raise BadInput(
                f"{entry.found} of {entry.asked} {entry.name} have vectors (missing: {', '.join(entry.missing[:4])}): "
                "lists and vectors do not fit. Same language? Same case (--case ignore)?"
            )
    few = (entry for entry in report if entry.share < DOUBTFUL)
    return [f"only {entry.found} of {entry.asked} {entry.name} have vectors" for entry in few]


def _pairs(name: str, vectors: Vectors, pairs: Iterable[tuple[str, str]]) -> Coverage:
    return _coverage(name, [("/".join(pair), vectors.pair(*pair) is not None) for pair in pairs])


def _words(name: str, vectors: Vectors, words: Iterable[str]) -> Coverage:
    return _coverage(name, [(word, word in vectors) for word in words])


def _coverage(name: str, listed: list[tuple[str, bool]]) -> Coverage:
    missing = tuple(word for word, found in listed if not found)
    return Coverage(name, len(listed) - len(missing), len(listed), missing)
