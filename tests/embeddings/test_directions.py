"""Directions and classifiers against scikit-learn and hand-made spaces."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.embeddings.directions import (
    ClassNumbers,
    cross_validate,
    fit_lda,
    fit_svm,
    gender_directions,
    grammatical_direction,
    pair_differences,
    semantic_direction,
)
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.errors import BadInput
from evenhand.statistics.intervals import Array


def made_up(pairs: int, nouns: dict[str, str]) -> WordLists:
    return WordLists("es", tuple((f"f{i}", f"m{i}") for i in range(pairs)), nouns=nouns)


def noisy_classes(classes: int, n: int, dim: int, seed: int = 3) -> tuple[Array, ClassNumbers]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, dim)) + 1.5 * np.eye(dim)[y], y


@pytest.mark.parametrize(("classes", "n"), [(2, 60), (3, 90), (2, 20)])
def test_lda_is_scikit_learns_with_the_same_shrinkage(classes: int, n: int) -> None:
    oracle = pytest.importorskip("sklearn.discriminant_analysis")
    x, y = noisy_classes(classes, n, 30)
    ours = fit_lda(x, y, [str(k) for k in range(classes)])
    # their "auto" standardises the features first, so hand both the same intensity
    covariance = pytest.importorskip("sklearn.covariance")
    centred = x - np.stack([x[y == k].mean(axis=0) for k in range(classes)])[y]
    intensity = covariance.LedoitWolf(assume_centered=True).fit(centred).shrinkage_
    theirs = oracle.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=intensity).fit(x, y)
    assert np.array_equal(ours.predict(x), theirs.predict(x))
    if classes == 2:
        d = theirs.coef_[0] / np.linalg.norm(theirs.coef_[0])
        assert abs(d @ ours.basis()[0]) == pytest.approx(1.0, abs=1e-3)


def test_svm_finds_the_direction_scikit_learns_finds() -> None:
    svm = pytest.importorskip("sklearn.svm")
    x, y = noisy_classes(2, 200, 10)
    ours = fit_svm(x, y, ["a", "b"]).basis()[0]
    theirs = (
        svm.LinearSVC(C=1.0, loss="squared_hinge", intercept_scaling=100, tol=1e-8, max_iter=100_000).fit(x, y).coef_[0]
    )
    assert abs(ours @ theirs / np.linalg.norm(theirs)) == pytest.approx(1.0, abs=1e-3)


def test_accuracy_on_noise_is_chance_and_its_interval_says_so() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(400, 20)), np.arange(400) % 2
    found = cross_validate("lda", x, y, ["a", "b"], seed=1)
    assert found.low < 0.5 < found.high


def test_pca_recovers_the_axis_the_pairs_differ_on_and_points_to_masculine() -> None:
    rng = np.random.default_rng(0)
    middle = rng.normal(size=(6, 8))
    axis = np.eye(8)[2]
    rows = np.concatenate([middle + 2 * axis, middle - 2 * axis])
    words = [f"m{i}" for i in range(6)] + [f"f{i}" for i in range(6)]
    vectors = Vectors(words, (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))
    found = semantic_direction((vectors, [(f"f{i}", f"m{i}") for i in range(6)]))
    assert found.direction @ axis > 0.95
    assert sum(found.explained) == pytest.approx(1.0)


def test_a_pair_direction_is_centred_on_the_pair_not_on_a_plus_half_b(mini_es: Vectors) -> None:
    lists = WordLists.shipped("es")
    differences, _ = pair_differences(mini_es, lists.definitions)
    points = np.concatenate([differences / 2, -differences / 2])  # each word minus the middle of its pair
    _, _, axes = np.linalg.svd(points - points.mean(axis=0))
    assert abs(axes[0] @ semantic_direction((mini_es, lists.definitions)).direction) == pytest.approx(1.0, abs=1e-9)


def test_the_orthogonal_direction_has_no_grammatical_part(europarl_es: Vectors) -> None:
    lists = WordLists.shipped("es")
    found = gender_directions(europarl_es, lists, interval=True)
    assert found.grammatical is not None
    assert found.cosine_interval is not None
    assert -1 < found.cosine_interval.low < found.cosine < found.cosine_interval.high < 1
    assert np.abs(found.grammatical.basis @ found.orthogonal).max() < 1e-12
    assert found.grammatical.accuracy.low > 0.8
    d, g = found.semantic.direction, found.grammatical.basis[0]
    assert found.cosine == pytest.approx(float(d @ g / np.linalg.norm(d) / np.linalg.norm(g)))
    masculine, feminine = (europarl_es[w].astype(np.float64) @ g for w in ("libro", "casa"))
    assert masculine > feminine


def test_the_interval_of_the_cosine_covers_the_true_one() -> None:
    """Pairs along one axis, nouns along another at a known angle: most of the intervals must hold its cosine."""
    angle, covered = 0.4, 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        nouns, pairs = 0.3 * rng.normal(size=(400, 6)), 0.3 * rng.normal(size=(40, 6))
        sides = np.where(np.arange(400) % 2 == 0, 1.0, -1.0)
        nouns[:, 0] += 0.5 * sides
        axis = np.array([angle, np.sqrt(1 - angle**2), 0, 0, 0, 0])
        spread = axis[None, :] * (1 + 0.3 * rng.normal(size=(40, 1)))
        words = [f"n{i}" for i in range(400)] + [f"f{i}" for i in range(40)] + [f"m{i}" for i in range(40)]
        rows = np.concatenate([nouns, pairs - spread, pairs + spread])
        rows = np.hstack([rows, np.sqrt(25 - np.sum(rows**2, axis=1, keepdims=True))])  # all of one length
        vectors = Vectors(words, rows.astype(np.float32))
        genders = {f"n{i}": "masculine" if side > 0 else "feminine" for i, side in enumerate(sides)}
        found = gender_directions(vectors, made_up(40, genders), interval=True)
        assert found.cosine_interval is not None
        covered += found.cosine_interval.low <= angle <= found.cosine_interval.high
    assert covered >= 9


def test_three_classes_span_a_plane() -> None:
    x, y = noisy_classes(3, 300, 12)
    names = ["masculine", "feminine", "neuter"]
    vectors = Vectors([f"w{i}" for i in range(300)], x.astype(np.float32))
    found = grammatical_direction(vectors, {f"w{i}": names[k] for i, k in enumerate(y)})
    assert found.basis.shape == (2, 12)
    assert np.allclose(found.basis @ found.basis.T, np.eye(2), atol=1e-9)
    assert found.classes[0] == "masculine"


def test_too_few_nouns_are_said_plainly_and_are_no_direction(mini_es: Vectors) -> None:
    lists = WordLists.shipped("es")
    found = gender_directions(mini_es, lists)
    assert found.grammatical is None
    assert "too few nouns for a grammatical direction" in found.why
    assert np.isnan(found.cosine)
    assert np.array_equal(found.orthogonal, found.semantic.direction)


def test_definition_pairs_of_another_language_are_refused(mini_es: Vectors) -> None:
    with pytest.raises(BadInput, match="same language"):
        semantic_direction((mini_es, WordLists.shipped("de").definitions))


def test_the_interval_of_a_cosine_stays_within_its_range() -> None:
    """Few pairs, noisy, nearly along the nouns' axis: a plain t interval would pass 1."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(140, 5))
    sides = np.where(np.arange(100) % 2 == 0, 1.0, -1.0)
    rows[:100, 0] += 2 * sides
    rows[100:120, 0] -= 1.5
    rows[120:, 0] += 1.5
    words = [f"n{i}" for i in range(100)] + [f"f{i}" for i in range(20)] + [f"m{i}" for i in range(20)]
    genders = {f"n{i}": "masculine" if side > 0 else "feminine" for i, side in enumerate(sides)}
    vectors = Vectors(words, rows.astype(np.float32))
    found = gender_directions(vectors, made_up(20, genders), interval=True)
    assert found.cosine_interval is not None
    assert -1 <= found.cosine_interval.low < found.cosine < found.cosine_interval.high <= 1
