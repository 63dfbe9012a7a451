"""One test for p and interval: they never disagree, contrasts mirror, and each pivot is what SciPy makes of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats
from tests.statistics.test_variation import SHARE, job

from evenhand.measures.definitions import registry
from evenhand.measures.sampling import Difference, Estimated, Sampler
from evenhand.statistics.inversion import Floor, ShareLikelihood, SignFlips, StudentT, inverted
from evenhand.statistics.measure import Floats, Job, Statistics

SAMPLER = Sampler(("_cluster_0", "_cluster_1"), [200, 200], ("occupation", "verb"), 0, 199, 0.95)
MEASURES = ("share_female", "P_S", "TFG", "log_ratio", "share_neutral")
NAMES = ("female", "male", "neutral", "both")


def pairs(rows: int) -> Iterator[tuple[Estimated, Estimated]]:
    """Parts of every kind: shared and separate clusters, crossed axes, rare outcomes, all alike, unequal sizes."""
    for number in range(rows):
        rng = np.random.default_rng([7, number])
        measure = registry.by_name(MEASURES[number % len(MEASURES)])
        shared, crossed = rng.random() < 0.5, rng.random() < 0.3
        counts = rng.integers(3, 25, 2)
        made = []
        for side in range(2):
            clusters = int(counts[0] if shared else counts[side])
            mean = rng.dirichlet([rng.choice([0.05, 1.0, 5.0]), 3.0, rng.choice([0.01, 0.5]), 0.05])
            strength = rng.choice([0.3, 3.0, 100.0])
            sizes = rng.integers(1, 30, clusters)
            cells = np.array([rng.multinomial(n, rng.dirichlet(mean * strength + 1e-3)) for n in sizes], dtype=float)
            codes = np.arange(clusters) + (0 if shared else side * 30)
            axes = [codes, codes % 4] if crossed else [codes]
            n = int(cells.sum())
            if measure.name in ("TFG", "log_ratio"):
                cells = cells[:, :2]
            statistics = Statistics(np.stack(axes, axis=1), cells, NAMES[: cells.shape[1]], n, n)
            made.append(SAMPLER.estimate(Job(measure, statistics)))
        yield made[0], made[1]


LEVELS = {0.95: 0.05, 0.9: 0.1, 0.8: 0.2, 0.99: 0.01}  # with the p below which a finding is significant


def contradicts(gap: Difference, level: float) -> bool:
    ends = gap.interval(level)
    return bool(np.isfinite(ends.low)) and (gap.p < LEVELS[level]) == (ends.low <= 0 <= ends.high)


@pytest.mark.slow
def test_p_is_below_the_level_if_and_only_if_the_interval_excludes_zero_in_10_000_rows() -> None:
    checked = shown = 0
    for first, second in pairs(2_600):
        gap = SAMPLER.difference(first, second)
        for level in LEVELS:
            assert not contradicts(gap, level), (gap.value, gap.p, gap.interval(level))
        checked += 4 * np.isfinite(gap.p)
        shown += gap.p < 0.05
    assert checked >= 10_000
    assert shown > 200


def test_a_contrast_is_exactly_minus_the_same_contrast_the_other_way_round() -> None:
    for first, second in pairs(400):
        one, two = SAMPLER.difference(first, second), SAMPLER.difference(second, first)
        assert one.p == two.p or np.isnan(one.p + two.p)
        ends, turned = one.interval(), two.interval()
        if np.isfinite(ends.low):
            assert (ends.low, ends.high) == (-turned.high, -turned.low)


def test_the_t_pivot_is_scipys_paired_t_and_its_interval() -> None:
    one, two = [3.0, 9, 5, 1, 7, 10, 4], [2.0, 7, 5, 0, 8, 6, 3]
    first, second = (SAMPLER.estimate(job(np.column_stack([x, 10 - np.array(x)]))) for x in (one, two))
    gap, oracle = SAMPLER.difference(first, second), stats.ttest_rel(np.array(one) / 10, np.array(two) / 10)
    assert gap.p == pytest.approx(oracle.pvalue)
    expected = oracle.confidence_interval(0.95)
    assert gap.interval().low == pytest.approx(expected.low, abs=1e-6)
    assert gap.interval().high == pytest.approx(expected.high, abs=1e-6)


def test_sign_flips_agree_with_scipys_permutation_test_at_every_null() -> None:
    rng = np.random.default_rng(4)
    differences = rng.normal(0.3, 1.0, 9) / 9
    flips = SignFlips(differences, np.full(9, 1 / 9), seed=0, draws=2_000)
    for null in (0.0, 0.1, -0.2):
        away = differences - null / 9
        exact = stats.permutation_test((away, np.zeros(9)), lambda x, y: np.mean(x - y), permutation_type="samples")
        assert flips.p(null) == pytest.approx(exact.pvalue - 1 / 2**9, abs=1e-9)  # ties count half


def test_a_p_of_exactly_one_minus_the_level_is_inside_the_interval() -> None:
    """1 - 0.95 is 0.050000000000000044: such a p was not significant, and its interval excluded 0."""

    class Tied:
        method, value = "tied", 1.0

        def p(self, null: float) -> float:
            return 0.05 if null <= 0 else 1.0

    low, _ = inverted(Tied(), 0.95, (-1.0, 2.0))
    assert low <= 0


def test_the_inverted_interval_ends_where_the_p_crosses_the_level() -> None:
    flips = SignFlips(np.random.default_rng(1).normal(0.02, 0.01, 40), np.full(40, 1 / 40), seed=0, draws=2_000)
    low, high = inverted(flips, 0.95, (-5.0, 5.0))
    for end, outside in ((low, low - 1e-4), (high, high + 1e-4)):
        assert flips.p(end) >= 0.05 > flips.p(outside)


def test_a_p_is_not_kept_large_by_the_number_of_draws() -> None:
    """30 equal differences: two of 2^30 signs are as extreme; Hoeffding's 2 exp(-15) bounds that, draws cannot."""
    p = SignFlips(np.ones(30) / 30, np.full(30, 1 / 30), seed=0, draws=2_000).p(0.0)
    assert 2 / 2**30 < p < 1e-6


