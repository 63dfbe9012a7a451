"""Which target word renders a source word: a stored translation table, likeness of spelling, position.

The evidence for one pair of words is a *strength* in [0, 1]. The focus takes the target word where it is strong and no
other source word is stronger. Nothing is learnt from the rows at hand, so a verdict never depends on other rows.
"""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect.english import Word, is_plural, singular
from evenhand.detect.forms import Column, Forms
from evenhand.detect.languages.base import LONGEST
from evenhand.detect.languages.protocol import PLURAL, SINGULAR, Kind, Language, Token
from evenhand.detect.tables import HERE

# Languages without a table of their own lean on the spelling of related ones (amigo, amico, amigo).
RELATED = {
    "ukrainian": ("russian",),
    "italian": ("spanish", "french"),
    "portuguese": ("spanish",),
    "catalan": ("spanish", "french"),
}
TAKEN = 0.4  # strength from which another source word has a claim
NOTHING = 1e-3  # strength of a pair about which nothing is known
LIKE_A_PERSON = {Kind.SEXED: 1.0, Kind.COMMON: 0.8, Kind.FIXED: 0.4, Kind.GUESS: 0.6}
PERSON_WORDS = frozenset(
    {"people", "person", "persons", "ones", "one", "man", "men", "woman", "women", "folks", "party"}
)
WINDOW = 100  # source words that compete for a target word, and a fifth of the target words looked at, each side
TENSION = 3.0  # how fast position counts against a pair; fast_align's default is 4


# Cyrillic and Greek letters by sound, spelt as `plain` leaves an English word.
LATIN = str.maketrans(
    dict(zip("абвгґдеєжзиіклмнопрстуфхцыэ", "abvggdeejsiiklmnoprstufhkie", strict=True))
    | dict(zip("αβγδεζηθικλμνξοπρσςτυφχω", "avgdesitiklmnxoprsstifho", strict=True))
    | {"ч": "kh", "ш": "sh", "щ": "sh", "ъ": "", "ь": "", "ю": "iu", "я": "ia", "ψ": "ps"}
)


def read_priors(path: Path) -> dict[str, dict[str, float]]:
    """source -> target -> score; an absent file is an empty table."""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    if path.exists():
        frame = pl.read_parquet(path)
        for source, target, score in zip(
            frame["source"].to_list(), frame["target"].to_list(), frame["score"].to_list(), strict=True
        ):
            table[source][target] = score
    return table


@lru_cache(maxsize=200_000)
def plain(word: str) -> str:
    """Letters without accents, and a few spellings made alike, so that cognates can be compared."""
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    if bare[:1] > "\u0370":
        bare = bare.replace("дж", "j").translate(LATIN)
    for old, new in (
        ("ph", "f"),
        ("th", "t"),
        ("ck", "k"),
        ("c", "k"),
        ("qu", "k"),
        ("y", "i"),
        ("ß", "ss"),
        ("z", "s"),
    ):
        bare = bare.replace(old, new)
    return bare


@lru_cache(maxsize=200_000)
def likeness(one: str, other: str) -> float:
    """Similarity of spelling in [0, 1]; beginnings count more than ends, because ends inflect."""
    a, b = plain(one), plain(other)
    if min(len(a), len(b)) < 3:
        return 1.0 if a == b else 0.0
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        same += 1
    start = same / min(len(a), len(b))
    if start < 0.3 and a[0] != b[0]:
        return 0.0
    return 0.5 * start + 0.5 * SequenceMatcher(None, a, b, autojunk=False).ratio()


class Link(NamedTuple):
    """Where the focus is rendered, how sure that is against the next best word, and on what evidence."""

    at: int
    certainty: float  # in [0, 1]
    strength: float  # of the pair of words; NOTHING when the word was only left over
    taken: bool  # another source word has a claim on it


