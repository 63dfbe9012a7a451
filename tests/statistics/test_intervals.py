"""Intervals of means and correlations."""

import numpy as np
import pytest
import scipy

from evenhand.statistics.intervals import correlation_interval


@pytest.mark.parametrize("spearman", [False, True])
def test_p_and_interval_of_a_correlation_never_disagree(spearman: bool) -> None:
    rng = np.random.default_rng(5)
    for number in range(400):
        x = rng.normal(size=rng.integers(4, 40))
        y = (number % 5) / 5 * x + rng.normal(size=len(x))
        interval, p = correlation_interval(x, y, spearman=spearman)
        assert (p < 0.05) == (not interval.low <= 0 <= interval.high), (len(x), interval, p)


def test_the_p_of_a_correlation_is_near_scipys_and_three_points_have_none() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=60)
    y = 0.3 * x + rng.normal(size=60)
    interval, p = correlation_interval(x, y)
    oracle = scipy.stats.pearsonr(x, y)
    ends = oracle.confidence_interval(0.95)
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high))
    assert p == pytest.approx(oracle.pvalue, rel=0.15)
    few, none = correlation_interval(x[:3], y[:3])
    assert np.isfinite(few.value)
    assert np.isnan([few.low, few.high, none]).all()
