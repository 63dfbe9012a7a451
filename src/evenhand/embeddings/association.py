"""Association tests: WEAT (Caliskan et al. 2017) and its version for two-form nouns, MWEAT (Zhou et al. 2019).

s(w, A, B) = mean cos(w, a) - mean cos(w, b), with A the male and B the female attribute words: positive is nearer the
male ones. Every p names how many permutations stand behind it, the seed, and the hits: sampled tests give
(1 + hits) / (1 + n), exact ones hits / n with the observed split among the n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.vectors import Matrix32, RowNumbers, Vectors
from evenhand.embeddings.wordlists import TwoForms
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, correlation_interval, mean_interval
from evenhand.statistics.permutation import Permutation, Side, split_test, standardised_difference, swap_test

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weat:
    """WEAT: statistic sum_X s - sum_Y s; effect size = difference of the means over the standard deviation of all
    (population formula, as WEFE's: it lies in [-2, 2] for sets of equal size)."""

    statistic: float
    effect_size: float
    interval: Interval  # of the effect size
    test: Permutation
    n: tuple[int, int]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Mweat:
    """MWEAT = |sum_X s| - |sum_Y s|, X the masculine and Y the feminine forms. 0: both sets equally associated.

    Positive: the masculine forms are the more strongly associated ones. `interval` is Student's t over pairs. `test`
    is the paper's on the signed statistic (random equal splits of X and Y together), two-sided, since a side chosen by
    the data would double its error; `swap` respects the pairs (the two forms of a random half of the pairs change
    places), two-sided too.
    """

    statistic: float
    interval: Interval
    masculine: float
    feminine: float
    test: Permutation
    swap: Permutation
    biases: tuple[PairBias, ...]
    skipped: tuple[str, ...]

    @property
    def pairs(self) -> int:
        return len(self.biases)

    @property
    def absolute(self) -> float:
        return abs(self.statistic)


@dataclass(frozen=True)
class PairBias:
    """One noun with two forms: s of each; b_w = ||s_m| - |s_f|| and the signed difference |s_m| - |s_f|."""

    forms: TwoForms
    masculine: float
    feminine: float

    @property
    def signed(self) -> float:
        return abs(self.masculine) - abs(self.feminine)

    @property
    def bias(self) -> float:
        return abs(self.signed)


@dataclass(frozen=True)
class Nearness:
    """Cosine of the two forms to the English word. `asd` is the mean of masculine minus feminine, `absolute` of its
    size; `masculine_nearer` counts pairs."""

    asd: Interval
    absolute: Interval
    masculine_nearer: int
    pairs: tuple[tuple[TwoForms, float, float], ...]
    skipped: tuple[str, ...]


def associations(vectors: Vectors, words: RowNumbers | Matrix32, male: RowNumbers, female: RowNumbers) -> Array:
    """s(w, A, B) for rows of the vocabulary (or for unit vectors)."""
    targets = vectors.unit[words] if words.ndim == 1 else words
    towards = vectors.unit[male].astype(np.float64).mean(axis=0) - vectors.unit[female].astype(np.float64).mean(axis=0)
    return np.asarray(targets.astype(np.float64) @ towards)


def attribute_rows(vectors: Vectors, male: Iterable[str], female: Iterable[str]) -> tuple[RowNumbers, RowNumbers]:
    """Rows of the attribute words; none in the vocabulary is an error."""
    return (
        vectors.need(male, "male attribute words").rows,
        vectors.need(female, "female attribute words").rows,
    )


def weat(
    vectors: Vectors,
    x: Sequence[str],
    y: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    *,
    permutations: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
    alternative: Side = "greater",
) -> Weat:
    """WEAT of target sets X and Y with attribute sets A and B; p that X is nearer A than Y is, one-sided by default.

    Exact when there are at most 200,000 splits, otherwise sampled. Words without a vector are left out and named.
    """
    first, second = vectors.need(x, "target words X"), vectors.need(y, "target words Y")
    rows_a, rows_b = vectors.need(a, "attribute words A"), vectors.need(b, "attribute words B")
    s = associations(vectors, np.concatenate([first.rows, second.rows]), rows_a.rows, rows_b.rows)
    n, m = len(first.rows), len(second.rows)
    effect = standardised_difference(s[:n], s[n:], level=level)

    def apart(chosen: Array, rest: Array) -> Array:
        return chosen / n - rest / m

    test = split_test(s, n, apart, permutations=permutations, seed=seed, alternative=alternative)
    missing = first.missing + second.missing + rows_a.missing + rows_b.missing
    return Weat(float(s[:n].sum() - s[n:].sum()), effect.value, effect, test, (n, m), missing)


def mweat(
    vectors: Vectors,
    pairs: Iterable[TwoForms],
    male: Sequence[str],
    female: Sequence[str],
    *,
    permutations: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
    alternative: Side = "two-sided",
) -> Mweat:
    """MWEAT over the pairs of which both forms have a vector.

    `alternative` may name a side that was fixed before the vectors were looked at.
    """
    biases, skipped = pair_biases(vectors, pairs, male, female)
    if len(biases) < 2:
        raise BadInput(f"{vectors.name}: MWEAT needs at least 2 two-form nouns with vectors, {len(biases)} found")
    m = np.array([b.masculine for b in biases])
    f = np.array([b.feminine for b in biases])
    both = np.concatenate([m, f])
    statistic = abs(float(m.sum())) - abs(float(f.sum()))
    test = split_test(
        both,
        len(m),
        lambda x, y: np.abs(x) - np.abs(y),
        permutations=permutations,
        seed=seed,
        alternative=alternative,
    )
    towards = np.where(m.sum() >= 0, m, -m) - np.where(f.sum() >= 0, f, -f)  # what each pair adds to the statistic
    mean = mean_interval(towards, level=level)
    return Mweat(
        statistic,
        Interval(statistic, len(m) * mean.low, len(m) * mean.high, len(m), mean.method),
        float(m.sum()),
        float(f.sum()),
        test,
        swap_test(np.abs(m) - np.abs(f), permutations=permutations, seed=seed),
        tuple(biases),
        skipped,
    )


def pair_biases(
    vectors: Vectors, pairs: Iterable[TwoForms], male: Sequence[str], female: Sequence[str]
) -> tuple[list[PairBias], tuple[str, ...]]:
    """b_w of nouns with two forms, and the pairs left out because a form has no vector."""
    rows_a, rows_b = attribute_rows(vectors, male, female)
    kept, skipped = _both_forms(vectors, pairs)
    if not kept:
        return [], skipped
    m = associations(vectors, np.array([vectors.row(p.masculine) for p in kept], dtype=np.intp), rows_a, rows_b)
    f = associations(vectors, np.array([vectors.row(p.feminine) for p in kept], dtype=np.intp), rows_a, rows_b)
    return [PairBias(p, float(x), float(y)) for p, x, y in zip(kept, m, f, strict=True)], skipped


def word_biases(
    vectors: Vectors, words: Iterable[str], male: Sequence[str], female: Sequence[str]
) -> list[tuple[str, float]]:
    """Signed s of words with one form (inanimate nouns); b_w is its absolute value."""
    rows_a, rows_b = attribute_rows(vectors, male, female)
    found = vectors.need(words, "words")
    return list(zip(found.words, associations(vectors, found.rows, rows_a, rows_b).tolist(), strict=True))


def nearness(
    vectors: Vectors, english: Vectors, pairs: Iterable[TwoForms], *, seed: int = 0, level: float = LEVEL
) -> Nearness:
    """ASD: how much nearer the masculine than the feminine form lies to the English word, in one shared space."""
    if vectors.dim != english.dim:
        raise BadInput(f"{vectors.name} has {vectors.dim} dimensions, {english.name} {english.dim}: not one space")
    kept, skipped = _both_forms(vectors, pairs)
    rows: list[tuple[TwoForms, float, float]] = []
    for pair in kept:
        anchor = english.row(pair.english)
        if anchor is None:
            skipped += (pair.english or f"{pair.masculine} (no English word)",)
            continue
        unit = english.unit[anchor].astype(np.float64)
        m, f = (
            float(vectors.unit[vectors.row(word)].astype(np.float64) @ unit) for word in (pair.masculine, pair.feminine)
        )
        rows.append((pair, m, f))
    if not rows:
        raise BadInput(f"no two-form noun with both forms in {vectors.name} and its English word in {english.name}")
    difference = np.array([m - f for _, m, f in rows])
    return Nearness(
        mean_interval(difference, level=level),
        mean_interval(np.abs(difference), level=level),
        int(np.sum(difference > 0)),
        tuple(rows),
        skipped,
    )


def across_languages(
    vectors: Vectors,
    english: Vectors,
    pairs: Iterable[TwoForms],
    attributes: tuple[Sequence[str], Sequence[str]],
    english_attributes: tuple[Sequence[str], Sequence[str]],
    *,
    level: float = LEVEL,
) -> tuple[Interval, float, list[tuple[TwoForms, float, float]]]:
    """Spearman correlation, its p, and the points (pair, signed bias here, s in English): the paper's Figure 4."""
    biases, _ = pair_biases(vectors, pairs, *attributes)
    rows_a, rows_b = attribute_rows(english, *english_attributes)
    points = []
    for bias in biases:
        row = english.row(bias.forms.english)
        if row is not None:
            s = float(associations(english, np.array([row], dtype=np.intp), rows_a, rows_b)[0])
            points.append((bias.forms, bias.signed, s))
    here, there = (np.array([p[i] for p in points], dtype=np.float64) for i in (1, 2))
    interval, p = correlation_interval(there, here, spearman=True, level=level)
    return interval, p, points


def _both_forms(vectors: Vectors, pairs: Iterable[TwoForms]) -> tuple[list[TwoForms], tuple[str, ...]]:
    kept, skipped = [], []
    for pair in pairs:
        if vectors.pair(pair.masculine, pair.feminine) is None:
            skipped.append(f"{pair.masculine}/{pair.feminine}")
        else:
            kept.append(pair)
    return kept, tuple(skipped)
