"""The gender directions of Zhou et al. 2019, section 2. d_PCA, the semantic direction: first principal component of the
definition pairs. d_g, the grammatical one: what separates masculine from feminine nouns (LDA by default); with three or
more classes it is a subspace. d_s: d_PCA with the grammatical part taken out. Every semantic direction points to the
masculine side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize, stats

from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.errors import BadInput
from evenhand.level import LEVEL, tails
from evenhand.statistics.intervals import Array, Interval, wilson

ClassNumbers = npt.NDArray[np.intp]
ClassifierKind = Literal["lda", "svm"]

FEWEST_NOUNS = 50  # of each class; below, a "direction" would be noise
MOST_NOUNS = 3_000  # of each class, the most frequent: as many as the paper's
FOLDS, GROUPS = 5, 20


# Linear classifiers: what separates masculine from feminine (and neuter) nouns. Weight rows, one per class, and biases;
# the class with the largest score wins.


class Linear(NamedTuple):
    """A linear classifier: scores = x @ weights.T + bias."""

    classes: tuple[str, ...]
    weights: Array  # classes x dim
    bias: Array

    def predict(self, x: Array) -> ClassNumbers:
        return np.asarray(np.argmax(x @ self.weights.T + self.bias, axis=1))

    def basis(self) -> Array:
        """Orthonormal rows (classes - 1) of the subspace the classes differ in, pointing to the first class."""
        if len(self.classes) == 2:
            difference = self.weights[0] - self.weights[1]
            return np.asarray(difference / np.linalg.norm(difference))[None, :]
        centred = self.weights - self.weights.mean(axis=0)
        _, _, rows = np.linalg.svd(centred, full_matrices=False)
        kept = rows[: len(self.classes) - 1]
        return np.asarray(kept * np.where(kept @ centred[0] >= 0, 1.0, -1.0)[:, None])


def fit_lda(x: Array, y: ClassNumbers, classes: Sequence[str]) -> Linear:
    """Fisher's linear discriminant (equal priors) on the pooled covariance, shrunk as Ledoit and Wolf (2004) do."""
    means = np.stack([x[y == k].mean(axis=0) for k in range(len(classes))])
    centred, dim = x - means[y], x.shape[1]
    shrinkage, covariance = _ledoit_wolf(centred), centred.T @ centred / len(x)
    covariance = (1 - shrinkage) * covariance + shrinkage * np.trace(covariance) / dim * np.eye(dim)
    weights = linalg.solve(covariance, means.T, assume_a="pos").T
    bias = -0.5 * np.einsum("kd,kd->k", means, weights)
    return Linear(tuple(classes), np.asarray(weights), bias)


def fit_svm(x: Array, y: ClassNumbers, classes: Sequence[str]) -> Linear:
    """Linear support vector machine, one class against the rest, by L-BFGS: |w|^2 / 2 + sum max(0, 1 - y (w.x + b))^2;
    each class weighs the same in sum."""
    planes = []
    for k in range(len(classes) if len(classes) > 2 else 1):
        balance = np.where(y == k, 0.5 / np.mean(y == k), 0.5 / np.mean(y != k))
        planes.append(_squared_hinge(x, np.where(y == k, 1.0, -1.0), balance))
    both = np.stack(planes if len(classes) > 2 else [planes[0], -planes[0]])
    return Linear(tuple(classes), both[:, :-1], both[:, -1])


def fit(kind: ClassifierKind, x: Array, y: ClassNumbers, classes: Sequence[str]) -> Linear:
    return fit_lda(x, y, classes) if kind == "lda" else fit_svm(x, y, classes)


def cross_validate(
    kind: ClassifierKind, x: Array, y: ClassNumbers, classes: Sequence[str], *, seed: int, level: float = LEVEL
) -> Interval:
    """Stratified five-fold accuracy, pooled over the folds, with Wilson's interval; every class needs five words."""
    counts = np.bincount(y, minlength=len(classes))
    if counts.min() < FOLDS:
        smallest = classes[int(counts.argmin())]
        raise BadInput(f"{FOLDS}-fold validation needs {FOLDS} words of every class; {smallest} has {counts.min()}")
    part = stratified_folds(y, FOLDS, seed)
    right = 0
    for k in range(FOLDS):
        model = fit(kind, x[part != k], y[part != k], classes)
        right += int(np.sum(model.predict(x[part == k]) == y[part == k]))
    return wilson(right, len(y), level)


