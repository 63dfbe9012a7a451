"""Tests of equality: against scipy, full enumeration and hand-worked cases."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from tests.statistics.test_variation import SHARE, job

from evenhand.statistics.between import Clusters, arranged, rearranged
from evenhand.statistics.equality import against_rest, equality, sign_flips
from evenhand.statistics.families import influences, step_down
from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Job, Statistics
from evenhand.statistics.variation import variation


def part(female: list[float], first: int = 0, each: float = 10) -> Linearised:
    """Clusters numbered from `first`, each with so many female renderings of `each`."""
    cells = np.column_stack([female, each - np.array(female)])
    return Linearised.of(job(cells, np.arange(first, first + len(female)).reshape(-1, 1)))


def test_parts_that_share_their_clusters_have_the_paired_t_test() -> None:
    one, two = [3.0, 9, 5, 1, 7, 10, 4], [2.0, 7, 5, 0, 8, 6, 3]
    expected = stats.ttest_rel(one, two).pvalue
    assert equality(part(one), part(two), seed=0, arrangements=100) == pytest.approx(expected)


def test_a_p_is_not_kept_large_by_the_number_of_draws() -> None:
    """30 equal differences: two of 2^30 signs are as extreme; Hoeffding's 2 exp(-15) bounds that, draws cannot."""
    p = sign_flips(np.ones(30), seed=0, draws=2_000)
    assert 2 / 2**30 < p < 1e-6
    assert sign_flips(np.zeros(12), seed=0, draws=100) == pytest.approx(0.5)


def test_signs_of_differences_agree_with_scipy_and_many_small_ones_are_normal() -> None:
    rng = np.random.default_rng(4)
    differences = rng.normal(0.3, 1.0, 9)
    exact = stats.permutation_test((differences, np.zeros(9)), lambda x, y: np.mean(x - y), permutation_type="samples")
    one = 1 / 2**9  # the arrangement seen and its mirror image count half
    assert sign_flips(differences, seed=0, draws=2_000) == pytest.approx(exact.pvalue - one, abs=1e-9)
    many = rng.normal(0.05, 1.0, 3_000)
    assert sign_flips(many, seed=0, draws=20_000) == pytest.approx(stats.ttest_1samp(many, 0).pvalue, abs=0.01)


def test_the_same_difference_in_every_cluster_has_the_p_of_the_sign_test() -> None:
    assert equality(part([3.0] * 5), part([2.0] * 5), seed=0, arrangements=100) == pytest.approx(0.5**5)
    assert equality(part([3.0] * 5), part([3.0] * 5), seed=0, arrangements=100) == 1.0


def test_rearrangements_agree_with_all_of_them() -> None:
    one, two = [9.0, 8, 7], [2.0, 5, 3, 8]
    first, second = part(one), part(two, first=3)
    p = arranged(first, second, variation(first, second), seed=1, arrangements=20_000)
    x = np.array([*one, *two]) / 10
    pooled = ((x - x.mean()) ** 2).sum() / 7

    def statistic(chosen: tuple[int, ...]) -> float:
        inside = np.isin(np.arange(7), chosen)
        gap, variance = x[inside].mean() - x[~inside].mean(), 0.0
        for side in (x[inside], x[~inside]):
            own = ((side - side.mean()) ** 2).sum() / (len(side) - 1)
            variance += ((len(side) - 1) * own + 2 * pooled) / (len(side) + 1) / len(side)
        return float(abs(gap) / np.sqrt(variance))

    values = np.round([statistic(c) for c in combinations(range(7), 3)], 9)
    seen = round(statistic((0, 1, 2)), 9)
    expected = (values > seen).mean() + (values == seen).mean() / 2
    assert p == pytest.approx(expected, abs=0.01)


