"""Association tests against brute force, and the numbers of the real subset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.embeddings.association import (
    across_languages,
    mweat,
    nearness,
    pair_biases,
    weat,
    word_biases,
)
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput
from evenhand.statistics.permutation import Swaps, split_test


@pytest.fixture(scope="module")
def lists(shared_data: Path) -> WordLists:
    return WordLists.shipped("es").with_files(occupations=shared_data / "embeddings" / "es_occupation_pairs.tsv")


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    x, y = a.astype(np.float64), b.astype(np.float64)
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def slow_s(vectors: Vectors, word: str, male: list[str], female: list[str]) -> float:
    return float(
        np.mean([cosine(vectors[word], vectors[a]) for a in male])
        - np.mean([cosine(vectors[word], vectors[b]) for b in female])
    )


def test_the_masculine_form_is_nearer_the_english_word_in_16_of_17(
    mini_es: Vectors, mini_en: Vectors, lists: WordLists
) -> None:
    found = nearness(mini_es, mini_en, lists.occupations)
    assert (found.masculine_nearer, len(found.pairs)) == (16, 17)
    assert found.asd.value == pytest.approx(0.15732, abs=5e-6)
    rounded = [round(m, 3) - round(f, 3) for _, m, f in found.pairs]
    assert round(float(np.mean(rounded)), 4) == 0.1574, (
        "the stated value is the mean of cosines printed to three digits"
    )
    lawyer = next((m, f) for pair, m, f in found.pairs if pair.english == "lawyer")
    assert lawyer == pytest.approx((0.874, 0.673), abs=5e-4)
    assert found.asd.low < found.asd.value < found.asd.high


def test_weat_is_the_formula(mini_es: Vectors) -> None:
    x, y = ["autor", "juez", "doctor", "profesor"], ["autora", "jueza", "doctora", "profesora"]
    a, b = ["él", "hombre", "hijo"], ["ella", "mujer", "hija"]
    found = weat(mini_es, x, y, a, b)
    s = {word: slow_s(mini_es, word, a, b) for word in x + y}
    assert found.statistic == pytest.approx(sum(s[w] for w in x) - sum(s[w] for w in y), abs=1e-6)
    effect = (np.mean([s[w] for w in x]) - np.mean([s[w] for w in y])) / np.std(list(s.values()))
    assert found.interval.value == pytest.approx(effect, abs=1e-5)
    assert np.isnan(weat(mini_es, x[:1], y, a, b).p)
    mirrored = weat(mini_es, y, x, a, b)
    assert (mirrored.p, mirrored.interval.low) == pytest.approx((found.p, -found.interval.high))


def test_a_sampled_p_comes_near_the_exact_one_and_never_reaches_zero() -> None:
    rng = np.random.default_rng(5)
    s = np.concatenate([rng.normal(0.4, 1, 9), rng.normal(0, 1, 9)])
    exact = split_test(s, 9, lambda a, b: a - b, permutations=1, seed=0)
    more = np.concatenate([s[:9], [0.0], s[9:], [0.0]])  # 184,756 splits with the zeros: still exact
    assert exact.exact
    assert split_test(more, 10, lambda a, b: a - b, permutations=1, seed=0).exact
    wide = np.concatenate([s[:9], np.zeros(4), s[9:], np.zeros(4)])
    sampled = split_test(wide, 13, lambda a, b: a - b, permutations=20_000, seed=1)
    assert not sampled.exact
    assert sampled.p == (1 + sampled.hits) / (1 + 20_000)
    assert sampled.p == pytest.approx(exact.p, abs=0.02)
    certain = split_test(np.repeat([5.0, -5.0], 15), 15, lambda a, b: a - b, permutations=100, seed=0)
    assert certain.p == pytest.approx(1 / 101)


def test_the_swap_test_of_equal_differences_is_two_in_two_to_the_n() -> None:
    found = Swaps(np.full(6, 0.3), permutations=10, seed=0).test()
    assert (found.p, found.exact) == (2 / 64, True)


def test_mweat_is_the_difference_of_the_absolute_sums(mini_es: Vectors, lists: WordLists) -> None:
    found = mweat(mini_es, lists.occupations, lists.male, lists.female, permutations=500, seed=3)
    male = [w for w in lists.male if w in mini_es]
    female = [w for w in lists.female if w in mini_es]
    m = sum(slow_s(mini_es, p.masculine, male, female) for p in lists.occupations)
    f = sum(slow_s(mini_es, p.feminine, male, female) for p in lists.occupations)
    assert found.statistic == pytest.approx(abs(m) - abs(f), abs=1e-6)
    assert (found.test.seed, found.test.permutations) == (3, 500)
    assert found.test.p == (1 + found.test.hits) / 501


def test_b_w_of_a_pair_and_of_a_thing_follow_their_definitions(mini_es: Vectors) -> None:
    a, b = ["él", "hombre"], ["ella", "mujer"]
    (pair,), skipped = pair_biases(mini_es, [TwoForms("juez", "jueza"), TwoForms("juez", "zzz")], a, b)
    m, f = slow_s(mini_es, "juez", a, b), slow_s(mini_es, "jueza", a, b)
    assert pair.signed == pytest.approx(abs(m) - abs(f), abs=1e-6)
    assert pair.bias == abs(pair.signed)
    assert skipped == ("juez/zzz",)
    assert dict(word_biases(mini_es, ["oficina"], a, b))["oficina"] == pytest.approx(
        slow_s(mini_es, "oficina", a, b), abs=1e-6
    )


def test_languages_are_compared_over_the_words_both_have(mini_es: Vectors, mini_en: Vectors, lists: WordLists) -> None:
    correlation, p, points = across_languages(mini_es, mini_en, lists)
    assert len(points) == correlation.n == 17
    assert -1 <= correlation.low <= correlation.value <= correlation.high <= 1
    assert 0 < p < 1


def test_no_attribute_word_in_the_vocabulary_is_an_error_not_a_number(mini_es: Vectors, lists: WordLists) -> None:
    with pytest.raises(BadInput, match="male attribute words"):
        mweat(mini_es, lists.occupations, ["Mann"], ["Frau"])
    with pytest.raises(BadInput, match="at least 2 two-form nouns"):
        mweat(mini_es, [], lists.male, lists.female)


@pytest.mark.parametrize("seed", range(12))
def test_the_swap_test_and_the_interval_of_mweat_never_disagree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = [TwoForms(f"m{n}", f"f{n}") for n in range(int(rng.integers(6, 30)))]
    drawn = rng.normal(0, 1, (2 * len(pairs), 8))
    drawn[:, 0] = rng.normal((seed % 3) / 2, 0.6, 2 * len(pairs))
    drawn[: len(pairs), 0] += (seed % 4) / 8
    axis = np.zeros((2, 8), dtype=np.float64)
    axis[:, 0] = 1.0, -1.0
    names = ["he", "she", *(p.masculine for p in pairs), *(p.feminine for p in pairs)]
    vectors = Vectors(names, np.concatenate([axis, drawn]).astype(np.float32))
    for level in (0.9, 0.95):
        found = mweat(vectors, pairs, ["he"], ["she"], permutations=500, seed=seed, level=level)
        assert found.interval.low <= found.statistic <= found.interval.high
        assert (found.swap.p < 1 - level) == (not found.interval.low <= 0 <= found.interval.high)


def test_few_pairs_have_no_interval_of_mweat(mini_es: Vectors, lists: WordLists) -> None:
    found = mweat(mini_es, lists.occupations[:4], lists.male, lists.female)
    assert found.swap.p >= 2 / 2**4
    assert np.isnan(found.interval.low)
    assert found.interval.method == "none: 4 pairs"
