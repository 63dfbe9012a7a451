"""Linear classifiers in numpy: what separates masculine from feminine (and neuter) nouns.

Both return weight rows, one a class, and biases; the class with the largest score wins. The direction they span is what
Zhou et al. call the grammatical gender direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize

from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, wilson

Array = npt.NDArray[np.float64]
ClassNumbers = npt.NDArray[np.intp]
ClassifierKind = Literal["lda", "svm"]


@dataclass(frozen=True)
class Linear:
    """A linear classifier: scores = x @ weights.T + bias."""

    classes: tuple[str, ...]
    weights: Array  # classes x dim
    bias: Array

    def predict(self, x: Array) -> ClassNumbers:
        best: ClassNumbers = np.argmax(x @ self.weights.T + self.bias, axis=1)
        return best

    def basis(self) -> Array:
        """Orthonormal rows (classes - 1 of them) of the subspace the classes differ in.

        For two classes one unit vector from the second class to the first; for more, rows that point to the first.
        """
        if len(self.classes) == 2:
            difference = self.weights[0] - self.weights[1]
            return np.asarray(difference / np.linalg.norm(difference))[None, :]
        centred = self.weights - self.weights.mean(axis=0)
        _, _, rows = np.linalg.svd(centred, full_matrices=False)
        kept = rows[: len(self.classes) - 1]
        return np.asarray(kept * np.where(kept @ centred[0] >= 0, 1.0, -1.0)[:, None])


@dataclass(frozen=True)
class ClassifierAccuracy:
    """k-fold accuracy: pooled over the folds, with Wilson's interval on the nouns; chance is the largest class."""

    interval: Interval
    folds: tuple[float, ...]
    chance: float
    seed: int


def fit_lda(x: Array, y: ClassNumbers, classes: Sequence[str], *, shrinkage: float | None = None) -> Linear:
    """Fisher's linear discriminant (equal priors) on a pooled covariance shrunk towards a multiple of the identity.

    shrinkage None is Ledoit and Wolf's (2004) estimate, which keeps it stable when nouns are fewer than dimensions;
    0 is the textbook LDA and needs more nouns than dimensions.
    """
    means = np.stack([x[y == k].mean(axis=0) for k in range(len(classes))])
    centred = x - means[y]
    if shrinkage is None:
        shrinkage = _ledoit_wolf(centred)
    covariance = centred.T @ centred / len(x)
    dim = x.shape[1]
    covariance = (1 - shrinkage) * covariance + shrinkage * np.trace(covariance) / dim * np.eye(dim)
    try:
        weights = linalg.solve(covariance, means.T, assume_a="pos").T
    except linalg.LinAlgError as error:
        raise BadInput(f"LDA without shrinkage needs more than {dim} nouns, there are {len(x)}") from error
    bias = -0.5 * np.einsum("kd,kd->k", means, weights)
    return Linear(tuple(classes), np.asarray(weights), bias)


def fit_svm(x: Array, y: ClassNumbers, classes: Sequence[str], *, cost: float = 1.0) -> Linear:
    """Linear support vector machine, squared hinge loss, one class against the rest, solved by L-BFGS.

    Minimises |w|^2 / 2 + cost * sum max(0, 1 - y (w.x + b))^2; each class weighs the same in sum.
    """
    rows, biases = [], []
    for k in range(len(classes) if len(classes) > 2 else 1):
        sign = np.where(y == k, 1.0, -1.0)
        balance = np.where(y == k, 0.5 / np.mean(y == k), 0.5 / np.mean(y != k))
        w, b = _squared_hinge(x, sign, cost * balance)
        rows.append(w)
        biases.append(b)
    if len(classes) == 2:
        return Linear(tuple(classes), np.stack([rows[0], -rows[0]]), np.array([biases[0], -biases[0]]))
    return Linear(tuple(classes), np.stack(rows), np.array(biases))


def fit(kind: ClassifierKind, x: Array, y: ClassNumbers, classes: Sequence[str]) -> Linear:
    return fit_lda(x, y, classes) if kind == "lda" else fit_svm(x, y, classes)


def cross_validate(
    kind: ClassifierKind,
    x: Array,
    y: ClassNumbers,
    classes: Sequence[str],
    *,
    folds: int,
    seed: int,
    level: float = LEVEL,
) -> ClassifierAccuracy:
    """Stratified k-fold accuracy; a class with fewer words than folds is an error."""
    counts = np.bincount(y, minlength=len(classes))
    if folds < 2 or counts.min() < folds:
        smallest = classes[int(counts.argmin())]
        raise BadInput(f"{folds}-fold validation needs {folds} words of every class; {smallest} has {counts.min()}")
    part = stratified_folds(y, folds, seed)
    right = np.zeros(len(y), dtype=bool)
    for k in range(folds):
        model = fit(kind, x[part != k], y[part != k], classes)
        right[part == k] = model.predict(x[part == k]) == y[part == k]
    by_fold = tuple(float(right[part == k].mean()) for k in range(folds))
    return ClassifierAccuracy(wilson(int(right.sum()), len(y), level), by_fold, float(counts.max() / len(y)), seed)


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


def _squared_hinge(x: Array, sign: Array, cost: Array) -> tuple[Array, float]:
    def loss(theta: Array) -> tuple[float, Array]:
        margin = 1.0 - sign * (x @ theta[:-1] + theta[-1])
        active = np.maximum(margin, 0.0)
        pull = -2.0 * cost * sign * active
        gradient = np.append(theta[:-1] + pull @ x, pull.sum())
        return float(0.5 * theta[:-1] @ theta[:-1] + cost @ active**2), gradient

    solved = optimize.minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    theta: Array = np.asarray(solved.x, dtype=np.float64)
    return theta[:-1], float(theta[-1])
