"""Tests of equality: against scipy, full enumeration and hand-worked cases."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from tests.statistics.test_variation import SHARE, job

from evenhand.statistics.equality import difference, influences, step_down
from evenhand.statistics.inversion import SignFlips
from evenhand.statistics.measure import Job, Statistics
from evenhand.statistics.variation import Linearised


def part(female: list[float], first: int = 0, each: float = 10) -> Linearised:
    """Clusters numbered from `first`, each with so many female renderings of `each`."""
    cells = np.column_stack([female, each - np.array(female)])
    return Linearised.of(job(cells, np.arange(first, first + len(female)).reshape(-1, 1)))


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


def test_a_part_without_variation_is_no_surprise_where_few_clusters_could_show_any() -> None:
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
    tested = difference(forces, other, seed=0, draws=2_000)
    assert tested is not None
    assert tested.p > 0.2


def test_many_small_differences_have_the_p_of_a_t_test() -> None:
    many = np.random.default_rng(4).normal(0.05, 1.0, 3_000) / 3_000
    flips = SignFlips(many, np.full(3_000, 1 / 3_000), seed=0, draws=20_000)
    assert flips.p(0.0) == pytest.approx(stats.ttest_1samp(many, 0).pvalue, abs=0.01)


def test_groups_without_any_woman_do_not_differ_and_one_without_any_differs_from_one_with_many() -> None:
    none = difference(part([0.0] * 5), part([0.0] * 9, first=5), seed=0, draws=100)
    assert none is not None
    assert none.p == pytest.approx(1.0)
    few = [3.0, 5, 2, 6, 4, 3, 7, 2, 5, 4, 3, 6]
    found = difference(part([0.0] * 12), part(few, first=12), seed=0, draws=100)
    assert found is not None
    assert found.p < 0.001
