"""A group that shows nothing which moves a measure: against scipy's beta-binomial and hand-worked cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.statistics.test_equality import part

from evenhand.statistics.between import few_of, unseen, weighed
from evenhand.statistics.design_effect import Seen
from evenhand.statistics.equality import equality
from evenhand.statistics.linearised import Linearised, slopes
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.statistics.variation import variation

SCORES = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(("chance", "correlation"), [(0.05, 0.5), (0.3, 0.5), (0.1, 0.8), (0.5, 0.9)])
def test_the_chances_of_none_and_of_one_are_the_beta_binomials(chance: float, correlation: float) -> None:
    sizes = np.array([20.0, 1, 7, 20])
    strength = (1 - correlation) / correlation
    chances = np.array([1.0])
    for n in sizes:
        own = stats.betabinom.pmf(np.arange(n + 1), int(n), chance * strength, (1 - chance) * strength)
        chances = np.convolve(chances, own)
    none, one = few_of(sizes, np.array([chance]), correlation)
    assert (none[0], one[0]) == pytest.approx((chances[0], chances[1]), rel=1e-9)


def test_clusters_that_are_all_alike_show_none_as_often_as_so_many_coins() -> None:
    none, one = few_of(np.full(5, 20.0), np.array([0.3]), 1 - 1e-9)
    assert none[0] == pytest.approx(0.7**5)
    assert one[0] == pytest.approx(0.0, abs=1e-6)


def test_a_group_without_a_woman_is_no_surprise_where_few_occupations_could_show_one() -> None:
    # one in twenty elsewhere, in every occupation alike: arrangements of occupations find p .005 and less
    everywhere = part([1.0] * 30, first=15, each=20)
    effect = np.ones(200)
    p = unseen(part([0.0] * 15, each=20), everywhere, SCORES, effect, 0.0, seed=0)
    exact = stats.betabinom.pmf(0, 20, 0.05, 0.95) ** 15
    assert p == pytest.approx(exact, abs=0.03)
    often = unseen(part([0.0] * 15, each=20), part([6.0] * 30, first=15, each=20), SCORES, effect, 0.0, seed=0)
    assert often is not None
    assert often < 1e-4


def test_a_group_reckons_with_as_much_likeness_as_the_other_shows() -> None:
    alike = part([20.0] * 3 + [0.0] * 27, first=15, each=20)
    silent = part([0.0] * 15, each=20)
    loose, close = (unseen(silent, alike, SCORES, np.ones(200), r, seed=0) for r in (0.1, 1.0))
    assert loose is not None
    assert close is not None
    assert close > 5 * loose
    assert unseen(silent, alike, SCORES, np.ones(200), 0.5, seed=0) == loose  # never less than one half


def cells(rows: list[list[float]], first: int) -> Linearised:
    counts = np.array(rows)
    codes = np.arange(first, first + len(rows)).reshape(-1, 1)
    n = int(counts.sum())
    names = ("female", "male", "neutral", "both")
    return Linearised.of(Job(part([1.0, 2.0]).job.measure, Statistics(codes, counts, names, n, n)))


def test_renderings_that_move_a_measure_to_both_sides_are_not_counted_together() -> None:
    silent = cells([[0.0, 10, 0, 0]] * 5, 0)
    other = cells([[1.0, 8, 1, 0]] * 8, 5)
    scores = np.array([1.0, 0.0, -1.0, 0.0])
    assert unseen(silent, other, scores, np.ones(50), 0.0, seed=0) is None
    assert 0 < weighed(0.04, silent.along(scores), other.along(scores), scores, seed=0, draws=200) <= 1


def test_a_single_woman_says_no_more_than_none_and_can_be_many_where_there_are_none() -> None:
    everywhere = part([1.0] * 30, first=15, each=20)
    single = unseen(part([1.0] + [0.0] * 14, each=20), everywhere, SCORES, np.ones(200), 0.0, seed=0)
    own = [float(stats.betabinom.pmf(count, 20, 0.05, 0.95)) for count in (0, 1)]
    assert single == pytest.approx(2 * own[0] ** 15 + 15 * own[0] ** 14 * own[1], abs=0.05)
    nowhere = unseen(part([1.0, 0, 0], each=20), part([0.0] * 30, first=3, each=20), SCORES, np.ones(200), 0.0, seed=0)
    assert nowhere is not None
    assert nowhere < 0.5
    assert unseen(part([1.0, 1, 0], each=20), everywhere, SCORES, np.ones(200), 0.0, seed=0) is None


def test_two_groups_in_which_nothing_moves_do_not_differ() -> None:
    silent, other = part([0.0] * 5), part([0.0] * 9, first=5)
    assert unseen(silent, other, SCORES, np.ones(50), 0.0, seed=0) == 1.0


def test_a_mean_that_is_off_in_its_last_digit_is_no_spread() -> None:
    # the variance of an all-male group was 1e-35, and 14 renderings seemed to carry it
    def movers(count: int) -> float:
        silent = part([0.0] * 15, each=20)
        totals: Floats = silent.job.statistics.summed + np.array([count, 600.0 - count, 0, 0])
        along = silent.along(slopes(silent.job.measure, totals) * totals.sum())
        return Seen.of(variation(along), along).movers

    assert [movers(count) for count in range(20, 60)] == [0.0] * 40


def test_a_group_without_any_woman_differs_from_one_with_many() -> None:
    few = [3.0, 5, 2, 6, 4, 3, 7, 2, 5, 4, 3, 6]
    assert equality(part([0.0] * 12), part(few, first=12), seed=0, arrangements=500) < 0.001
