"""The formulas once more, written plainly from the papers or taken from scipy and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, stats

from evenhand.embeddings.association import mweat, nearness, pair_biases, weat
from evenhand.embeddings.mitigation import Space, mitigation
from evenhand.embeddings.utility import pair_translation, translation
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.statistics import permutation
from evenhand.statistics.permutation import Swaps, split_test

EVERY = 10**9  # more than there are: scipy goes through all of them
MALE, FEMALE = ("él", "hombre", "hijo"), ("ella", "mujer", "hija")


@pytest.fixture(scope="module")
def lists(shared_data: Path) -> WordLists:
    return WordLists.shipped("es").with_files(occupations=shared_data / "embeddings" / "es_occupation_pairs.tsv")


def unit(x: np.ndarray) -> np.ndarray:
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


def values(vectors: Vectors, words: list[str]) -> np.ndarray:
    """s(w, A, B) of the definition, word by word."""
    a, b = (unit(np.stack([vectors[w] for w in side]).astype(np.float64)) for side in (MALE, FEMALE))
    w = unit(np.stack([vectors[word] for word in words]).astype(np.float64))
    return np.asarray((w @ a.T).mean(axis=1) - (w @ b.T).mean(axis=1))


def test_weats_p_is_that_of_welchs_t_where_attributes_are_alike(mini_es: Vectors, lists: WordLists) -> None:
    x = [p.masculine for p in lists.occupations[:7]]
    y = [p.feminine for p in lists.occupations[2:13]]
    m, f = (np.asarray(mini_es[w]) for w in (MALE[0], FEMALE[0]))
    words = sorted({*x, *y})
    alike = Vectors([*words, "m1", "m2", "f1", "f2"], np.stack([*(mini_es[w] for w in words), m, m, f, f]))
    a, b = (unit(np.stack([mini_es[w] for w in side]).astype(np.float64)) for side in (x, y))
    towards = unit(m[None].astype(np.float64))[0] - unit(f[None].astype(np.float64))[0]
    oracle = stats.ttest_ind(a @ towards, b @ towards, equal_var=False)
    found = weat(alike, x, y, ["m1", "m2"], ["f1", "f2"])
    assert found.statistic == pytest.approx((a @ towards).sum() - (b @ towards).sum(), abs=1e-5)
    assert found.p == pytest.approx(oracle.pvalue, rel=1e-4)


def test_mweats_exact_p_is_scipys(mini_es: Vectors, lists: WordLists) -> None:
    pairs = lists.occupations[3:10]
    m, f = (values(mini_es, [getattr(p, side) for p in pairs]) for side in ("masculine", "feminine"))
    oracle = stats.permutation_test(
        (m, f),
        lambda first, second, axis: np.abs(first.sum(axis=axis)) - np.abs(second.sum(axis=axis)),
        vectorized=True,
        n_resamples=EVERY,
        alternative="two-sided",
    )
    found = mweat(mini_es, pairs, MALE, FEMALE)
    assert found.statistic == pytest.approx(abs(m.sum()) - abs(f.sum()), abs=1e-6)
    assert found.test.p == pytest.approx(oracle.pvalue, abs=1e-12)
    adds = m * np.sign(m.sum()) - f * np.sign(f.sum())  # to the statistic, by pair
    swapped = stats.permutation_test((adds,), np.sum, permutation_type="samples", n_resamples=EVERY, vectorized=True)
    assert found.swap.p == pytest.approx(swapped.pvalue, abs=1e-12)
    assert found.interval.low <= found.statistic <= found.interval.high


def test_a_sampled_p_lies_within_its_sampling_error_of_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    s = np.concatenate([rng.normal(0.5, 1, 8), rng.normal(0, 1, 8)])
    tests: tuple[Callable[[], permutation.Permutation], ...] = (
        lambda: split_test(s, 8, lambda a, b: a - b, permutations=40_000, seed=1),
        lambda: split_test(s, 8, lambda a, b: np.abs(a) - np.abs(b), permutations=40_000, seed=1),
        lambda: Swaps(s[:8] - s[8:], permutations=40_000, seed=1).test(),
    )
    for test in tests:
        exact = test()
        assert exact.exact
        with monkeypatch.context() as patch:
            patch.setattr(permutation, "EXACT_UP_TO", 0)
            sampled = test()
        assert (sampled.exact, sampled.seed, sampled.permutations) == (False, 1, 40_000)
        assert sampled.p == (1 + sampled.hits) / 40_001
        assert abs(sampled.p - exact.p) < 4 * np.sqrt(exact.p * (1 - exact.p) / 40_000) + 1e-4


def test_b_w_and_asd_are_their_definitions(mini_es: Vectors, mini_en: Vectors, lists: WordLists) -> None:
    biases, _ = pair_biases(mini_es, lists.occupations, MALE, FEMALE)
    m, f = (values(mini_es, [getattr(p, side) for p in lists.occupations]) for side in ("masculine", "feminine"))
    assert [b.bias for b in biases] == pytest.approx(np.abs(np.abs(m) - np.abs(f)).tolist(), abs=1e-6)

    def cosines(side: str) -> np.ndarray:
        words = unit(np.stack([mini_es[getattr(p, side)] for p in lists.occupations]).astype(np.float64))
        english = unit(np.stack([mini_en[p.english] for p in lists.occupations]).astype(np.float64))
        return np.asarray(np.einsum("ij,ij->i", words, english))

    found = nearness(mini_es, mini_en, lists.occupations)
    assert found.asd.value == pytest.approx(float(np.mean(cosines("masculine") - cosines("feminine"))), abs=1e-7)


@pytest.fixture(scope="module")
def made_up() -> tuple[Vectors, Vectors, WordLists, tuple[tuple[str, str], ...]]:
    """Two languages of 200 words in 12 dimensions, English a turned and noisy copy; words of every kind."""
    rng = np.random.default_rng(11)
    kinds = [f"{k}{i}" for k, n in (("f", 4), ("m", 4), ("jm", 6), ("jf", 6), ("t", 120), ("w", 60)) for i in range(n)]
    rows = rng.normal(size=(len(kinds), 12))
    turn = stats.ortho_group.rvs(12, random_state=4)
    english = [w if w[0] != "j" else w.replace("jm", "job").replace("jf", "other") for w in kinds]
    other = ((rows + 0.2 * rng.normal(size=rows.shape)) @ turn.T) * rng.uniform(0.5, 3, size=(len(kinds), 1))
    pairs = tuple((f"f{i}", f"m{i}") for i in range(4))
    lists = replace(
        WordLists.shipped("es"),
        definitions=pairs,
        english_definitions=pairs,
        occupations=tuple(TwoForms(f"jm{i}", f"jf{i}", f"job{i}") for i in range(6)),
        nouns={f"t{i}": ("masculine", "feminine")[i % 2] for i in range(120)},
        inanimate=tuple(f"t{i}" for i in range(120)),
        specific=frozenset({"w0", "w1"}),
    )
    dictionary = tuple((w, w) for w in kinds if w[0] in "twfm")
    return Vectors(kinds, rows.astype(np.float32)), Vectors(english, other.astype(np.float32)), lists, dictionary


@pytest.mark.parametrize("name", ["shift-ori", "shift-en", "de-align", "hybrid-ori", "hybrid-en"])
def test_every_method_is_the_papers_definition(
    made_up: tuple[Vectors, Vectors, WordLists, tuple[tuple[str, str], ...]], name: str
) -> None:
    gendered, english, lists, dictionary = made_up
    lda = pytest.importorskip("sklearn.discriminant_analysis")
    covariance = pytest.importorskip("sklearn.covariance")
    decomposition = pytest.importorskip("sklearn.decomposition")
    g, e = gendered.matrix.astype(np.float64), english.matrix.astype(np.float64)
    at, there = gendered.index, english.index
    rows = [(there[a], at[b]) for a, b in dictionary]

    def aligned(x: np.ndarray) -> np.ndarray:
        turn, _ = linalg.orthogonal_procrustes(unit(x)[[a for a, _ in rows]], unit(g)[[b for _, b in rows]])
        return np.asarray(x @ turn)

    def centred(x: np.ndarray, index: dict[str, int]) -> np.ndarray:
        points = []
        for f, m in lists.definitions:
            middle = (unit(x)[index[f]] + unit(x)[index[m]]) / 2
            points += [unit(x)[index[f]] - middle, unit(x)[index[m]] - middle]
        return np.stack(points)

    e = aligned(e)
    pca = decomposition.PCA(1).fit(np.concatenate([centred(g, at), centred(e, there)])).components_[0]
    y = np.array([lists.nouns[f"t{i}"] == "masculine" for i in range(120)])
    x = unit(g)[[at[f"t{i}"] for i in range(120)]]
    within = x - np.stack([x[y == k].mean(axis=0) for k in (False, True)])[y.astype(int)]
    intensity = covariance.LedoitWolf(assume_centered=True).fit(within).shrinkage_
    d_g = unit(lda.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=intensity).fit(x, y).coef_[0])
    d = pca - (pca @ d_g) * d_g
    if name in ("de-align", "hybrid-ori", "hybrid-en"):  # hard-debias English, then align again
        gender = decomposition.PCA(1).fit(centred(e, there)).components_[0]
        lengths, u = np.linalg.norm(e, axis=1, keepdims=True), unit(e)
        kept = {"w0", "w1", *(w for pair in lists.definitions for w in pair)}
        for word, row in there.items():
            if word not in kept:
                u[row] = unit(u[row] - (u[row] @ gender) * gender)
        for f, m in lists.definitions:
            mu = (u[there[f]] + u[there[m]]) / 2
            nu = mu - (mu @ gender) * gender
            for word in (f, m):
                side = (unit(e)[there[word]] - mu) @ gender * gender
                u[there[word]] = nu + np.sqrt(1 - nu @ nu) * unit(side)
        e = aligned(u * lengths)
    if name != "de-align":
        g = g.copy()
        for pair in lists.occupations:
            his, hers = at[pair.masculine], at[pair.feminine]
            anchor = e[there[pair.english]] @ d if name.endswith("-en") else 0.0
            offset = -0.5 * (g[his] @ d + g[hers] @ d - 2 * anchor)
            g[his], g[hers] = g[his] + offset * d / (d @ d), g[hers] + offset * d / (d @ d)
        for thing in lists.inanimate:
            g[at[thing]] -= (g[at[thing]] @ d) * d / (d @ d)
    space = Space(gendered, english, dictionary, refine=0).aligned()
    after = mitigation(name).fit(space, lists).transform(space)
    assert after.english is not None
    assert np.abs(after.gendered.matrix - g).max() < 2e-3 * np.abs(g).max(), "their LDA has a slightly other covariance"
    assert np.abs(after.english.matrix - e).max() < 1e-4 * np.abs(e).max()


def test_precision_by_csls_is_brute_force(
    made_up: tuple[Vectors, Vectors, WordLists, tuple[tuple[str, str], ...]],
) -> None:
    gendered, english, _, dictionary = made_up
    space = Space(gendered, english, dictionary, refine=0).aligned()
    assert space.english is not None
    pairs = (*dictionary, ("t0", "t5"), ("nowhere", "t1"), ("t2", "nowhere"))
    a, b = unit(space.english.matrix.astype(np.float64)), unit(gendered.matrix.astype(np.float64))
    cosine = a @ b.T
    r_source = np.sort(cosine, axis=1)[:, -10:].mean(axis=1)
    r_target = np.sort(cosine, axis=0)[-10:].mean(axis=0)
    for retrieval, scores in (("nn", cosine), ("csls", 2 * cosine - r_source[:, None] - r_target[None, :])):
        right = {w: {t for s, t in pairs if s == w and t in gendered.index} for w, _ in pairs if w in english.index}
        ranks = []
        for word, answers in right.items():
            order = [gendered.words[i] for i in np.argsort(-scores[english.index[word]])]
            ranks.append(1 + min(order.index(answer) for answer in answers))
        found = translation(space.english, gendered, pairs, retrieval="csls" if retrieval == "csls" else "nn")
        assert found.ranks.tolist() == ranks
        for k in (1, 5, 10):
            assert found.precision[k].value == pytest.approx(np.mean(np.array(ranks) <= k))


def test_mean_reciprocal_ranks_are_brute_force(
    made_up: tuple[Vectors, Vectors, WordLists, tuple[tuple[str, str], ...]],
) -> None:
    gendered, english, lists, dictionary = made_up
    space = Space(gendered, english, dictionary, refine=0).aligned()
    assert space.english is not None
    adjectives = [TwoForms(f"w{2 * i}", f"w{2 * i + 1}", f"w{2 * i}") for i in range(5)]
    g, e = unit(gendered.matrix.astype(np.float64)), unit(space.english.matrix.astype(np.float64))
    means = {}
    for side in ("masculine", "feminine"):
        reciprocal = []
        for job in lists.occupations:
            for adjective in adjectives:
                given = gendered.index[getattr(adjective, side)]
                asked = e[english.index[job.english]] - e[english.index[adjective.english]] + g[given]
                order = [i for i in np.argsort(-(g @ asked)) if i != given]
                reciprocal.append(1 / (1 + order.index(gendered.index[getattr(job, side)])))
        means[side] = float(np.mean(reciprocal))
    found = pair_translation(gendered, space.english, lists.occupations, adjectives)
    assert found.masculine.value == pytest.approx(means["masculine"], abs=1e-9)
    assert found.feminine.value == pytest.approx(means["feminine"], abs=1e-9)
    assert found.gap.value == pytest.approx(means["masculine"] - means["feminine"], abs=1e-9)
