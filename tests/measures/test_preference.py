"""Measures of preference on tables small enough to work out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from scipy.stats import pearsonr

from evenhand.measures.definitions.preference import reference_slope
from evenhand.measures.definitions.registry import by_name
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping


def table(odds: list[float], **columns: Sequence[str | float | None]) -> pl.DataFrame:
    """Pairs with these log-odds; scores are between 0 and 1 for odds that are."""
    gender = ["female" if one > 0 else "male" if one < 0 else "unknown" for one in odds]
    base = {"id": [str(n) for n in range(len(odds))], "gender": gender, "valid": [True] * len(odds)}
    return pl.DataFrame({**base, "score_feminine": odds, "score_masculine": [0.0] * len(odds), **columns})


def value(measure: str, rows: pl.DataFrame, clusters: tuple[str, ...] = ()) -> float:
    return float(estimate(rows, clusters=clusters, measures=[measure]).filter(group="all")["value"][0])


def test_ties_are_left_out_of_the_share_and_counted_apart() -> None:
    rows = table([1.0, -1.0, -2.0, 0.0])
    assert value("prefers_feminine", rows) == pytest.approx(1 / 3)
    assert value("ties", rows) == 0.25


def test_probabilities_and_log_odds_are_means_over_pairs() -> None:
    rows = table([2.0, -1.0, 0.5])
    expected = [1 / (1 + math.exp(-odds)) for odds in (2.0, -1.0, 0.5)]
    assert value("P_feminine", rows) == pytest.approx(sum(expected) / 3)
    assert value("log_odds", rows) == pytest.approx(0.5)
    assert value("diff_mean", rows) == pytest.approx(0.5)


def test_error_rates_count_ties_as_errors_as_the_published_tables_do() -> None:
    rows = table([1.0, -1.0, 0.0, -1.0, 1.0, -2.0, -1.0], gold=["female"] * 4 + ["male"] * 3)
    assert value("error_rate_fem", rows) == 0.75
    assert value("error_rate_male", rows) == pytest.approx(1 / 3)
    assert value("error_rate_ratio", rows) == pytest.approx(2.25)
    assert value("error_rate_total", rows) == pytest.approx(4 / 7)
    assert value("contrastive_accuracy", rows) == pytest.approx(3 / 7)
    assert value("penalty", rows) == pytest.approx((1 - 1 + 0 - 1 - 1 + 2 + 1) / 7)


def test_the_ratio_is_within_the_source_where_it_is_open_and_between_sources_where_it_states_a_gender() -> None:
    scores = {"score_feminine": [0.8, 0.6], "score_masculine": [0.4, 0.8]}
    rows = table([0.0, 0.0]).with_columns(**{name: pl.Series(values) for name, values in scores.items()})
    assert value("ratio_mean", rows) == pytest.approx((2.0 + 0.75) / 2)
    stated = rows.with_columns(pair=pl.lit("1"), gold=pl.Series(["female", "male"]))
    assert value("ratio_mean", stated) == pytest.approx(0.8 / 0.8)


def test_auc_is_the_share_of_ordered_couples_and_agreement_that_of_equal_genders() -> None:
    rows = table([3.0, 1.0, 2.0, -1.0, -3.0], output=["female", "female", "male", "male", "unknown"])
    assert value("AUC", rows) == pytest.approx(3 / 4)
    assert value("agreement", rows) == pytest.approx(3 / 4)


def test_the_correlation_with_the_output_is_that_of_occupations() -> None:
    rng = np.random.default_rng(5)
    occupations = [f"o{n}" for n in range(12) for _ in range(6)]
    lean = dict(zip(sorted(set(occupations)), rng.normal(0, 2, 12), strict=True))
    odds = [float(lean[o] + rng.normal()) for o in occupations]
    output = ["female" if lean[o] + rng.normal() > 0 else "male" for o in occupations]
    rows = table(odds, occupation=occupations, output=output, verb=[f"v{n % 6}" for n in range(72)])
    made = estimate(
        rows,
        clusters=("occupation", "verb"),
        groupings=Grouping.by("output"),
        measures=["P_feminine", "output_correlation"],
    )
    found = made.filter(measure="output_correlation").row(0, named=True)
    means = rows.group_by("occupation").agg(
        (1 / (1 + (-pl.col("score_feminine")).exp())).mean().alias("p"),
        (pl.col("output") == "female").mean().alias("o"),
    )
    assert found["value"] == pytest.approx(pearsonr(means["p"], means["o"])[0])
    assert -1 <= found["low"] < found["value"] < found["high"] <= 1
    assert "12 clusters" in found["interval"]


def test_the_slope_on_a_reference_is_the_line_through_the_occupations() -> None:
    rows = table([0.0, 1.0, 2.0, 3.0, 5.0, 5.0], occupation=list("aabbcc"), share=[0.1, 0.1, 0.5, 0.5, 0.9, 0.9])
    line = reference_slope("share", metric=True)
    found = estimate(rows, clusters=("occupation",), measures=[line]).row(0, named=True)
    assert found["value"] == pytest.approx(np.polyfit([0.1, 0.5, 0.9], [0.5, 2.5, 5.0], 1)[0])
    assert found["interval"].startswith("t over 3 clusters")


@pytest.mark.parametrize("name", ["P_feminine", "log_odds", "AUC", "error_rate_ratio", "output_correlation"])
def test_what_nothing_decides_is_undefined(name: str) -> None:
    rows = table([0.0] * 4, gold=["male"] * 4, output=["unknown"] * 4).with_columns(
        score_feminine=pl.lit(None, dtype=pl.Float64)
    )
    found = estimate(rows, measures=[by_name(name)]).row(0, named=True)
    assert found["value"] is None
    assert found["low"] is None


def test_groups_of_different_occupations_are_compared_by_their_spread_and_not_by_their_mean() -> None:
    rng = np.random.default_rng(11)
    occupations = [f"o{n}" for n in range(40) for _ in range(4)]
    about = ["women" if int(o[1:]) % 2 else "men" for o in occupations]
    odds = [-3.0 + (0.6 if group == "women" else 0.0) + float(rng.normal(0, 0.5)) for group in about]
    rows = table(odds, occupation=occupations, about=about)
    made = estimate(rows, clusters=("occupation",), groupings=Grouping.by("about"), measures=["log_odds"])
    tested = made.filter(pl.col("family").is_not_null()).row(0, named=True)
    assert tested["p"] < 0.001
    assert tested["high"] - tested["low"] < 0.5
