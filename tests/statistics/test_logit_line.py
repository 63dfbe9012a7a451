"""The line between two log-odds against what is known: a chosen slope, and what plain regression makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.statistics.logit_line import FEWEST, Crossed, logit_line
from evenhand.statistics.measure import Floats


def drawn(rng: np.random.Generator, *, slope: float, persons: int, words: int = 60) -> tuple[Floats, Floats]:
    theta = rng.normal(-1.0, 1.3, words)
    eta = -0.5 + slope * theta + rng.normal(0, 0.5, words)
    first = rng.binomial(persons, 1 / (1 + np.exp(-theta)))
    second = rng.binomial(40, 1 / (1 + np.exp(-eta)))
    return (
        np.stack([first, persons - first], axis=1).astype(np.float64),
        np.stack([second, 40 - second], axis=1).astype(np.float64),
    )


def test_the_interval_holds_a_known_slope_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(60):
        line = logit_line(*drawn(rng, slope=1.5, persons=50))
        assert line is not None
        held += line.slope.low <= 1.5 <= line.slope.high
    assert 51 <= held <= 60  # 57 expected; fewer than 51 has a chance of 1 in 300


def test_a_text_seen_through_few_persons_does_not_flatten_the_slope_as_plain_regression_does() -> None:
    rng = np.random.default_rng(6)
    ours, plain = [], []
    for _ in range(25):
        first, second = drawn(rng, slope=1.5, persons=12)
        line = logit_line(first, second)
        assert line is not None
        ours.append(line.slope.value)
        x, y = (np.log((c[:, 0] + 0.5) / (c[:, 1] + 0.5)) for c in (first, second))
        plain.append(float(np.polyfit(x, y, 1)[0]))
    assert np.mean(ours) == pytest.approx(1.5, abs=0.15)
    assert np.mean(plain) < 1.3


def test_with_many_persons_and_no_spread_the_line_itself_comes_out() -> None:
    theta = np.linspace(-2, 2, 30)
    counts = [100_000 / (1 + np.exp(-t)) for t in (theta, 0.3 + 1.4 * theta)]
    first, second = (np.stack([hits, 100_000 - hits], axis=1) for hits in counts)
    line = logit_line(first, second)
    assert line is not None
    assert line.slope.value == pytest.approx(1.4, abs=0.02)
    assert line.intercept.value == pytest.approx(0.3, abs=0.02)


def test_too_few_words_have_no_line() -> None:
    first, second = drawn(np.random.default_rng(1), slope=1.0, persons=50, words=FEWEST - 1)
    assert logit_line(first, second) is None


def test_templates_with_a_tendency_do_not_flatten_a_slope_of_one() -> None:
    """Expected counts, no chance in them: averaged over templates the slope is flat, in the same template it is 1."""
    theta, templates = np.linspace(-3, 3, 40), np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    shares = 1 / (1 + np.exp(-(theta[:, None] + templates)))
    word, template = (axis.ravel() for axis in np.indices(shares.shape))
    counts = 40 * np.column_stack([shares.ravel(), 1 - shares.ravel()])
    text = 200 / (1 + np.exp(-theta))
    first = np.column_stack([text, 200 - text])
    crossed = Crossed(word, template[:, None], counts)
    plain, line = logit_line(first, crossed.summed), logit_line(first, crossed)
    assert plain is not None
    assert line is not None
    assert plain.slope.value < 0.9
    assert line.slope.value == pytest.approx(1.0, abs=0.03)
    assert line.intercept.high - line.intercept.low > plain.intercept.high - plain.intercept.low


def test_log_odds_of_a_word_in_one_sentence_do_not_flatten_the_slope() -> None:
    slopes = []
    for seed in range(3):
        rng = np.random.default_rng([8, seed])
        theta = rng.normal(-1.0, 1.3, 100)
        odds = theta[:, None] + rng.normal(0, 1.0, 10) + rng.normal(0, 1.0, (100, 10))
        hits = rng.binomial(4, 1 / (1 + np.exp(-odds)))
        unit, level = (axis.ravel() for axis in np.indices(odds.shape))
        second = Crossed(unit, level[:, None], np.stack([hits.ravel(), 4 - hits.ravel()], axis=1).astype(np.float64))
        text = rng.binomial(60, 1 / (1 + np.exp(-theta)))
        line = logit_line(np.stack([text, 60 - text], axis=1).astype(np.float64), second)
        assert line is not None
        slopes.append(line.slope.value)
    assert np.mean(slopes) == pytest.approx(1.0, abs=0.08)  # .85 where all are taken for the sum