def stratified_folds(y: ClassNumbers, folds: int, seed: int) -> ClassNumbers:
    """A fold number for every word, each class spread evenly, order drawn from the seed."""
    rng = np.random.default_rng(seed)
    part = np.empty(len(y), dtype=np.intp)
    for k in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == k))
        part[members] = np.arange(len(members)) % folds
    return part


def _ledoit_wolf(centred: Array) -> float:
    """Optimal shrinkage intensity of a covariance around zero mean (Ledoit & Wolf 2004, lemma 3.2 to 3.4)."""
    n, dim = centred.shape
    covariance = centred.T @ centred / n
    mu = np.trace(covariance) / dim
    delta = float(np.sum(covariance**2) / dim - mu**2)
    squares = centred**2
    beta = float((np.sum(squares.T @ squares) / n - np.sum(covariance**2)) / (n * dim))
    beta = min(beta, delta)
    return 0.0 if delta <= 0 else max(0.0, beta / delta)


def _squared_hinge(x: Array, sign: Array, cost: Array) -> Array:
    def loss(theta: Array) -> tuple[float, Array]:
        margin = 1.0 - sign * (x @ theta[:-1] + theta[-1])
        active = np.maximum(margin, 0.0)
        pull = -2.0 * cost * sign * active
        gradient = np.append(theta[:-1] + pull @ x, pull.sum())
        return float(0.5 * theta[:-1] @ theta[:-1] + cost @ active**2), gradient

    solved = optimize.minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(solved.x, dtype=np.float64)


# The directions.


class Semantic(NamedTuple):
    """d_PCA, unit length, masculine positive. `explained` is the share of variance of each component (first = ours)."""

    direction: Array
    explained: tuple[float, ...]
    pairs: int
    missing: tuple[str, ...]


class Grammatical(NamedTuple):
    """d_g: orthonormal rows, one for two classes (masculine positive), classes - 1 in general."""

    basis: Array
    accuracy: Interval  # over the nouns, in five folds
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    kind: ClassifierKind


@dataclass(frozen=True)
class Directions:
    """The three directions. `grammatical` is None where there are too few nouns; then `why` is set and d_s = d_PCA."""

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
            raise BadInput("the semantic direction is inside the grammatical one, so no part remains")
        return rest

    @property
    def cosine(self) -> float:
        """cos(d_PCA, d_g): signed for two classes; for more, the cosine of the angle to their subspace. NaN without."""
        if self.grammatical is None:
            return float("nan")
        return _cosine(self.grammatical.basis, self.semantic.direction)


def _cosine(basis: Array, d: Array) -> float:
    inside = basis @ d
    return float(inside[0]) if len(inside) == 1 else float(np.linalg.norm(inside))


def pair_differences(vectors: Vectors, pairs: Iterable[tuple[str, str]]) -> tuple[Array, tuple[str, ...]]:
    """Masculine minus feminine, on unit vectors, for (feminine, masculine) pairs; and the pairs without vectors."""
    known = [(pair, vectors.pair(*pair)) for pair in pairs]
    rows = [vectors.unit[m].astype(np.float64) - vectors.unit[f] for f, m in (forms for _, forms in known if forms)]
    return np.array(rows).reshape(len(rows), vectors.dim), tuple("/".join(pair) for pair, forms in known if not forms)


def semantic_direction(*sides: tuple[Vectors, Iterable[tuple[str, str]]]) -> Semantic:
    """First principal component of the definition pairs, of one or several languages in one space, each centred on its
    own middle (Bolukbasi et al. 2016)."""
    parts = [pair_differences(vectors, pairs) for vectors, pairs in sides]
    differences = np.concatenate([rows for rows, _ in parts])
    missing = tuple(name for _, names in parts for name in names)
    if len(differences) < 2:
        few = f"{len(differences)} definition pairs have vectors, 2 needed (missing: {', '.join(missing[:4])})"
        raise BadInput(f"{few}. Lists and vectors of the same language?")
    _, sizes, axes = np.linalg.svd(differences / 2, full_matrices=False)
    direction: Array = axes[0] * (1.0 if np.sum(differences @ axes[0]) >= 0 else -1.0)
    return Semantic(direction, tuple(float(s) for s in sizes**2 / np.sum(sizes**2)), len(differences), missing)


