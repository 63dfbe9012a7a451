"""Association tests: WEAT (Caliskan et al. 2017) and its version for two-form nouns, MWEAT (Zhou et al. 2019). s(w, A,
B) = mean cos(w, a) - mean cos(w, b), with A the male and B the female attribute words: positive is nearer the male
ones. WEAT's p and interval are one test. Every p of MWEAT names its permutations, seed and hits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evenhand.embeddings.vectors import Matrix32, RowNumbers, Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput
from evenhand.level import ALPHA, LEVEL, tails
from evenhand.statistics.intervals import (
    Array,
    Interval,
    correlation_interval,
    mean_interval,
    none,
    student_above,
    student_quantile,
)
from evenhand.statistics.inversion import inverted
from evenhand.statistics.permutation import Permutation, Swaps, split_test

DIRECTIONS = 400
FLAGGED = 0.02  # p of one topic below which two sets differ in topic
METHOD = "t over words of all sets"


class Weat(NamedTuple):
    """WEAT: statistic sum_X s - sum_Y s; effect size = difference of the means over the standard deviation of all
    (population formula, as WEFE's: it lies in [-2, 2] for sets of equal size).

    `topic` is the share of unrelated directions along which X and Y differ as much as along male - female, `topic_p`
    the p of no difference in all other directions: of sets that differ in topic (career, family) the test's small p
    says nothing about gender.
    """

    statistic: float
    interval: Interval  # of the effect size
    p: float  # two-sided, below 1 - level if and only if the interval excludes 0; NaN where there is no interval
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
        return f"the two sets differ as much along {share} of unrelated directions: the sets differ in topic"


class Mweat(NamedTuple):
    """MWEAT = |sum_X s| - |sum_Y s|, X the masculine and Y the feminine forms. 0: both sets equally associated.

    Positive: the masculine forms are the more strongly associated ones. `test` is the paper's on the signed statistic
    (random equal splits of X and Y together), two-sided, since a side chosen by the data would double its error. `swap`
    respects the pairs: what a random half of them adds changes its sign. `interval` is what that test does not reject.
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


class PairBias(NamedTuple):
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


class Nearness(NamedTuple):
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
    return vectors.need(male, "male attribute words").rows, vectors.need(female, "female attribute words").rows


def weat(
    vectors: Vectors,
    x: Sequence[str],
    y: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    *,
    seed: int = 0,
    level: float = LEVEL,
) -> Weat:
    """WEAT of target sets X and Y with attribute sets A and B; words of all four are samples (`_effect`). Words without
    a vector are left out and named. `seed` draws the directions and splits that tell sets with a topic."""
    named = {"target words X": x, "target words Y": y, "attribute words A": a, "attribute words B": b}
    known = [vectors.need(words, name) for name, words in named.items()]
    units = [vectors.unit[one.rows].astype(np.float64) for one in known]
    targets, n, m = np.concatenate(units[:2]), len(units[0]), len(units[1])
    sides = [targets @ words.T for words in units[2:]]
    s = sides[0].mean(axis=1) - sides[1].mean(axis=1)
    effect, p = _effect(sides, n, level=level)
    seen = abs(float(_welch(s[:, None], n)[0]))
    topic = _topic(vectors, targets, n, (len(units[2]), len(units[3])), seen=seen, seed=seed)
    topic_p = _topic_p(targets, n, units[2].mean(axis=0) - units[3].mean(axis=0), seed=seed)
    missing = tuple(word for one in known for word in one.missing)
    return Weat(float(s[:n].sum() - s[n:].sum()), effect, p, (n, m), missing, topic, topic_p)


def _effect(sides: Sequence[Array], n: int, *, level: float) -> tuple[Interval, float]:
    """The effect size with its interval and p: one t test of what the size may be, inverted.

    The effect d is an increasing function of h = gap / within, the gap of the two means over the standard deviation
    within the sets: d = h / sqrt(1 + share (1 - share) h^2), X's share of the words. A size h is not rejected while
    |gap - h within| <= t sqrt(error^2 + h^2 error_within^2), a quadratic inequality (Fieller 1954, Journal of the
    Royal Statistical Society B 16); h = 0 gives p. The gap's error is that of a mean over words that cross: each target
    set, each attribute set, less what both count (Cameron, Gelbach & Miller 2011, Journal of Business & Economic
    Statistics 29), with Satterthwaite's degrees of freedom. No interval without two words in each set.
    """
    words = len(sides[0])
    s = sides[0].mean(axis=1) - sides[1].mean(axis=1)
    share, gap = n / words, float(s[:n].mean() - s[n:].mean())
    value = gap / float(s.std()) if s.std() > 0 else float("nan")
    sizes = [n, words - n, *(side.shape[1] for side in sides)]
    if min(sizes) < 2 or s[:n].var() + s[n:].var() <= 1e-12 * float(s.var()):
        return Interval(value, np.nan, np.nan, words, ""), float("nan")
    moves = [s[:n], s[n:], *(side[:n].mean(axis=0) - side[n:].mean(axis=0) for side in sides)]
    errors = np.array([one.var(ddof=1) / len(one) for one in moves])
    errors[2:] = np.maximum(errors[2:] - [_crossed(side[:n]) + _crossed(side[n:]) for side in sides], 0.0)
    error = float(errors.sum())
    freedom = error**2 / float((errors**2 / (np.array(sizes) - 1)).sum())
    variances = np.array([share, 1 - share]) * [s[:n].var(ddof=1), s[n:].var(ddof=1)]
    within = float(variances.sum())
    doubt = float((variances**2 / (2 * (np.array(sizes[:2]) - 1))).sum()) / within  # variance of the square root
    edge = student_quantile(tails(level)[1], freedom)
    ends = _fieller(gap, float(np.sqrt(within)), edge**2 * error, edge**2 * doubt)
    low, high = (np.sign(end) / np.sqrt(end**-2.0 + share * (1 - share)) if end else 0.0 for end in ends)
    p = 2 * student_above(abs(gap) / float(np.sqrt(error)), freedom)
    return Interval(value, float(low), float(high), words, METHOD), p


def _crossed(part: Array) -> float:
    """What the variances of a table's row means and column means both hold of its cells' own."""
    rows, columns = part.shape
    own = part - part.mean(axis=0) - part.mean(axis=1, keepdims=True) + part.mean()
    return float((own**2).sum() / ((rows - 1) * (columns - 1) * part.size))


def _fieller(top: float, bottom: float, top_error: float, bottom_error: float) -> tuple[float, float]:
    """The ratios h with (top - h bottom)^2 <= top_error + h^2 bottom_error; an end may be infinite."""
    a, b, c = bottom**2 - bottom_error, top * bottom, top**2 - top_error
    root = float(np.sqrt(max(b * b - a * c, 0.0)))
    if a <= 0 and c <= 0:
        return -np.inf, np.inf
    low, high = (b - root) / a, (b + root) / a
    return (low, high) if a > 0 else (low, np.inf) if top > 0 else (-np.inf, high)


def _welch(values: Array, n: int) -> Array:
    one, two = values[:n], values[n:]
    error = one.var(axis=0, ddof=min(1, n - 1)) / n + two.var(axis=0, ddof=min(1, len(two) - 1)) / len(two)
    welch: Array = (one.mean(axis=0) - two.mean(axis=0)) / np.sqrt(np.maximum(error, 1e-300))
    return welch


def _topic_p(targets: Array, n: int, towards: Array, *, seed: int) -> float:
    """The p of two sets with one centre, in all directions but `towards`: splits of their words at random. The
    statistic is the squared distance of the centres over its expectation from the spread within either set (as Chen &
    Qin 2010, Annals of Statistics 38), so that sets of unequal size and spread keep the level."""
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
    """The share of directions between random words of the vocabulary along which the sets differ at least as much. Sets
    of the attributes' sizes are drawn (Ethayarajh, Duvenaud & Hirst 2019, ACL: WEAT finds what its sets are about;
    Schroeder et al. 2021 compare such scores with those of random attributes)."""
    rng = np.random.default_rng([seed, 0x70C])
    words = vectors.unit[rng.integers(0, len(vectors.unit), size=(DIRECTIONS, sum(sizes)))].astype(np.float64)
    directions = words[:, : sizes[0]].mean(axis=1) - words[:, sizes[0] :].mean(axis=1)
    return float((np.abs(_welch(targets @ directions.T, n)) >= seen).mean())


def mweat(
    vectors: Vectors,
    pairs: Iterable[TwoForms],
    male: Sequence[str],
    female: Sequence[str],
    *,
    permutations: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
) -> Mweat:
    """MWEAT over the pairs of which both forms have a vector."""
    biases, skipped = pair_biases(vectors, pairs, male, female)
    if len(biases) < 2:
        raise BadInput(f"{vectors.name}: MWEAT needs at least 2 two-form nouns with vectors, {len(biases)} found")
    m, f = np.array([(b.masculine, b.feminine) for b in biases]).T
    statistic = abs(float(m.sum())) - abs(float(f.sum()))
    both = np.concatenate([m, f])
    test = split_test(both, len(m), lambda x, y: np.abs(x) - np.abs(y), permutations=permutations, seed=seed)
    towards = np.where(m.sum() >= 0, m, -m) - np.where(f.sum() >= 0, f, -f)  # what each pair adds to the statistic
    swaps, most = Swaps(towards, permutations, seed), 2.0 * len(m)  # s lies between -2 and 2
    low, high = inverted(swaps, level, (-most, most))
    interval = none(statistic, f"none: {len(m)} pairs", len(m))
    if high < most:
        interval = Interval(statistic, low, high, len(m), f"swaps over {len(m)} pairs")
    return Mweat(statistic, interval, float(m.sum()), float(f.sum()), test, swaps.test(), tuple(biases), skipped)


def pair_biases(
    vectors: Vectors, pairs: Iterable[TwoForms], male: Sequence[str], female: Sequence[str]
) -> tuple[list[PairBias], tuple[str, ...]]:
    """b_w of nouns with two forms, and the pairs left out because a form has no vector."""
    attributes = attribute_rows(vectors, male, female)
    kept, skipped = _both_forms(vectors, pairs)
    rows = np.array([rows for _, rows in kept], dtype=np.intp).reshape(-1, 2)
    m, f = (associations(vectors, side, *attributes).tolist() for side in rows.T)
    return [PairBias(pair, x, y) for (pair, _), x, y in zip(kept, m, f, strict=True)], skipped


def word_biases(
    vectors: Vectors, words: Iterable[str], male: Sequence[str], female: Sequence[str]
) -> list[tuple[str, float]]:
    """Signed s of words with one form (inanimate nouns); b_w is its absolute value."""
    known = vectors.need(words, "words")
    s = associations(vectors, known.rows, *attribute_rows(vectors, male, female))
    return list(zip(known.words, s.tolist(), strict=True))


def nearness(vectors: Vectors, english: Vectors, pairs: Iterable[TwoForms], *, level: float = LEVEL) -> Nearness:
    """ASD: how much nearer the masculine than the feminine form lies to the English word, in one shared space."""
    if vectors.dim != english.dim:
        raise BadInput(f"{vectors.name} has {vectors.dim} dimensions, {english.name} {english.dim}: not one space")
    kept, skipped = _both_forms(vectors, pairs)
    rows: list[tuple[TwoForms, float, float]] = []
    for pair, forms in kept:
        if (anchor := english.row(pair.english)) is None:
            skipped += (pair.english or f"{pair.masculine} (no English word)",)
        else:
            m, f = vectors.unit[list(forms)].astype(np.float64) @ english.unit[anchor].astype(np.float64)
            rows.append((pair, float(m), float(f)))
    if not rows:
        raise BadInput(f"no two-form noun with both forms in {vectors.name} and its English word in {english.name}")
    difference = np.array([m - f for _, m, f in rows])
    asd, absolute = (mean_interval(values, level=level) for values in (difference, np.abs(difference)))
    return Nearness(asd, absolute, int(np.sum(difference > 0)), tuple(rows), skipped)


def across_languages(
    vectors: Vectors, english: Vectors, lists: WordLists, *, level: float = LEVEL
) -> tuple[Interval, float, list[tuple[TwoForms, float, float]]]:
    """Spearman correlation, its p, and the points (pair, signed bias here, s in English): the paper's Figure 4."""
    biases, _ = pair_biases(vectors, lists.occupations, lists.male, lists.female)
    attributes = attribute_rows(english, lists.english_male, lists.english_female)
    points = [
        (bias.forms, bias.signed, float(associations(english, np.array([row]), *attributes)[0]))
        for bias in biases
        if (row := english.row(bias.forms.english)) is not None
    ]
    here, there = (np.array([point[i] for point in points], dtype=np.float64) for i in (1, 2))
    interval, p = correlation_interval(there, here, spearman=True, level=level)
    return interval, p, points


def _both_forms(
    vectors: Vectors, pairs: Iterable[TwoForms]
) -> tuple[list[tuple[TwoForms, tuple[int, int]]], tuple[str, ...]]:
    rows = [(pair, vectors.pair(pair.masculine, pair.feminine)) for pair in pairs]
    missing = tuple(f"{pair.masculine}/{pair.feminine}" for pair, forms in rows if forms is None)
    return [(pair, forms) for pair, forms in rows if forms is not None], missing
