"""A test that may be read every night: its error over a whole life, and how soon it finds a change."""

from __future__ import annotations

import numpy as np
from scipy import integrate, stats

from evenhand.statistics.monitoring import EARLY, NEXT, TYPICAL, watch


def nights(seed: int, count: int, *, change: int | None = None, by: float = 0.05, probes: int = 1_000) -> np.ndarray:
    """Nights x 50 clusters of a sampling system whose sentences have chances of their own."""
    rng = np.random.default_rng([11, seed])
    chances = rng.beta(0.9, 2.1, probes)
    moved = chances + by / float((1 - chances).mean()) * (1 - chances)
    made = np.empty((count, 50))
    for night in range(count):
        now = moved if change is not None and night >= change else chances
        made[night] = (rng.random(probes) < now).reshape(50, -1).sum(axis=1) / probes
    return made


def test_unchanged_nights_raise_no_alarm_over_a_long_life() -> None:
    alarms = sum(bool((watch(nights(seed, 120)).p() <= 0.05).any()) for seed in range(40))
    assert alarms <= 5


def test_a_change_of_five_points_is_found_within_two_weeks() -> None:
    found = 0
    for seed in range(30):
        p = watch(nights(seed, 44, change=30)).p()
        found += bool((p[29:] <= 0.05).any() and not (p[:29] <= 0.05).any())
    assert found >= 24


def test_a_change_after_the_first_night_is_found_within_two_weeks() -> None:
    assert sum(bool((watch(nights(seed, 15, change=1)).p() <= 0.05).any()) for seed in range(100)) >= 75


def test_the_evidence_after_one_night_is_the_likelihood_ratio_averaged_over_changes() -> None:
    data = np.random.default_rng(5).normal(0, 0.0004, (2, 1_000))
    gap = np.diff(data, axis=0)[0] * np.sqrt(0.5)
    error, shape = np.sqrt(gap.var(ddof=1) * len(gap)), np.sqrt(0.5)

    def ratio(change: float) -> float:
        seen = gap.sum()
        return float(np.exp(stats.norm.logpdf(seen, shape * change, error) - stats.norm.logpdf(seen, 0, error)))

    any_size = integrate.quad(lambda d: ratio(d) * stats.norm.pdf(d, 0, TYPICAL), -0.5, 0.5, points=[0.0])[0]
    early = EARLY * ((1 - NEXT) * (ratio(TYPICAL) + ratio(-TYPICAL)) / 2 + NEXT)
    assert np.isclose(watch(data).evidence[0], np.log(early + (1 - EARLY) * (any_size + 1) / 2), atol=0.005)


def test_a_system_that_never_answers_otherwise_is_never_an_alarm() -> None:
    same = np.repeat(nights(3, 1), 40, axis=0)
    watched = watch(same)
    assert (watched.p() > 0.9).all()
    flipped = same.copy()
    flipped[20:, :25] += 0.002
    assert (watch(flipped).p()[24:] < 0.05).all()


def test_single_sentences_that_flip_now_and_then_are_no_change() -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        history = np.repeat(nights(3, 1), 150, axis=0)
        for night in rng.integers(40, 150, 6):
            history[night, rng.integers(0, 50)] += rng.choice([-0.001, 0.001])
        assert (watch(history).p() > 0.05).all()