def grammatical_direction(
    vectors: Vectors, nouns: Mapping[str, str], *, kind: ClassifierKind = "lda", seed: int = 0, level: float = LEVEL
) -> Grammatical:
    """What separates the noun classes (50 to 3,000 nouns of each), with 5-fold accuracy; of masculine and feminine it
    points to masculine."""
    x, y, classes, counts = _nouns(vectors, nouns)
    accuracy = cross_validate(kind, x, y, classes, seed=seed, level=level)
    return Grammatical(fit(kind, x, y, classes).basis(), accuracy, classes, counts, kind)


def _nouns(vectors: Vectors, nouns: Mapping[str, str]) -> tuple[Array, ClassNumbers, tuple[str, ...], tuple[int, ...]]:
    by_class = rows_by_class(vectors, nouns)
    classes = sorted(by_class, key=lambda name: (name != "masculine", name))
    rows = [by_class[name][:MOST_NOUNS] for name in classes]
    counts = tuple(len(r) for r in rows)
    if len(classes) < 2 or min(counts) < FEWEST_NOUNS:
        counted = ", ".join(f"{n} {name}" for n, name in zip(counts, classes, strict=True)) or "none"
        few = f"{counted} with vectors; at least {FEWEST_NOUNS} of each class needed"
        raise BadInput(f"{vectors.name}: too few nouns for a grammatical direction ({few})")
    x = vectors.unit[np.concatenate([np.array(r, dtype=np.intp) for r in rows])].astype(np.float64)
    y = np.repeat(np.arange(len(classes), dtype=np.intp), counts)
    return x, y, tuple(classes), counts


def rows_by_class(vectors: Vectors, nouns: Mapping[str, str]) -> dict[str, list[int]]:
    """The rows of the nouns that have a vector by grammatical class, each once and in the vocabulary's order."""
    rows: dict[str, set[int]] = {name: set() for name in nouns.values()}
    for word, name in nouns.items():
        row = vectors.row(word)
        if row is not None:
            rows[name].add(row)
    return {name: sorted(members) for name, members in rows.items()}


def gender_directions(
    vectors: Vectors,
    lists: WordLists,
    english: Vectors | None = None,
    *,
    kind: ClassifierKind = "lda",
    seed: int = 0,
    level: float = LEVEL,
    interval: bool = False,
) -> Directions:
    """All directions of a space, with the definition pairs of both languages together. Where nouns are too few for a
    grammatical one, `why` gives the reason and d_s is d_PCA. `interval` adds one for cos(d_PCA, d_g)."""
    sides = [(vectors, lists.definitions), *([(english, lists.english_definitions)] if english is not None else [])]
    semantic = semantic_direction(*sides)
    try:
        grammatical = grammatical_direction(vectors, lists.nouns, kind=kind, seed=seed, level=level)
    except BadInput as error:
        return Directions(semantic, None, str(error))
    directions = Directions(semantic, grammatical)
    if not interval:
        return directions
    # Student's t on Fisher's z, leaving out one of twenty groups of pairs and nouns at a time. (A bootstrap repeats
    # nouns, which distorts a discriminant with few nouns per dimension.)
    differences = np.concatenate([pair_differences(*side)[0] for side in sides])
    x, y, classes, _ = _nouns(vectors, lists.nouns)
    of_pair = np.random.default_rng(seed).permutation(np.arange(len(differences)) % GROUPS)
    of_noun = stratified_folds(y, GROUPS, seed)
    values = []
    for group in range(GROUPS):
        _, _, axes = np.linalg.svd(differences[of_pair != group], full_matrices=False)
        d = axes[0] * (1.0 if np.sum(differences @ axes[0]) >= 0 else -1.0)
        values.append(_cosine(fit(kind, x[of_noun != group], y[of_noun != group], classes).basis(), d))
    half = stats.t.ppf(tails(level)[1], GROUPS - 1) * np.sqrt((GROUPS - 1) * np.var(np.arctanh(values)))
    cosine = directions.cosine
    low, high = (float(np.tanh(np.arctanh(cosine) + side * half)) for side in (-1, 1))
    method = f"jackknife, {GROUPS} groups of pairs and nouns, seed {seed}"
    return replace(directions, cosine_interval=Interval(cosine, low, high, len(differences) + len(x), method))
