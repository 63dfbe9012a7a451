"""The gender directions of Zhou et al. 2019, section 2.

d_PCA, the semantic direction: first principal component of the definition pairs. d_g, the grammatical one: what
separates masculine from feminine nouns (LDA by default); with three or more classes it is a subspace. d_s: d_PCA with
the grammatical part taken out. Every semantic direction points to the masculine side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from evenhand.embeddings.grammar import (
    Array,
    ClassifierAccuracy,
    ClassifierKind,
    ClassNumbers,
    cross_validate,
    fit,
    stratified_folds,
)
from evenhand.embeddings.vectors import Vectors
from evenhand.errors import BadInput
from evenhand.level import LEVEL, tails
from evenhand.statistics.intervals import Interval

FEWEST_NOUNS = 50  # of each class; below, a "direction" would be noise
MOST_NOUNS = 3_000  # of each class, the most frequent: as many as the paper's
GROUPS = 20


@dataclass(frozen=True)
class Semantic:
    """d_PCA, unit length, masculine positive. `explained` is the share of variance of each component (first = ours)."""

    direction: Array
    explained: tuple[float, ...]
    pairs: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Grammatical:
    """d_g: orthonormal rows, one for two classes (masculine positive), classes - 1 in general."""

    basis: Array
    accuracy: ClassifierAccuracy
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    kind: ClassifierKind


@dataclass(frozen=True)
class Directions:
    """The three directions. `grammatical` is None where there are too few nouns; `why` says so and d_s = d_PCA then."""

    semantic: Semantic
    grammatical: Grammatical | None
    why: str = ""
    cosine_interval: Interval | None = None  # where it was asked for

    @property
    def orthogonal(self) -> Array:
        """d_s = d_PCA - <d_PCA, d_g> d_g, not rescaled (as in the paper)."""
        d = self.semantic.direction
        if self.grammatical is None:
            return d
        rest: Array = d - self.grammatical.basis.T @ (self.grammatical.basis @ d)
        if np.linalg.norm(rest) < 1e-6:
            raise BadInput("the semantic direction lies inside the grammatical one: nothing is left of it")
        return rest

    @property
    def cosine(self) -> float:
        """cos(d_PCA, d_g): signed for two classes; for more, the cosine of the angle to their subspace. NaN without."""
        if self.grammatical is None:
            return float("nan")
        inside = self.grammatical.basis @ self.semantic.direction
        return float(inside[0]) if len(inside) == 1 else float(np.linalg.norm(inside))


def pair_differences(vectors: Vectors, pairs: Iterable[tuple[str, str]]) -> tuple[Array, tuple[str, ...]]:
    """Masculine minus feminine, on unit vectors, for (feminine, masculine) pairs; and the pairs without vectors."""
    rows, missing = [], []
    for feminine, masculine in pairs:
        found = vectors.pair(feminine, masculine)
        if found is None:
            missing.append(f"{feminine}/{masculine}")
        else:
            f, m = found
            rows.append(vectors.unit[m].astype(np.float64) - vectors.unit[f])
    return np.array(rows).reshape(len(rows), vectors.dim), tuple(missing)


def semantic_direction(*sides: tuple[Vectors, Iterable[tuple[str, str]]]) -> Semantic:
    """First principal component of the definition pairs of one or several languages in one space.

    Each pair is centred on its own middle (Bolukbasi et al. 2016), so a pair contributes plus and minus half its
    difference and the data has mean zero.
    """
    parts = [pair_differences(vectors, pairs) for vectors, pairs in sides]
    differences = np.concatenate([rows for rows, _ in parts])
    missing = tuple(name for _, names in parts for name in names)
    if len(differences) < 2:
        raise BadInput(
            f"{len(differences)} definition pairs have vectors, at least 2 needed "
            f"(missing: {', '.join(missing[:4])}). Lists and vectors of the same language?"
        )
    _, sizes, axes = np.linalg.svd(differences / 2, full_matrices=False)
    direction: Array = axes[0] * (1.0 if np.sum(differences @ axes[0]) >= 0 else -1.0)
    return Semantic(direction, tuple(float(s) for s in sizes**2 / np.sum(sizes**2)), len(differences), missing)


def grammatical_direction(
    vectors: Vectors,
    nouns: Mapping[str, str],
    *,
    kind: ClassifierKind = "lda",
    folds: int = 5,
    most: int = MOST_NOUNS,
    seed: int = 0,
    level: float = LEVEL,
) -> Grammatical:
    """What separates the noun classes, with k-fold accuracy. At most `most` (the most frequent) nouns of each class.

    For masculine and feminine the direction points to masculine. Fewer than 50 covered nouns of a class is an error.
    """
    x, y, classes, counts = _nouns(vectors, nouns, most)
    accuracy = cross_validate(kind, x, y, classes, folds=folds, seed=seed, level=level)
    return Grammatical(fit(kind, x, y, classes).basis(), accuracy, classes, counts, kind)


def _nouns(
    vectors: Vectors, nouns: Mapping[str, str], most: int
) -> tuple[Array, ClassNumbers, tuple[str, ...], tuple[int, ...]]:
    """Unit vectors and classes of the nouns, the class names (masculine first) and how many nouns each has."""
    by_class: dict[str, list[int]] = {name: [] for name in dict.fromkeys(nouns.values())}
    for word, name in nouns.items():
        row = vectors.row(word)
        if row is not None:
            by_class[name].append(row)
    classes = sorted(by_class, key=lambda name: (name != "masculine", name))
    rows = [sorted(set(by_class[name]))[:most] for name in classes]
    counts = tuple(len(r) for r in rows)
    if len(classes) < 2 or min(counts) < FEWEST_NOUNS:
        told = ", ".join(f"{n} {name}" for n, name in zip(counts, classes, strict=True)) or "none"
        raise BadInput(
            f"{vectors.name}: too few nouns for a grammatical direction ({told} with vectors; "
            f"at least {FEWEST_NOUNS} of each class needed)"
        )
    x = vectors.unit[np.concatenate([np.array(r, dtype=np.intp) for r in rows])].astype(np.float64)
    y = np.repeat(np.arange(len(classes), dtype=np.intp), counts)
    return x, y, tuple(classes), counts


def gender_directions(
    vectors: Vectors,
    definitions: Iterable[tuple[str, str]],
    nouns: Mapping[str, str],
    *,
    english: Vectors | None = None,
    english_definitions: Iterable[tuple[str, str]] = (),
    kind: ClassifierKind = "lda",
    folds: int = 5,
    seed: int = 0,
    level: float = LEVEL,
    interval: bool = False,
) -> Directions:
    """All directions of a space; in the bilingual setting with the definition pairs of both languages together.

    Too few nouns for a grammatical direction is no failure: `why` says so, and d_s is then d_PCA itself. `interval`
    adds one for cos(d_PCA, d_g).
    """
    sides = [(vectors, tuple(definitions))]
    if english is not None:
        sides.append((english, tuple(english_definitions)))
    semantic = semantic_direction(*sides)
    try:
        grammatical = grammatical_direction(vectors, nouns, kind=kind, folds=folds, seed=seed, level=level)
    except BadInput as error:
        return Directions(semantic, None, str(error))
    found = Directions(semantic, grammatical)
    if interval:
        differences = np.concatenate([pair_differences(*side)[0] for side in sides])
        x, y, classes, _ = _nouns(vectors, nouns, MOST_NOUNS)
        found = replace(
            found,
            cosine_interval=_jackknife(found.cosine, differences, x, y, classes, kind=kind, seed=seed, level=level),
        )
    return found


def _jackknife(
    cosine: float,
    differences: Array,
    x: Array,
    y: ClassNumbers,
    classes: tuple[str, ...],
    *,
    kind: ClassifierKind,
    seed: int,
    level: float,
) -> Interval:
    """Interval of cos(d_PCA, d_g) by leaving out one of twenty groups of definition pairs and nouns at a time.

    Student's t with 19 degrees, on Fisher's z, so that it stays within -1 and 1. (A bootstrap repeats nouns, which
    distorts a discriminant with few nouns a dimension.)
    """
    groups = GROUPS
    rng = np.random.default_rng(seed)
    of_pair = rng.permutation(np.arange(len(differences)) % groups)
    of_noun = stratified_folds(y, groups, seed)
    values = []
    for group in range(groups):
        _, _, axes = np.linalg.svd(differences[of_pair != group], full_matrices=False)
        d = axes[0] * (1.0 if np.sum(differences @ axes[0]) >= 0 else -1.0)
        inside = fit(kind, x[of_noun != group], y[of_noun != group], classes).basis() @ d
        values.append(float(inside[0]) if len(inside) == 1 else float(np.linalg.norm(inside)))
    error = np.sqrt((groups - 1) * np.var(np.arctanh(values)))
    half = stats.t.ppf(tails(level)[1], groups - 1) * error
    low, high = (float(np.tanh(np.arctanh(cosine) + side * half)) for side in (-1, 1))
    n = len(differences) + len(x)
    return Interval(cosine, low, high, n, f"jackknife, {groups} groups of pairs and nouns, seed {seed}")
