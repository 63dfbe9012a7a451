"""Variances over clusters: against matrices written out, statsmodels and textbook cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evenhand.measures.definitions.gendered import SHARES_OF
from evenhand.measures.definitions.neutrality import Neutrality
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.statistics.variation import Linearised, satterthwaite, slopes, variation

SHARE = SHARES_OF[0]


def job(cells: Floats, codes: np.ndarray[tuple[int, ...], np.dtype[np.int64]] | None = None) -> Job:
    """Female, male, neutral and both by row; every row a cluster of its own unless codes are given."""
    full = np.zeros((len(cells), 4))
    full[:, : cells.shape[1]] = cells
    numbers = np.arange(len(cells)).reshape(-1, 1) if codes is None else codes
    n = int(full.sum())
    return Job(SHARE, Statistics(numbers, full, ("female", "male", "neutral", "both"), n, n))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(1, 5)), min_size=2, max_size=12))
def test_clusters_with_equal_counts_may_share_a_row(rows: list[tuple[int, int, int]]) -> None:
    table = np.array([*rows, (1, 2, 3)], dtype=float)
    cells, times = table[:, :2], table[:, 2]
    apart = job(np.repeat(cells, times.astype(int), axis=0))
    shared = job(cells)
    n = apart.statistics.n
    together = Job(SHARE, replace(shared.statistics, n=n, decided=n, times=times))
    sampler = Sampler(("cluster",), [int(times.sum())], ("document",), 3, 500, 0.95)
    one, other = sampler.estimate(apart), sampler.estimate(together)
    assert other.interval.method == one.interval.method
    assert other.interval.n == one.interval.n
    assert (other.interval.value, other.interval.low, other.interval.high) == pytest.approx(
        (one.interval.value, one.interval.low, one.interval.high), rel=1e-9, nan_ok=True
    )


def test_clusters_that_share_a_row_cannot_be_compared_with_another_part() -> None:
    cells = np.array([[1.0, 2.0], [2.0, 2.0], [0.0, 3.0]])
    alone = job(cells)
    shared = Linearised.of(Job(SHARE, replace(alone.statistics, times=np.ones(3))))
    with pytest.raises(ValueError, match="share a row"):
        variation(shared, Linearised.of(alone))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=3, max_size=12), st.floats(0, 1))
def test_degrees_of_freedom_are_those_of_the_matrices(sizes: list[int], icc: float) -> None:
    # the CR2 variance of a mean as a quadratic form in all sentences, under a common correlation within clusters
    owner = np.repeat(np.arange(len(sizes)), sizes)
    n = len(owner)
    same = owner[:, None] == owner[None, :]
    covariance = np.where(same, icc, 0.0) + (1 - icc) * np.eye(n)
    residual = np.eye(n) - np.ones((n, n)) / n
    form = np.zeros((n, n))
    for cluster, size in enumerate(sizes):
        picked = (owner == cluster).astype(float) @ residual
        form += np.outer(picked, picked) / (1 - size / n)
    product = form @ covariance
    expected = np.trace(product) ** 2 / np.trace(product @ product)
    assert satterthwaite(np.array(sizes, dtype=float), icc) == pytest.approx(expected, rel=1e-6)


def test_clusters_of_one_size_have_the_degrees_of_freedom_of_a_t_test() -> None:
    assert satterthwaite(np.full(12, 30.0), 0.3) == pytest.approx(11)
    assert satterthwaite(np.array([500.0, *[5.0] * 40]), 0.5) < 3


def test_the_variance_of_a_share_over_equal_clusters_is_that_of_the_mean_of_their_shares() -> None:
    female = np.array([3.0, 9.0, 5.0, 0.0, 7.0, 10.0])
    over = variation(Linearised.of(job(np.column_stack([female, 10 - female]))))
    assert over.variance == pytest.approx(stats.sem(female / 10) ** 2)
    assert over.freedom == pytest.approx(5)


def test_crossed_clusters_have_the_two_way_variance_of_statsmodels() -> None:
    regression = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(2)
    codes = np.indices((30, 25)).reshape(2, -1).T
    leaning = rng.normal(0, 1, 30)[codes[:, 0]] + rng.normal(0, 1, 25)[codes[:, 1]]
    female = (rng.random(750) < 1 / (1 + np.exp(-leaning))).astype(float)
    over = variation(Linearised.of(job(np.column_stack([female, 1 - female]), codes)))
    fitted = regression.OLS(female, np.ones(750)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    # each axis by its own small-sample factor here, none there
    plain = [
        np.bincount(codes[:, a], female - female.mean()) @ np.bincount(codes[:, a], female - female.mean())
        for a in (0, 1)
    ]
    cells = float(((female - female.mean()) ** 2).sum())
    assert float(fitted.cov_params()[0, 0]) == pytest.approx((sum(plain) - cells) / 750**2)
    assert over.variance == pytest.approx((plain[0] * 30 / 29 + plain[1] * 25 / 24 - cells * 750 / 749) / 750**2)
    assert 24 < over.freedom < 53


def test_an_axis_with_fewer_than_three_clusters_is_taken_as_it_is() -> None:
    codes = np.indices((10, 2)).reshape(2, -1).T
    female = np.arange(20) % 3 / 2
    linearised = Linearised.of(job(np.column_stack([female, 1 - female]), codes))
    assert linearised.axes() == (0,)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=4, max_size=4))
def test_slopes_add_up_to_nothing_and_follow_the_formula(counts: list[int]) -> None:
    totals = np.array(counts, dtype=float)
    measure = Neutrality()
    slope = slopes(measure, totals)
    assert slope @ totals == pytest.approx(0, abs=1e-9)
    moved = totals + np.array([0.01, 0, 0, 0])
    change = measure.formula(moved) ** 2 - measure.formula(totals) ** 2
    assert slope[0] * 0.01 == pytest.approx(change, rel=0.05, abs=1e-6)
