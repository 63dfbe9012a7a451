"""The difference of two means over the spread of all values: against scipy, by hand, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evenhand.statistics.permutation import standardised_difference


def test_the_value_is_the_difference_over_the_population_spread_of_all() -> None:
    interval = standardised_difference(np.array([1.0, 3.0]), np.array([-1.0, -3.0]))
    assert interval.value == pytest.approx(4 / math.sqrt(5))


def test_the_ends_are_noncentralities_under_which_the_statistic_is_at_a_tail() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(0.7, 1, 9), rng.normal(0, 1, 14)
    interval = standardised_difference(x, y, level=0.9)
    t = stats.ttest_ind(x, y).statistic
    scale, between = math.sqrt(1 / 9 + 1 / 14), 9 * 14 / 23**2
    for end, chance in ((interval.low, 0.95), (interval.high, 0.05)):
        within = end / math.sqrt(1 - between * end**2)  # back to standard deviations within the sets
        assert stats.nct.cdf(t, 21, within / scale) == pytest.approx(chance, abs=1e-6)


def test_exchanging_the_sets_turns_the_interval_round() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(0, 1, 12), rng.normal(1, 1, 12)
    there, back = standardised_difference(x, y), standardised_difference(y, x)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert -2 < there.low < there.value < there.high < 2


@pytest.mark.parametrize(("delta", "n", "m"), [(0.0, 12, 12), (1.0, 12, 8), (3.0, 8, 8)])
def test_nineteen_of_twenty_intervals_hold_the_true_value(delta: float, n: int, m: int) -> None:
    rng = np.random.default_rng(5)
    truth = delta / math.sqrt(1 + delta**2 * n * m / (n + m) ** 2)
    made = [standardised_difference(rng.normal(delta, 1, n), rng.normal(0, 1, m)) for _ in range(1_000)]
    held = sum(interval.low <= truth <= interval.high for interval in made)
    assert 925 <= held <= 970, held


def test_sets_that_cannot_carry_an_interval_have_none() -> None:
    alone = standardised_difference(np.array([1.0]), np.array([0.0, 0.5]))
    assert math.isnan(alone.low)
    assert math.isfinite(alone.value)
    assert math.isnan(standardised_difference(np.ones(3), np.ones(3)).value)
