"""What mitigation does not do: is the old lean still readable from the mitigated vectors?

Gonen & Goldberg (2019) take the words that leaned most to either side before mitigation and ask whether they still
cluster apart, and whether a classifier still tells them apart, afterwards. In a gendered language both would mostly
find grammatical gender. So here (1) the words are inanimate nouns, equally many of each lean within every grammatical
class, which makes the class useless as a clue, and (2) the grammatical subspace is projected out before looking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.cluster.vq import kmeans2

from evenhand.embeddings.directions import Directions
from evenhand.embeddings.grammar import Array, ClassNumbers, cross_validate
from evenhand.embeddings.vectors import Vectors
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, wilson

FEWEST = 10  # words of each lean


@dataclass(frozen=True)
class Residual:
    """Accuracy of telling the former lean, 0.5 when nothing is left. `cluster_by_chance` is what two clusters reach on
    shuffled labels on average (a best-of-two match is never below 0.5)."""

    cluster: Interval
    cluster_by_chance: float
    classifier: Interval
    words: int


@dataclass(frozen=True)
class LeanedWords:
    """Nouns chosen by their lean before mitigation: rows and labels (1 = masculine side)."""

    rows: ClassNumbers
    labels: ClassNumbers


def leaned_words(vectors: Vectors, nouns: Mapping[str, str], directions: Directions, *, most: int = 250) -> LeanedWords:
    """Within every grammatical class the nouns farthest to either side on d_s, equally many of each (at most `most`,
    and at most a third of the class, so that words near the middle are left out)."""
    d = directions.orthogonal
    by_class: dict[str, set[int]] = {}
    for word, name in nouns.items():
        row = vectors.row(word)
        if row is not None:
            by_class.setdefault(name, set()).add(row)
    take = min([most, *(len(rows) // 3 for rows in by_class.values())]) if by_class else 0
    if take * len(by_class) < FEWEST:
        raise BadInput(f"{vectors.name}: too few nouns with vectors to test what mitigation leaves behind")
    rows_out: list[int] = []
    labels: list[int] = []
    for rows in by_class.values():
        members = np.array(sorted(rows), dtype=np.intp)
        order = members[np.argsort(vectors.unit[members].astype(np.float64) @ d, kind="stable")]
        rows_out += [*order[:take].tolist(), *order[-take:].tolist()]
        labels += [0] * take + [1] * take
    return LeanedWords(np.array(rows_out, dtype=np.intp), np.array(labels, dtype=np.intp))


def residual(
    vectors: Vectors, leaned: LeanedWords, directions: Directions, *, seed: int = 0, level: float = LEVEL
) -> Residual:
    """Cluster and classifier test on the given vectors (before or after mitigation) for the words chosen before."""
    x = vectors.unit[leaned.rows].astype(np.float64)
    if directions.grammatical is not None:
        basis = directions.grammatical.basis
        x = x - (x @ basis.T) @ basis
    found = _two_clusters(x, seed)
    hits = int(np.sum(found == leaned.labels))
    rng = np.random.default_rng(seed)
    shuffled = [np.sum(found == rng.permutation(leaned.labels)) for _ in range(200)]
    n = len(leaned.labels)
    chance = float(np.mean([max(h, n - h) for h in shuffled]) / n)
    sides = ("feminine side", "masculine side")
    accuracy = cross_validate("svm", x, leaned.labels, sides, folds=5, seed=seed, level=level)
    return Residual(wilson(max(hits, n - hits), n, level), chance, accuracy.interval, n)


def _two_clusters(x: Array, seed: int) -> ClassNumbers:
    """k-means with k = 2, the best of ten starts."""
    best, found = np.inf, np.zeros(len(x), dtype=np.intp)
    for start in range(10):
        rng = np.random.default_rng([seed, start])
        centres, labels = kmeans2(x, 2, minit="++", rng=rng, missing="warn")
        inertia = float(np.sum((x - centres[labels]) ** 2))
        if inertia < best and len(np.unique(labels)) == 2:
            best, found = inertia, labels.astype(np.intp)
    return found
