"""Planning: against textbook values, scipy's noncentral t, and simulated answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from evenhand.errors import BadInput
from evenhand.measures.definitions.gendered import TFG
from evenhand.statistics.measure import Floats
from evenhand.statistics.power import Design, JointChances, Planned


def equal(clusters: int, each: int) -> Floats:
    return np.full(clusters, float(each))


def planned(design: Design, sizes: Floats, alpha: float = 0.05) -> Planned:
    return Planned(design, sizes, TFG, alpha)


def test_two_independent_samples_need_the_textbook_number() -> None:
    # 50 % against 60 %, power 80 %, alpha 5 %, unpooled: 385 a group (Fleiss, without continuity correction)
    independent = Design(0.5, icc=0.0, correlation=0.0)
    assert planned(independent, equal(10, 1)).needed(0.1).clusters == pytest.approx(385, abs=3)


def test_clustering_costs_what_the_design_effect_says() -> None:
    alone = planned(Design(0.3, icc=0.0, correlation=0.0), equal(10, 1)).needed(0.05).probes
    clustered = planned(Design(0.3, icc=0.2, correlation=0.0), equal(10, 10)).needed(0.05).probes
    assert clustered / alone == pytest.approx(1 + 9 * 0.2, rel=0.02)


@pytest.mark.parametrize(
    ("share", "each", "icc", "correlation", "difference"),
    [(0.05, 40, 0.3, 0.2, 0.2), (0.3, 1, 0.5, 0.5, 0.3), (0.6, 20, 0.9, 0.8, -0.3), (0.3, 5, 0.0, 0.0, 0.02)],
)
def test_what_is_needed_reaches_the_wanted_power(
    share: float, each: int, icc: float, correlation: float, difference: float
) -> None:
    wanted = planned(Design(share, icc, correlation), equal(10, each)).needed(difference)
    assert wanted.power >= 0.8
    assert wanted.clusters >= 3
    assert wanted.probes == wanted.clusters * each


def test_few_clusters_have_the_power_of_the_t_test_and_not_of_the_normal() -> None:
    # five clusters whose shares are nearly normal: the noncentral t with 4 degrees of freedom is the oracle
    design, layout = Design(0.5, icc=0.05, correlation=0.0), equal(5, 200)
    expected = planned(design, layout).approximate(0.2)
    assert planned(design, layout).power(0.2) == pytest.approx(expected, abs=0.04)
    between, within = design.variances(0.2)
    by_the_normal = norm.cdf(0.2 / np.sqrt((between + within / 200) / 5) - 1.96)
    assert expected < by_the_normal - 0.2


def test_fewer_than_three_clusters_report_nothing() -> None:
    assert planned(Design(0.3), equal(2, 500)).power(0.6) == 0
    assert planned(Design(0.3), equal(2, 500)).detectable() is None


@pytest.mark.parametrize(("share", "icc", "correlation"), [(0.3, 0.3, 0.5), (0.05, 0.3, 0.2), (0.05, 0.05, 0.8)])
def test_chances_have_the_mean_the_icc_and_the_correlation_asked_for(
    share: float, icc: float, correlation: float
) -> None:
    joint = JointChances.of(share, share + 0.1, icc=icc, correlation=correlation)
    one, two = joint.draw(np.random.default_rng(0), 200_000)
    assert one.mean() == pytest.approx(share, abs=0.003)
    assert two.mean() == pytest.approx(share + 0.1, abs=0.003)
    assert one.var() / (share * (1 - share)) == pytest.approx(icc, rel=0.03)
    assert np.corrcoef(one, two)[0, 1] == pytest.approx(correlation, abs=0.01)


def test_the_smallest_difference_detected_is_reported_as_often_as_wanted() -> None:
    comparison = planned(Design(0.3, icc=0.1, correlation=0.5), equal(20, 10))
    smallest = comparison.detectable()
    assert smallest is not None
    assert comparison.power(smallest, seed=5) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("difference", "wanted"), [(0.05, 0.8), (0.15, 0.6), (0.2, 0.5)])
def test_a_simulation_that_stops_early_says_what_the_whole_one_says(difference: float, wanted: float) -> None:
    comparison = planned(Design(0.3, icc=0.1, correlation=0.5), equal(20, 10))
    assert comparison.reaches(difference, wanted) is (comparison.power(difference) >= wanted)


def test_sentences_answered_alike_make_a_paired_test_stronger() -> None:
    layout = equal(20, 10)
    apart, alike = (Design(0.3, icc=0.05, correlation=0.5, sentence=s) for s in (0.0, 0.6))
    assert planned(alike, layout).power(0.08) > planned(apart, layout).power(0.08) + 0.1


def test_impossible_plans_are_errors() -> None:
    layout = equal(20, 5)
    with pytest.raises(BadInput, match="difference of 0"):
        planned(Design(0.3), layout).needed(0.0)
    with pytest.raises(BadInput, match="share must be between 0 and 1"):
        Design(30)
    with pytest.raises(BadInput, match="which is not a share"):
        planned(Design(0.9), layout).power(0.2)


@pytest.mark.parametrize("icc", [0.5, 0.99, 1.0])
def test_a_large_difference_has_a_power_even_where_the_noncentral_t_has_no_value(icc: float) -> None:
    layout = np.full(684, 1.0)
    values = [planned(Design(0.5, icc, 0.0), layout, alpha=0.016).approximate(gap) for gap in (0.1, 0.2, 0.3, 0.4, 0.5)]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(1.0)
