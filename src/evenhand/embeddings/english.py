"""What can be measured of English: its nouns have one form, so that no pair of forms can be compared.

WEAT (Caliskan et al. 2017) of pairs of word sets with male and female words; the association s of occupations; the
direct bias of occupations, mean |cos(w, d_PCA)| (Bolukbasi et al. 2016, with c = 1). 0 is even in each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evenhand.embeddings.association import Weat, associations, attribute_rows, weat
from evenhand.embeddings.grammar import Array
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, mean_interval, wilson

FEWEST = 2  # words of a target set with a vector; one has no spread


@dataclass(frozen=True)
class Occupations:
    """Occupations with one form: (word, s, cosine with d_PCA) each; both positive towards the male words."""

    words: tuple[tuple[str, float, float], ...]
    association: Interval
    nearer_male: Interval
    direct_bias: Interval


@dataclass(frozen=True)
class English:
    """WEAT by the name of its two sets, and the occupations (None where fewer than two have vectors)."""

    tests: tuple[tuple[str, Weat], ...]
    occupations: Occupations | None


def measure_english(
    vectors: Vectors,
    lists: WordLists,
    direction: Array,
    *,
    permutations: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
    tell: Callable[[str], None] = lambda note: None,
) -> English:
    """Every test whose two sets have vectors; `tell` hears of those that cannot be made. Tests are two-sided."""
    tests: list[tuple[str, Weat]] = []
    for test in lists.targets:
        covered = [sum(word in vectors for word in words) for words in (test.x, test.y)]
        if min(covered) < FEWEST:
            tell(f"{test.name}: no WEAT, {covered[0]} and {covered[1]} words of the two sets have vectors")
            continue
        tested = weat(
            vectors,
            test.x,
            test.y,
            lists.male,
            lists.female,
            permutations=permutations,
            seed=seed,
            level=level,
            alternative="two-sided",
        )
        tests.append((test.name, tested))
    try:
        measured = measure_occupations(vectors, lists, direction, level=level)
    except BadInput as error:
        tell(str(error))
        measured = None
    return English(tuple(tests), measured)


def measure_occupations(vectors: Vectors, lists: WordLists, direction: Array, *, level: float = LEVEL) -> Occupations:
    """Occupations that have a vector; fewer than two are an error."""
    male, female = attribute_rows(vectors, lists.male, lists.female)
    held = vectors.need(lists.titles, "occupations")
    if len(held.rows) < 2:
        raise BadInput(f"{vectors.name}: {len(held.rows)} of {len(lists.titles)} occupations have vectors, 2 needed")
    s = associations(vectors, held.rows, male, female)
    along = vectors.unit[held.rows].astype(np.float64) @ (direction / np.linalg.norm(direction))
    return Occupations(
        tuple(zip(held.words, s.tolist(), along.tolist(), strict=True)),
        mean_interval(s, level=level),
        wilson(int(np.sum(s > 0)), len(s), level),
        mean_interval(np.abs(along), level=level),
    )
