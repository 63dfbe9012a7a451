"""A random-effects mean: the worked example of the literature, and samples that share clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evenhand.measures.decisions.pooled import pooled_mean

# Colditz et al. 1994 (JAMA 271), thirteen trials of a vaccine: ill and well with it, ill and well without.
TRIALS = (
    (4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619), (33, 5036, 47, 5761),
    (180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892), (29, 7470, 45, 7232), (17, 1699, 65, 1600),
    (186, 50448, 141, 27197), (5, 2493, 3, 2338), (27, 16886, 29, 17825),
)  # fmt: skip


def test_the_vaccine_trials_give_the_numbers_that_metafor_prints() -> None:
    ratios = np.array([np.log(a / (a + b) / (c / (c + d))) for a, b, c, d in TRIALS])
    variances = np.array([1 / a - 1 / (a + b) + 1 / c - 1 / (c + d) for a, b, c, d in TRIALS])
    found = pooled_mean(ratios, np.diag(variances), 0.95)
    assert found.spread**2 == pytest.approx(0.3132, abs=5e-5)
    assert found.value == pytest.approx(-0.7145, abs=5e-5)
    assert (found.low, found.high) == pytest.approx((-1.1084, -0.3206), abs=5e-5)


def test_what_all_samples_share_does_not_shrink_with_their_number() -> None:
    own, shared, number = 0.004, 0.01, 5
    values = 0.3 + np.array([-0.01, 0.01, 0.0, 0.005, -0.005])
    found = pooled_mean(values, own * np.eye(number) + shared, 0.95)
    assert found.spread == pytest.approx(0, abs=1e-4)
    assert found.value == pytest.approx(0.3)
    variance = own / number + shared  # of which differences between the values tell own / number
    reach = stats.t.ppf(0.975, (number - 1) / max(own / number / variance, 0.1) ** 2) * np.sqrt(variance)
    assert found.high - found.value == pytest.approx(reach, rel=1e-3)
    alone = pooled_mean(values, own * np.eye(number), 0.95)
    assert alone.high - alone.low < (found.high - found.low) / 2


def test_two_values_have_a_mean_and_no_range_for_another() -> None:
    found = pooled_mean(np.array([0.2, 0.4]), np.diag([0.001, 0.001]), 0.95)
    assert found.value == pytest.approx(0.3)
    assert found.spread > 0.1
    assert np.isnan(found.predicted).all()


def test_intervals_of_shares_keep_within_0_and_1_and_reach_further_to_the_middle() -> None:
    found = pooled_mean(np.array([0.01, 0.06, 0.02]), np.diag([0.0002] * 3), 0.95, (0.0, 1.0))
    assert 0 < found.predicted[0] < found.low < found.value < found.high < found.predicted[1] < 1
    assert found.high - found.value > found.value - found.low


def test_the_interval_covers_the_mean_of_languages_that_share_their_concepts() -> None:
    covered = 0
    for seed in range(300):
        rng = np.random.default_rng([7, seed])
        concept = rng.normal(0, 0.1, 40)
        truths = 0.4 + rng.normal(0, 0.05, 6)
        sampled = truths[:, None] + concept + rng.normal(0, 0.2, (6, 40))
        values = sampled.mean(axis=1)
        moves = (sampled - values[:, None]) / 40
        found = pooled_mean(values, moves @ moves.T, 0.95)
        covered += found.low <= 0.4 <= found.high
    assert 0.92 <= covered / 300 <= 0.995
