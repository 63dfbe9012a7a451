"""Wilson's region: equal to Wilson's interval for a share, honest for other formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.measures.neutrality import neutrality
from evenhand.statistics.boundary import peaks, region, wilson
from evenhand.statistics.measure import Floats


def first_share(totals: Floats) -> Floats:
    share: Floats = totals[..., 0] / totals.sum(axis=-1)
    return share


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 200), min_size=2, max_size=5).filter(lambda c: sum(c) > 0))
def test_for_a_share_the_region_is_wilsons_interval(counts: list[int]) -> None:
    totals = np.array(counts, dtype=np.float64)
    expected = wilson(totals[0], totals.sum(), level=0.95)
    assert region(first_share, totals, level=0.95) == pytest.approx(expected, abs=1e-6)


def test_all_male_maps_to_the_root_of_wilsons_limit() -> None:
    # P_S is largest when all that may not be male is neutral: sqrt(u)
    upper = wilson(0, 500, level=0.95)[1]
    low, high = region(neutrality, np.array([0.0, 500.0, 0.0, 0.0]), level=0.95)
    assert low == 0
    assert high == pytest.approx(math.sqrt(upper), abs=1e-6)


def test_a_peak_inside_the_region_is_found() -> None:
    # 52 of 100 female: half and half (P_S 0.5) is within reach, and no gendered composition lies above it
    totals = np.array([52.0, 48.0, 0.0, 0.0])
    assert peaks(neutrality, totals, n=100, level=0.95)[1] == pytest.approx(0.5, abs=1e-9)
    assert math.isnan(peaks(neutrality, np.array([10.0, 90.0, 0.0, 0.0]), n=100, level=0.95)[1])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(lambda c: sum(c) > 3))
def test_no_unsurprising_composition_lies_outside(counts: list[int]) -> None:
    totals = np.array(counts, dtype=np.float64)
    n = totals.sum()
    low, high = region(neutrality, totals, level=0.95)
    rng = np.random.default_rng(sum(counts))
    points = rng.dirichlet(totals + 0.3, size=4_000)
    seen = totals > 0
    with np.errstate(divide="ignore"):
        surprise = n * (((totals[seen] / n) ** 2 / points[:, seen]).sum(axis=1) - 1)
    inside = neutrality(points[surprise <= 1.959963984540054**2] * n)
    if len(inside):
        assert inside.min() >= low - 2e-3
        assert inside.max() <= high + 2e-3


def test_nothing_counted_is_undefined() -> None:
    assert all(math.isnan(end) for end in region(neutrality, np.zeros(4), level=0.95))