def test_two_systems_that_never_differ_may_still_do_so_by_the_rule_of_three() -> None:
    floor = Floor(1.0, 300.0)
    flips = SignFlips(np.zeros(60), np.full(60, 1 / 60), seed=0, draws=20_000, floor=floor)
    assert flips.p(0.0) == 1.0
    low, high = inverted(flips, 0.95, (-1.0, 1.0))
    assert high == pytest.approx(3.84 / 300, rel=0.1)
    assert low == pytest.approx(-high, rel=0.1)


def test_clusters_without_a_woman_are_not_taken_for_independent_sentences() -> None:
    """Three women in three of 33 occupations: a difference as large as they might hide counted as 1,386 sentences'."""
    parts = []
    for hits in ([1.0] * 3 + [0.0] * 30, [0.0, 0, 0, 1, 1] + [0.0] * 28):
        parts.append(SAMPLER.estimate(job(np.column_stack([hits, 42 - np.array(hits)]))).linearised)
    floor = Floor.of([part for part in parts if part is not None])
    assert floor.n < 0.8 * 33 * 42
    assert floor.at(0.0) == 0  # the test of no difference does not change


@pytest.mark.parametrize("clusters", [3, 5, 6])
def test_the_same_difference_in_every_cluster_has_the_p_of_the_exact_sign_test(clusters: int) -> None:
    same = [np.column_stack([[x] * clusters, [10.0 - x] * clusters]) for x in (3.0, 2.0)]
    first, second = (SAMPLER.estimate(job(cells)) for cells in same)
    gap = SAMPLER.difference(first, second)
    assert gap.p == pytest.approx(stats.binomtest(clusters, clusters).pvalue)
    assert (gap.interval().low > 0) == (gap.p < 0.05)
    assert SAMPLER.difference(first, first).p == 1.0


def test_the_likelihood_of_a_share_is_scipys_beta_binomial_averaged_over_correlations() -> None:
    hits, sizes = np.array([3.0, 0, 7, 2]), np.array([10.0, 5, 8, 20])
    made = ShareLikelihood.of_counts(hits.tobytes(), sizes.tobytes())

    def oracle(share: float) -> float:
        chances = []
        for r in (np.arange(400) + 0.5) / 400:
            a, b = share * (1 - r) / r, (1 - share) * (1 - r) / r
            chances.append(np.prod(stats.betabinom.pmf(hits, sizes, a, b)))
        return float(np.log(np.mean(chances)))

    one, two = (float(made.at(np.array([share]))[0]) for share in (0.2, 0.4))
    assert one - two == pytest.approx(oracle(0.2) - oracle(0.4), abs=0.03)


def groups(first: list[float], second: list[float], each: float = 20) -> Difference:
    parts: list[Estimated] = []
    for start, hits in ((0, first), (100, second)):
        cells: Floats = np.column_stack([hits, each - np.array(hits)])
        parts.append(SAMPLER.estimate(job(cells, np.arange(start, start + len(hits)).reshape(-1, 1))))
    return SAMPLER.difference(parts[0], parts[1])


def test_a_group_without_any_woman_differs_and_says_up_to_which_correlation() -> None:
    gap = groups([0.0] * 15, [3.0, 5, 2, 6, 4, 3, 7, 2, 5, 4, 3, 6])
    assert gap.p < 0.01
    turned = gap.tipping()
    assert turned is None or 0 < turned[1] < 1
    rare = groups([0.0] * 15, [2.0, 1, 3, 2, 1] * 6)
    found = rare.tipping()
    assert rare.p < 0.05
    assert found is not None
    assert found[0] == 0
    assert groups([2.0, 1, 3, 2, 1] * 6, [0.0] * 15).tipping() == (1, found[1])


def test_groups_whose_clusters_are_plainly_unlike_have_no_tipping_correlation() -> None:
    rng = np.random.default_rng(3)
    gap = groups([float(x) for x in rng.binomial(20, 0.2, 40)], [float(x) for x in rng.binomial(20, 0.6, 40)])
    assert gap.p < 1e-6
    assert gap.tipping() is None


def test_student_t_needs_no_variance_where_nothing_differs() -> None:
    assert StudentT(0.0, 0.0, 3.0).p(0.0) == 1.0
    assert SHARE.bounds == (0.0, 1.0)
