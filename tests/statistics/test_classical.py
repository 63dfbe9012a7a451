"""Tests and corrections against scipy, statsmodels and published tables."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evenhand.errors import BadInput, Unknown
from evenhand.statistics.classical import (
    Correction,
    adjust,
    chi_square,
    cohens_h,
    fisher_exact,
    independence,
)

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("table", "published"),
    [
        ([[242, 1784], [135, 1905]], 33.66),  # DeepL, verbs (Troles & Schmid 2021)
        ([[149, 1840], [104, 1893]], 8.36),  # Microsoft, verbs
    ],
)
def test_chi_square_with_yates_gives_the_published_values(table: list[list[int]], published: float) -> None:
    found = chi_square(table)
    assert found.statistic is not None
    assert round(found.statistic, 2) == published


def test_without_yates_the_statistic_is_n_times_phi_squared() -> None:
    # worked by hand: 30/10 against 20/40, n 100, (30*40 - 10*20)^2 * 100 / (40 * 60 * 50 * 50)
    found = chi_square([[30, 10], [20, 40]], yates=False)
    assert found.statistic == pytest.approx(100 * 1000**2 / (40 * 60 * 50 * 50))


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 3), (1, 3)])
@pytest.mark.parametrize("yates", [True, False])
def test_chi_square_is_scipys_to_the_last_digit(shape: tuple[int, int], yates: bool) -> None:
    for table in np.random.default_rng(0).integers(1, 400, (200, *shape)):
        test, oracle = chi_square(table, yates=yates), stats.chi2_contingency(table, correction=yates)
        assert (test.statistic, test.p) == (oracle.statistic, oracle.pvalue)


def test_an_empty_row_leaves_nothing_to_test() -> None:
    assert math.isnan(chi_square([[0, 0], [3, 4]]).p)


def test_small_expected_cells_are_tested_exactly() -> None:
    # Fisher's tea tasting: 3 of 4 right, two-sided p 34/70
    assert independence([[3, 1], [1, 3]]).name == "Fisher exact"
    assert fisher_exact([[3, 1], [1, 3]]).p == pytest.approx(34 / 70)
    assert independence([[30, 10], [20, 40]]).name == "chi-square (Yates)"


def test_fishers_test_agrees_with_scipy_on_tables_of_every_size() -> None:
    oracle, dice = pytest.importorskip("scipy.stats"), np.random.default_rng(0)
    for most in (3, 10, 60, 400):
        for table in dice.integers(0, most, (40, 2, 2)):
            assert fisher_exact(table).p == pytest.approx(float(oracle.fisher_exact(table).pvalue), rel=1e-9), table
    assert fisher_exact([[0, 0], [3, 4]]).p == 1


@pytest.mark.parametrize(("method", "name"), [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")])
def test_corrections_agree_with_statsmodels(method: Correction, name: str) -> None:
    oracle = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(3)
    for size in (1, 2, 7, 40):
        p = rng.random(size) ** 3
        assert adjust(p, method) == pytest.approx(oracle.multipletests(p, method=name)[1])


@given(p_lists)
def test_corrected_p_values_keep_their_order_and_never_shrink(p: list[float]) -> None:
    values = np.array(p)
    for method in get_args(Correction):
        adjusted = adjust(values, method)
        assert ((adjusted >= values - 1e-12) & (adjusted <= 1)).all()
        assert (np.diff(adjusted[np.argsort(values, kind="stable")]) >= -1e-12).all()
    assert (adjust(values, "bh") <= adjust(values, "holm") + 1e-12).all()
    assert (adjust(values, "holm") <= adjust(values, "bonferroni") + 1e-12).all()


def test_a_test_that_was_not_possible_does_not_count() -> None:
    adjusted = adjust([0.01, float("nan"), 0.04], "bonferroni")
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])


def test_wrong_corrections_and_p_values_are_errors() -> None:
    with pytest.raises(Unknown, match="holm"):
        adjust([0.1], "hlom")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="between 0 and 1"):
        adjust([1.2], "holm")
    with pytest.raises(BadInput, match="counts of 0 or more"):
        chi_square([[1, -1], [2, 2]])


@given(st.floats(0, 1), st.floats(0, 1))
def test_cohens_h_is_antisymmetric_and_bounded(first: float, second: float) -> None:
    assert cohens_h(first, second) == pytest.approx(-cohens_h(second, first), abs=1e-12)
    assert abs(cohens_h(first, second)) <= math.pi + 1e-12
    assert cohens_h(1.0, 0.0) == pytest.approx(math.pi)