def test_groups_of_one_run_are_corrected_for_their_number_and_dependence() -> None:
    rng = np.random.default_rng(0)
    owner = np.repeat(np.arange(6), 10)
    effects = rng.normal(size=60)
    effects[:10] += 2.0
    over = variation(part(list(rng.integers(0, 10, 60).astype(float))))
    clusters = Clusters(effects - effects.mean(), np.full(60, 10.0), owner, 0.0)
    p, adjusted = rearranged(clusters, [over] * 6, seed=0, arrangements=2_000)
    assert p[0] < 0.001
    assert adjusted[0] < 0.01
    assert (adjusted >= p).all()
    assert adjusted[p.argmax()] <= 1


def test_a_family_of_all_pairs_of_forty_systems_is_corrected_as_tukeys_range_is() -> None:
    # forty systems with independent noise over 500 clusters: all pairwise differences have the studentized range
    rng = np.random.default_rng(1)
    moves = rng.normal(size=(500, 40))
    pairs = list(combinations(range(40), 2))
    tests = np.stack([moves[:, a] - moves[:, b] for a, b in pairs], axis=1)
    at = float(stats.studentized_range.ppf(0.95, 40, np.inf)) / np.sqrt(2)
    p = np.full(len(pairs), 0.9)
    p[0] = 2 * stats.norm.sf(at)
    assert step_down(p, tests, seed=0, draws=4_000)[0] == pytest.approx(0.05, abs=0.015)


def test_groups_that_share_occupations_are_tested_one_by_one() -> None:
    rng = np.random.default_rng(1)
    whole = np.array([[a, 10 - a] for a in rng.integers(0, 10, 20)], dtype=float)
    half = np.floor(whole / 2)
    codes = np.arange(20).reshape(-1, 1)
    everything, group, rest = (Linearised.of(job(cells, codes)) for cells in (whole, half, whole - half))
    p, adjusted = against_rest(everything, [(group, rest)], seed=0, arrangements=50)
    assert p == pytest.approx(adjusted)
    assert p[0] == pytest.approx(equality(group, rest, seed=0, arrangements=50))


def test_the_same_test_twice_costs_nothing_and_independent_ones_do() -> None:
    rng = np.random.default_rng(0)
    one, other = (part(list(rng.integers(0, 11, 200).astype(float))) for _ in range(2))
    same = step_down(np.array([0.028, 0.028]), influences([(one,), (one,)], [200]), seed=0, draws=20_000)
    assert same == pytest.approx([0.028, 0.028], abs=0.004)
    apart = step_down(np.array([0.028, 0.9]), influences([(one,), (other,)], [200]), seed=0, draws=20_000)
    assert apart[0] == pytest.approx(1 - (1 - 0.028) ** 2, abs=0.006)


def test_a_test_that_was_not_possible_does_not_count() -> None:
    one = part([1.0, 5, 3, 8])
    adjusted = step_down(np.array([0.03, np.nan]), influences([(one,), (one,)], [4]), seed=0, draws=5_000)
    assert adjusted[0] == pytest.approx(0.03, abs=0.01)
    assert np.isnan(adjusted[1])


def test_a_part_without_variation_is_compared_by_rearranging() -> None:
    # no woman in four clusters, one in sixteen elsewhere: nothing to be surprised at
    forces = part([0.0] * 4, each=2)
    other = Linearised.of(
        Job(
            SHARE,
            Statistics(
                np.arange(4, 64).reshape(-1, 1),
                np.column_stack(
                    [np.arange(60) % 8 == 0, 2 - (np.arange(60) % 8 == 0), np.zeros(60), np.zeros(60)]
                ).astype(float),
                ("female", "male", "neutral", "both"),
                120,
                120,
            ),
        )
    )
    assert equality(forces, other, seed=0, arrangements=2_000) > 0.3


def test_groups_that_do_not_differ_at_all_have_a_p_of_one() -> None:
    over = variation(part([3.0, 2.0, 4.0, 3.0]))
    clusters = Clusters(np.zeros(8), np.full(8, 10.0), np.repeat(np.arange(2), 4), 0.0)
    p, adjusted = rearranged(clusters, [over] * 2, seed=0, arrangements=200)
    assert p.tolist() == [1.0, 1.0]
    assert adjusted.tolist() == [1.0, 1.0]