class Aligner:
    """Strengths for one language pair. `files` are what the verdicts depend on (for the fingerprint)."""

    def __init__(self, language: Language, forms: Forms) -> None:
        self.language, self.forms = language, forms
        own = HERE / "priors" / f"{language.name}.parquet"
        related = [HERE / "priors" / f"{name}.parquet" for name in RELATED.get(language.name, ())]
        self.files = [path for path in (own, *related) if path.exists()]
        self.table = read_priors(own)
        self.related = [read_priors(path) for path in related]
        self.strength = lru_cache(maxsize=400_000)(self._strength)

    def best(
        self, words: list[Word], focus: range, head: int, tokens: list[Token], *, among: frozenset[int] | None = None
    ) -> Link | None:
        """The token that renders the focus; None when no token can be it. With `among` only those are looked at."""
        language, strength = self.language, self.strength
        low = words[head].low
        # Words before the head inside its noun phrase: in Romance they follow the noun ("engenheiro de software").
        parts = [word.low for word in words[max(0, head - 2, focus.start - 2) : head] if len(word.low) > 3]
        apart = language.modifiers_follow
        others = [
            (i, word.low)
            for i, word in enumerate(words[max(0, head - WINDOW) : head + WINDOW], start=max(0, head - WINDOW))
            if i != head and (apart or i not in focus) and len(word.low) > 2 and word.low.isalpha()
        ]
        number = PLURAL if is_plural(low) else SINGULAR
        scores: list[tuple[float, int, float, float]] = []
        length, size = max(len(words), 1), max(len(tokens), 1)
        middle = int(size * head / length)
        for j in range(max(0, middle - 5 * WINDOW), min(size, middle + 5 * WINDOW)) if among is None else sorted(among):
            token = tokens[j]
            if len(token.low) > LONGEST or not token.low[0].isalpha() or language.function_word(token.low):
                continue
            mine = strength(low, token.text)
            if parts and language.nouns_capitalised and len(focus) > 1:
                # "drug dealer": a compound may be rendered by one word (Drogenhändler), so its parts help a little.
                mine = max(mine, 0.2 * max(strength(part, token.text) for part in parts))
            elif low in PERSON_WORDS and parts:
                mine = max(mine, 0.6 * strength(parts[-1], token.text))  # young people: los jóvenes
            elif parts and apart and mine < 0.3:
                mine = max(mine, 0.3 * self._followed(tokens, j, parts))
            here = mine * math.exp(-TENSION * abs(head / length - j / size)) * self._noun_likeness(tokens, j, number)
            rival = 0.0
            for i, other in others:
                there = strength(other, token.text)
                if there > 0.02:
                    rival = max(rival, there * math.exp(-TENSION * abs(i / length - j / size)))
            scores.append((here * here / (here + rival + NOTHING), j, rival, mine))
        if not scores:
            return None
        scores.sort(reverse=True)
        top, at, rival, mine = scores[0]
        runner = scores[1][0] if len(scores) > 1 else 0.0
        certainty = top / (top + runner + NOTHING / 10)
        return Link(at, certainty, mine, rival > TAKEN)

    def _followed(self, tokens: list[Token], j: int, parts: list[str]) -> float:
        """How surely the words after the token render words before the head: dealer + "drug" -> traficante de droga."""
        best = 0.0
        for k in (j + 1, j + 2, j + 3):
            if k < len(tokens) and not self.language.function_word(tokens[k].low):
                best = max(best, *(self.strength(part, tokens[k].text) for part in parts))
                break
        return best if best > 0.2 else 0.0

    def _noun_likeness(self, tokens: list[Token], j: int, number: int) -> float:
        """How much a token looks like a noun for a person in the right number; a factor, at most 1."""
        language, token = self.language, tokens[j]
        noun = language.noun(token.text)
        factor = 1.0 if noun.cells & number else 0.5
        if noun.kind is Kind.THING:
            factor *= 0.3
        elif not any(form in self.forms.known for form in language.lookups(token.text)):
            factor *= LIKE_A_PERSON[noun.kind]
        if language.nouns_capitalised:
            return factor * (1.0 if token.text[:1].isupper() else 0.1)
        if token.low.endswith("mente") or (language.verb(token.low) and token.low not in self.forms.known):
            factor *= 0.2
        before = tokens[j - 1].low if j else ""
        if language.perfect(before):
            return factor * 0.05  # "a demandé": a participle of a perfect tense
        further = tokens[j - 2].low if j > 1 else ""
        if language.determiner(before) or (language.modifier(before) and language.determiner(further)):
            return factor
        return factor * 0.6

    def _strength(self, source: str, text: str) -> float:
        """How likely this target form renders this source word."""
        lookups = self.language.lookups(text)
        low = lookups[0]
        single = singular(source)
        if "-" in source and single not in self.forms.concepts and single not in self.table:
            source = source.rsplit("-", 1)[1]  # mine-owner: owner
            single = singular(source)
        concept = self.forms.concept(source, single)
        if concept:
            for k, form in enumerate(lookups):
                columns = concept.single.get(form)
                if columns:
                    return (0.3 if columns == Column.OTHER else 0.95) - (0.05 if k else 0.0)
        best = NOTHING
        known: dict[str, float] = {}
        for name in (source, single) if single != source else (source,):
            for target, score in self.table.get(name, {}).items():
                known[target] = max(score, known.get(target, 0.0))
        if known:
            for form in lookups:
                best = max(best, known.get(form, 0.0))
            if best < 0.2:
                for target, score in known.items():
                    if len(target) >= 4 and score > 0.02:
                        best = max(best, 0.6 * math.sqrt(score) * self._variant(target, low))
        if concept and best < 0.6:
            for form in concept.single:
                if len(form) >= 4:
                    best = max(best, 0.8 * self._variant(form, low))
        for table in self.related:
            for name in {source, single}:
                for target, score in table.get(name, {}).items():
                    if score > 0.03 and len(target) >= 4:
                        like = likeness(target, low)
                        if like > 0.6:
                            best = max(best, math.sqrt(score) * (like - 0.35))
        if low in {source, single}:
            return max(best, 0.7)
        if len(single) >= 4 and best < 0.5:
            like = likeness(single, low)
            if like > 0.55:
                best = max(best, like - 0.4)
        return best

    def _variant(self, known: str, low: str) -> float:
        """1 when `low` is an inflected form or a compound of `known`, less when only much of it is alike, else 0."""
        if self.language.nouns_capitalised and low.endswith(known):
            return 1.0
        same = 0
        for x, y in zip(known, low, strict=False):
            if x != y:
                break
            same += 1
        if same >= 4 and same >= 0.7 * max(len(known), len(low)):
            return same / max(len(known), len(low))
        return 0.0
