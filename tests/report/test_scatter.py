"""Words of a scatter plot never cover one another."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.report.charts.scatter import GAP, LETTER, LINE, MARGIN, places

WIDTH, HEIGHT = 400, 300


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_no_word_covers_another(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=n), rng.normal(size=n)
    words = ["w" * int(k) for k in rng.integers(1, 15, size=n)]
    chosen = places(x, y, words, width=WIDTH, height=HEIGHT)
    assert len(chosen) == n
    assert chosen[0] != "" or n > 5, "the first word chooses first"

    def pixel(values: np.ndarray, i: int, size: int) -> float:
        span = float(np.ptp(values))
        return float(size * (values[i] - values.min() + MARGIN * span) / (span * (1 + 2 * MARGIN)))

    drawn = []
    for i, place in enumerate(chosen):
        px, py, wide = pixel(x, i, WIDTH), HEIGHT - pixel(y, i, HEIGHT), LETTER * len(words[i])
        left = {"right": px + GAP, "left": px - GAP - wide, "above": px - wide / 2, "below": px - wide / 2}
        top = {"right": py - LINE / 2, "left": py - LINE / 2, "above": py - GAP - LINE, "below": py + GAP}
        if place:
            drawn.append((left[place], top[place], left[place] + wide, top[place] + LINE))
    for a, b in combinations(drawn, 2):
        apart = a[2] <= b[0] + 1e-6 or b[2] <= a[0] + 1e-6 or a[3] <= b[1] + 1e-6 or b[3] <= a[1] + 1e-6
        assert apart


def test_words_at_one_point_give_way() -> None:
    chosen = places(np.zeros(6), np.zeros(6), ["one"] * 6, width=WIDTH, height=HEIGHT)
    assert chosen == ["right", "left", "above", "below", "", ""], "the fifth finds no place"
    assert places(np.array([0.0, 1.0]), np.array([0.0, 1.0]), ["a", "b"], width=WIDTH, height=HEIGHT) == ["right"] * 2
