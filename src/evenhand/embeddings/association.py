"""Association tests: WEAT (Caliskan et al. 2017) and its version for two-form nouns, MWEAT (Zhou et al. 2019).

s(w, A, B) = mean cos(w, a) - mean cos(w, b), with A the male and B the female attribute words: positive is nearer the
male ones. Every p names how many permutations stand behind it, the seed, and the hits: sampled tests give
(1 + hits) / (1 + n), exact ones hits / n with the observed split among the n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.vectors import Matrix32, RowNumbers, Vectors
from evenhand.embeddings.wordlists import TwoForms
from evenhand.errors import BadInput
from evenhand.level import ALPHA, LEVEL, tails
from evenhand.statistics.intervals import Interval, correlation_interval, mean_interval
from evenhand.statistics.permutation import Permutation, Side, split_test, studentised_split_test, swap_test
from evenhand.statistics.quantiles import student_above, student_quantile

Array = npt.NDArray[np.float64]
BOOTSTRAP, DIRECTIONS = 2_000, 400
FLAGGED = 0.02  # p of one topic below which two sets have their own
METHOD = "t, bootstrap over words of all sets"


@dataclass(frozen=True)
class Weat:
    """WEAT: statistic sum_X s - sum_Y s; effect size = difference of the means over the standard deviation of all
    (population formula, as WEFE's: it lies in [-2, 2] for sets of equal size).

    `topic` is the share of unrelated directions along which X and Y differ as much as along male - female, `topic_p`
    the p of no difference in all other directions together. Sets with a topic of their own (career, family) differ in
    most directions, and a small p of the test then says nothing about gender.
    """

    statistic: float
    effect_size: float
    interval: Interval  # of the effect size
    test: Permutation
    n: tuple[int, int]
    missing: tuple[str, ...]
    topic: float = 0.0
    topic_p: float = 1.0

    @property
    def warning(self) -> str:
        """What to say where the sets differ along unrelated directions, and as much; empty where they do not."""
        if self.topic < ALPHA or self.topic_p >= FLAGGED:
            return ""
        share = f"{100 * self.topic:.0f} %"
        return f"the two sets differ as much along {share} of unrelated directions: they have topics of their own"


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

    The permutation test is studentised: exact when there are at most 200,000 splits, otherwise sampled. Where Welch's t
    gives the larger p, that counts: with six words beside 24 far less spread ones, splits alone raise too many alarms
    (docs/validation.md). The interval counts target and attribute words as samples (`_effect_interval`). Words without
    a vector are left out and named.
    """
    first, second = vectors.need(x, "target words X"), vectors.need(y, "target words Y")
    rows_a, rows_b = vectors.need(a, "attribute words A"), vectors.need(b, "attribute words B")
    targets = vectors.unit[np.concatenate([first.rows, second.rows])].astype(np.float64)
    n, m = len(first.rows), len(second.rows)
    sides = [targets @ vectors.unit[rows.rows].astype(np.float64).T for rows in (rows_a, rows_b)]
    s = sides[0].mean(axis=1) - sides[1].mean(axis=1)
    test = studentised_split_test(s, n, permutations=permutations, seed=seed, alternative=alternative)
    test = replace(test, p=max(test.p, _welch_p(s, n, alternative)))
    effect = _effect_interval(sides, n, level=level, seed=seed)
    missing = first.missing + second.missing + rows_a.missing + rows_b.missing
    seen = abs(float(_welch(s[:, None], n)[0]))
    topic = _topic(vectors, targets, n, (len(rows_a.rows), len(rows_b.rows)), seen=seen, seed=seed)
    towards = sum(
        sign * vectors.unit[rows.rows].astype(np.float64).mean(axis=0) for sign, rows in ((1, rows_a), (-1, rows_b))
    )
    topic_p = _topic_p(targets, n, np.asarray(towards), seed=seed)
    return Weat(float(s[:n].sum() - s[n:].sum()), effect.value, effect, test, (n, m), missing, topic, topic_p)


def _effect_size(s: Array, x: Array, y: Array) -> Array:
    """Difference of weighted means over the standard deviation of all, for each column of s (words x samples)."""
    n, m = x.sum(axis=0), y.sum(axis=0)
    means = (x * s[: len(x)]).sum(axis=0) / n, (y * s[len(x) :]).sum(axis=0) / m
    weights = np.concatenate([x, y])
    centre = (weights * s).sum(axis=0) / (n + m)
    spread = np.sqrt((weights * (s - centre) ** 2).sum(axis=0) / (n + m))
    sizes: Array = np.divide(means[0] - means[1], spread, out=np.full(spread.shape, np.nan), where=spread > 0)
    return sizes


def _effect_interval(sides: Sequence[Array], n: int, *, level: float, seed: int) -> Interval:
    """The effect size with a t interval whose standard error is that of a bootstrap over target and attribute words.

    Each of the four sets is resampled by itself, its deviations widened by sqrt(k / (k - 1)) for k words (Efron 1982);
    degrees of freedom are those of the smaller target set. The sizes bound the effect: 1 / sqrt(n m) (n + m). No
    interval without two words in each target set.
    """
    words = len(sides[0])
    m = words - n
    ones = np.ones((words, 1))
    s = sides[0].mean(axis=1, keepdims=True) - sides[1].mean(axis=1, keepdims=True)
    value = float(_effect_size(s, ones[:n], ones[n:])[0])
    if min(n, m) < 2 or not np.isfinite(value):
        return Interval(value, np.nan, np.nan, words, "")
    rng = np.random.default_rng([seed, 0x3EA7])

    def drawn(size: int) -> Array:
        counts = rng.multinomial(size, np.full(size, 1 / size), size=BOOTSTRAP).T.astype(np.float64)
        return 1 + (counts - 1) * (np.sqrt(size / (size - 1)) if size > 1 else 0.0)

    resampled = [side @ drawn(side.shape[1]) / side.shape[1] for side in sides]
    x, y = np.maximum(drawn(n), 0.0), np.maximum(drawn(m), 0.0)
    values = _effect_size(resampled[0] - resampled[1], x, y)
    error = float(np.nanstd(values))
    reach = student_quantile(tails(level)[1], min(n, m) - 1 + 0.5 * abs(n - m) / max(n, m)) * error
    most = words / float(np.sqrt(n * m))
    return Interval(value, max(value - reach, -most), min(value + reach, most), words, METHOD)


def _welch(values: Array, n: int) -> Array:
    """Welch's statistic of the first n rows against the others, by column."""
    one, two = values[:n], values[n:]
    error = one.var(axis=0, ddof=min(1, n - 1)) / n + two.var(axis=0, ddof=min(1, len(two) - 1)) / len(two)
    welch: Array = (one.mean(axis=0) - two.mean(axis=0)) / np.sqrt(np.maximum(error, 1e-300))
    return welch


def _welch_p(s: Array, n: int, alternative: Side) -> float:
    """Welch's t-test with Satterthwaite's degrees of freedom; 0 where a set has one word, or all words are alike."""
    errors = [part.var(ddof=1) / len(part) if len(part) > 1 else np.nan for part in (s[:n], s[n:])]
    if not np.isfinite(sum(errors)) or sum(errors) <= 1e-12 * float(s.var()):
        return 0.0
    freedom = sum(errors) ** 2 / sum(e**2 / (k - 1) for e, k in zip(errors, (n, len(s) - n), strict=True))
    t = float(_welch(s[:, None], n)[0])
    if alternative == "two-sided":
        return 2 * student_above(abs(t), freedom)
    above = student_above(abs(t), freedom)
    return above if (t > 0) == (alternative == "greater") else 1 - above


def _topic_p(targets: Array, n: int, towards: Array, *, seed: int) -> float:
    """The p of two sets with one centre, in all directions but `towards`: splits of their words at random.

    The statistic is the squared distance of the centres over its expectation from the spread within either set (as
    Chen & Qin 2010, Annals of Statistics 38), so that sets of unequal size and spread keep the level.
    """
    direction = towards / max(float(np.linalg.norm(towards)), 1e-12)
    rest = targets - np.outer(targets @ direction, direction)
    rest = rest - rest.mean(axis=0)
    m, products = len(rest) - n, rest @ rest.T
    if min(n, m) < 2:
        return 1.0
    first = np.zeros((1 + DIRECTIONS, len(rest)))
    first[:, :n] = 1.0
    first[1:] = np.random.default_rng([seed, 0x70D]).permuted(first[1:], axis=1)
    within = 0.0
    for chosen, size in ((first, n), (1 - first, m)):
        squares = chosen @ np.diag(products) - np.einsum("pi,pi->p", chosen @ products, chosen) / size
        within = within + squares / (size - 1) / size
    centres = first / n - (1 - first) / m
    ratio = np.einsum("pi,pi->p", centres @ products, centres) / np.maximum(within, 1e-300)
    return float((ratio >= ratio[0] * (1 - 1e-9)).mean())


def _topic(vectors: Vectors, targets: Array, n: int, sizes: tuple[int, int], *, seen: float, seed: int) -> float:
    """The share of directions between random words of the vocabulary along which the sets differ at least as much.

    Sets of the attributes' sizes are drawn (Ethayarajh, Duvenaud & Hirst 2019, ACL: WEAT finds what its sets are about;
    Schroeder et al. 2021 compare such scores with those of random attributes).
    """
    rng = np.random.default_rng([seed, 0x70C])
    rows = rng.integers(0, len(vectors.unit), size=(DIRECTIONS, sum(sizes)))
    directions = [
        vectors.unit[one[: sizes[0]]].astype(np.float64).mean(axis=0)
        - vectors.unit[one[sizes[0] :]].astype(np.float64).mean(axis=0)
        for one in rows
    ]
    return float((np.abs(_welch(targets @ np.stack(directions, axis=1), n)) >= seen).mean())


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
