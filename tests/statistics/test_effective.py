"""Effective counts: exact binomial intervals as the special case, honest ends where nothing is seen."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.statistics.test_variation import job

from evenhand.measures.definitions import optimal
from evenhand.measures.definitions.neutrality import Neutrality
from evenhand.statistics.effective import DesignEffect, Draws, draw, extremes
from evenhand.statistics.measure import Job, Statistics


@pytest.mark.parametrize(("hits", "n"), [(0, 30), (3, 50), (25, 40), (60, 60)])
def test_a_share_without_clustering_and_a_whole_pseudo_rendering_is_clopper_and_pearson(hits: int, n: int) -> None:
    drawn = draw(job(np.array([[hits, n - hits]])), np.ones(100_000), seed=1, pseudo=1.0)
    exact = stats.binomtest(hits, n).proportion_ci()
    assert drawn.ends(0.95) == pytest.approx((exact.low, exact.high), abs=0.004)


def test_a_design_effect_of_four_is_a_quarter_of_the_renderings() -> None:
    drawn = draw(job(np.array([[40, 160]])), np.full(100_000, 4.0), seed=1, pseudo=1.0)
    exact = stats.binomtest(10, 50).proportion_ci()
    assert drawn.ends(0.95) == pytest.approx((exact.low, exact.high), abs=0.004)


def test_the_pseudo_rendering_goes_where_it_moves_the_measure_most() -> None:
    # one more neutral rendering raises P_S most; among 90 male and 10 female, one more male lowers it most
    assert extremes(Neutrality().formula, np.array([10.0, 90.0, 0.0, 0.0])) == (1, 2)


def test_many_degrees_of_freedom_leave_the_design_effect_as_observed_and_none_leave_it_open() -> None:
    levels = np.array([0.05, 0.5, 0.95])
    known = DesignEffect(3.0, 2_000.0, 40.0, 500.0).quantiles(levels)
    assert known == pytest.approx([3.0, 3.0, 3.0], rel=0.12)
    unknown = DesignEffect(0.0, 0.0, 40.0, 0.0).quantiles(levels)
    assert unknown[0] < 2 < unknown[1] < 15
    assert 30 < unknown[2] <= 40


def test_a_point_has_the_p_of_the_interval_that_just_holds_it() -> None:
    drawn = Draws(50.0, np.arange(0.0, 100.0), np.arange(0.0, 100.0))
    assert drawn.p(4.0) == pytest.approx(0.10)
    low, _ = drawn.ends(1 - drawn.p(4.0))
    assert low == pytest.approx(4.95, abs=0.01)
    assert drawn.p(-1.0) == 0.0


def test_a_weighted_share_of_equal_weights_is_a_binomial_share() -> None:
    shares = np.r_[np.ones(12), np.zeros(28)]
    low, high = optimal.weighted_share(shares, np.ones(40), level=0.95)
    between = [stats.beta.ppf(q, 12 + a, 28 + b) for q, a, b in ((0.025, 0, 1), (0.975, 1, 0))]
    assert (low, high) == pytest.approx(between, abs=0.02)


def test_one_heavy_occupation_leaves_the_share_open() -> None:
    weights = np.r_[[1_000.0], np.ones(50)]
    low, high = optimal.weighted_share(np.r_[[0.0], np.ones(50)], weights, level=0.95)
    assert low < 0.05
    assert high > 0.6


def test_the_interval_of_a_median_is_made_of_order_statistics() -> None:
    values = np.arange(1.0, 26.0)  # 25 values: the 8th and the 18th hold the median with 95.7 %
    found = optimal.median(values, 13.0, level=0.95)
    assert (found.low, found.high) == (8.0, 18.0)
    assert (
        optimal.median(values[:5], 3.0, level=0.95).method
        == "none: 5 occupations are too few for the median's interval"
    )


def test_yuens_interval_is_the_published_one() -> None:
    # scipy's trimmed t test of the same values against others has the square root of the sum of both squared errors
    rng = np.random.default_rng(3)
    values, others = rng.lognormal(0, 1, 40), rng.lognormal(0, 1, 30)
    reaches = []
    for sample in (values, others):
        found = optimal.trimmed(sample, float(stats.trim_mean(sample, 0.1)), level=0.95)
        reaches.append((found.high - found.value) / stats.t.ppf(0.975, 0.8 * len(sample) - 1))
    gap = stats.trim_mean(values, 0.1) - stats.trim_mean(others, 0.1)
    oracle = stats.ttest_ind(values, others, trim=0.1, equal_var=False)
    assert gap / np.hypot(reaches[0], reaches[1]) == pytest.approx(oracle.statistic)


def test_statistics_without_a_rendering_are_not_counted() -> None:
    empty = Job(
        Neutrality(), Statistics(np.zeros((1, 1), dtype=np.int64), np.zeros((1, 4)), ("f", "m", "n", "b"), 3, 0)
    )
    assert np.isnan(empty.point())
