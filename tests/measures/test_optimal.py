"""B against an optimal translator: the paper's examples, hand-worked cases, and what is left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, trim_mean

from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.definitions.optimal import (
    by_occupation,
    influence,
    optimal_measures,
    reference_intervals,
    trimmed_mean,
    weighted_median,
)
from evenhand.measures.estimate import estimate
from evenhand.references.reference import ANSWERS, with_femininity
from evenhand.replicate import farkas2022
from evenhand.tsv import frame
from evenhand.workflows.reference_estimates import nearest


def one(share: float | None, *genders: str) -> dict[str, float | None]:
    table = pl.DataFrame(
        {"concept": ["x"] * len(genders), "gender": list(genders), "share_women": [share] * len(genders)},
        schema_overrides={"share_women": pl.Float64},
    )
    return by_occupation(table).row(0, named=True)


def test_the_majority_s_pronoun_is_unbiased_and_the_other_one_is_not() -> None:
    assert one(0.73, "female")["B"] == 0
    assert one(0.73, "male")["B"] == pytest.approx((0.73 - 0.27) / 0.27)


def test_a_tie_is_zero_for_either_pronoun() -> None:
    assert one(0.5, "female")["B"] == one(0.5, "male")["B"] == 0
    assert one(0.5, "male")["wrong"] is None


def test_no_minority_leaves_b_undefined() -> None:
    assert one(1.0, "male")["B"] is None
    assert one(0.0, "female")["B"] is None


def test_a_neutral_rendering_is_neither_she_nor_he() -> None:
    assert one(0.7, "neutral")["B"] is None
    mixed = one(0.7, "neutral", "male", "unknown")
    assert mixed["B"] == one(0.7, "male")["B"]


def test_a_missing_share_gives_no_error() -> None:
    assert one(None, "male")["B"] is None


@given(st.floats(0.01, 0.99), st.integers(0, 5), st.integers(0, 5))
def test_errors_follow_the_formula(share: float, she: int, he: int) -> None:
    if she + he == 0:
        return
    row = one(share, *["female"] * she, *["male"] * he)
    q = she / (she + he)
    assert row["E_t"] == pytest.approx(q * (1 - share) + (1 - q) * share)
    assert row["E_o"] == pytest.approx(min(share, 1 - share))
    assert row["E_o_probabilistic"] == pytest.approx(2 * share * (1 - share))
    assert row["B"] is not None
    assert row["B"] >= 0


def table_of_five() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": list("abcde"),
            "concept": ["a", "b", "c", "d", "e"],
            "gender": ["male", "female", "male", "female", "neutral"],
            "share_women": [0.8, 0.6, 0.25, 0.4, 0.9],
            "employed": [100.0, 300.0, 400.0, 50.0, 10.0],
            "sector": ["s", "s", "s", "t", "t"],
        }
    )


def test_sector_means_are_weighted_by_the_dominating_gender_and_kept_apart() -> None:
    found = estimate(table_of_five(), clusters=("concept",), measures=list(optimal_measures()), resamples=100)
    value = {r["measure"]: r["value"] for r in found.iter_rows(named=True) if r["level"] == ""}
    # a: E_t .8, E_o .2, B 3, women 80; b: B 0, women 180. e is neutral: left out.
    assert value["B_female_dominated"] == pytest.approx((3 * 80 + 0 * 180) / 260)
    # c: he for a male occupation, B 0, men 300; d: she, E_t .6, E_o .4, B .5, men 30.
    assert value["B_male_dominated"] == pytest.approx((0 * 300 + 0.5 * 30) / 330)
    assert value["wrong_female_dominated"] == pytest.approx(1 / 2)
    assert value["wrong_male_dominated"] == pytest.approx(1 / 2)
    assert value["B_mean"] == pytest.approx((3 + 0 + 0 + 0.5) / 4)
    assert value["B_median_biased"] == pytest.approx(1.75)  # of 3 and 0.5


def values_of(table: pl.DataFrame, column: str = "value") -> dict[str, float]:
    found = estimate(table, clusters=("concept",), measures=list(optimal_measures()), resamples=100)
    return {r["measure"]: r[column] for r in found.iter_rows(named=True) if r["level"] == ""}


def test_robust_companions_are_hand_worked() -> None:
    """B of a to d is 3, 0, 0 and 0.5; e is neutral."""
    value = values_of(table_of_five())
    assert value["B_median"] == pytest.approx(0.25)
    # A tenth of four occupations is 0.4 of one: 0.6 of the lowest and of the highest are left.
    assert value["B_trimmed"] == pytest.approx((0.6 * 0 + 0 + 0.5 + 0.6 * 3) / 3.2)
    assert value["B_log"] == pytest.approx((np.log(4) + np.log(1.5)) / 4)


def test_b_rows_count_the_occupations_they_rest_on() -> None:
    """Five occupations have a share, one of them no she or he; two of each kind dominate, two are biased."""
    table = pl.concat([table_of_five(), table_of_five().with_columns(id=pl.col("id") + "2")])  # two renderings each
    n, decided, clusters = (values_of(table, column) for column in ("n", "n_decided", "n_clusters"))
    assert (n["B_mean"], decided["B_mean"], clusters["B_mean"]) == (5, 4, 4)
    assert (n["B_female_dominated"], decided["B_female_dominated"]) == (3, 2)
    assert (n["B_median_biased"], decided["B_median_biased"]) == (2, 2)
    assert (n["error_optimal"], decided["error_optimal"]) == (5, 5)


def test_without_numbers_of_people_all_occupations_weigh_the_same() -> None:
    none = table_of_five().with_columns(employed=pl.lit(None, dtype=pl.Float64))
    value = values_of(none)
    assert value["B_female_dominated"] == pytest.approx(1.5)  # of 3 and 0
    assert value["B_male_dominated"] == pytest.approx(0.25)  # of 0 and 0.5
    some = table_of_five().with_columns(
        employed=pl.when(pl.col("concept") == "b").then(None).otherwise(pl.col("employed"))
    )
    assert values_of(some)["B_female_dominated"] == pytest.approx(3)  # b has no number: it is left out
    assert values_of(some, "n_decided")["B_female_dominated"] == 1


@given(st.lists(st.floats(0, 100), min_size=10, max_size=10), st.integers(1, 4))
def test_the_trimmed_mean_is_scipy_s_where_whole_values_are_cut(values: list[float], times: int) -> None:
    repeated = np.array(values * times)
    found = trimmed_mean(repeated, np.ones((1, len(repeated))))[0]
    assert found == pytest.approx(trim_mean(repeated, 0.1))
    weighted = trimmed_mean(np.array(values), np.full((1, 10), float(times)))[0]
    assert weighted == pytest.approx(found)


def test_the_largest_summands_of_b_are_named_with_a_warning(shared_data: Path) -> None:
    """Five of the 552 occupations of Prates' Hungarian file carry 46 % of the sum."""
    pronouns = frame(shared_data / "prates" / "job-genders.tsv")
    shares = farkas2022._shares(shared_data / "prates")
    table = (
        pronouns.with_row_index("concept")
        .select("concept", pl.col("Occupation").alias("title"), pl.col("Hungarian").str.to_lowercase().alias("gender"))
        .filter(pl.col("gender").is_in(["female", "male"]))
        .join(shares, on="title", how="inner", maintain_order="left")
    )
    found = influence(by_occupation(table).with_columns(english=table["title"]))
    assert found is not None
    assert found.n == 552
    assert sum(part for _, part in found.largest) == pytest.approx(0.46, abs=0.005)
    assert found.few
    assert "warning: half of it depends on" in str(found)


def test_evenly_spread_bias_gives_no_warning() -> None:
    errors = pl.DataFrame({"concept": [str(n) for n in range(100)], "B": [1.0] * 100})
    found = influence(errors)
    assert found is not None
    assert (found.half, found.few) == (50, False)
    assert influence(errors.with_columns(B=pl.lit(0.0))) is None


def test_the_reference_s_own_error_is_that_of_its_share() -> None:
    """One occupation, he: B = p / (1 - p) - 1 grows with p, so its quantiles are those of the Beta posterior."""
    table = pl.DataFrame({"concept": ["x"], "gender": ["male"], "share_women": [0.8], "reference_key": ["k"]})
    drawn = {"k": beta(320.5, 80.5).rvs(20_000, random_state=1)}
    measures = [m for m in optimal_measures() if m.name in ("B_mean", "B_log", "error_optimal")]
    found = reference_intervals(by_occupation(table), drawn, measures, 0.95)
    low, high = beta(320.5, 80.5).ppf([0.025, 0.975])
    assert found["B_mean"] == pytest.approx((low / (1 - low) - 1, high / (1 - high) - 1), rel=0.03)
    assert found["error_optimal"] == pytest.approx((1 - high, 1 - low), rel=0.03)


def test_occupations_of_one_row_of_the_reference_move_together() -> None:
    table = pl.DataFrame(
        {
            "concept": ["a", "b"],
            "gender": ["male", "male"],
            "share_women": [0.8, 0.8],
            "reference_key": ["k", "k"],
        }
    )
    drawn = {"k": beta(320.5, 80.5).rvs(4_000, random_state=1), "other": np.full(4_000, 0.5)}
    measures = [m for m in optimal_measures() if m.name == "B_mean"]
    one = reference_intervals(by_occupation(table.head(1)), drawn, measures, 0.95)
    both = reference_intervals(by_occupation(table), drawn, measures, 0.95)
    assert both["B_mean"] == pytest.approx(one["B_mean"])


def test_intervals_of_aggregates_contain_the_estimate_on_many_occupations() -> None:
    rng = np.random.default_rng(5)
    n = 200
    table = pl.DataFrame(
        {
            "id": [str(i) for i in range(n)],
            "concept": [str(i) for i in range(n)],
            "gender": np.where(rng.random(n) < 0.3, "female", "male"),
            "share_women": rng.uniform(0.05, 0.95, n),
            "employed": rng.uniform(10, 500, n),
        }
    )
    found = estimate(table, clusters=("concept",), measures=list(optimal_measures()), resamples=400)
    for row in found.filter(pl.col("measure") != "B_median").iter_rows(named=True):  # half of the values are 0
        assert row["low"] <= row["value"] <= row["high"]
        assert row["low"] < row["high"]


@given(st.lists(st.tuples(st.floats(-50, 50), st.integers(0, 4)), min_size=1, max_size=30))
def test_the_weighted_median_is_the_median_of_repeated_values(pairs: list[tuple[float, int]]) -> None:
    values = np.array([v for v, _ in pairs])
    weights = np.array([[float(w) for _, w in pairs]])
    repeated = np.repeat(values, [w for _, w in pairs])
    found = weighted_median(values, weights)[0]
    if len(repeated):
        assert found == pytest.approx(np.median(repeated))
    else:
        assert np.isnan(found)


def test_a_median_of_nothing_is_undefined() -> None:
    assert np.isnan(weighted_median(np.array([]), np.ones((2, 0)))).all()


def test_survey_scores_follow_the_paper() -> None:
    answers = pl.DataFrame([(170, 12, 7, 3, 4, 0), (0,) * 6], schema=list(ANSWERS), orient="row")
    carpenter, unasked = with_femininity(answers)["share_women"]
    assert 1 - carpenter == pytest.approx(446.5 / 454)
    assert unasked is None


def test_the_four_way_table_counts_changes_against_the_plain_sentence() -> None:
    plain = [("p1", None, None, "female"), ("p2", None, None, "male"), ("p3", None, None, "female")]
    good = [("g1", "p1", "good", "male"), ("g2", "p2", "good", "male"), ("g3", "p3", "good", "female")]
    vague = [("v1", "p1", "vague", "neutral"), ("v2", "p2", "vague", "female"), ("v3", "p3", "vague", "female")]
    table = pl.DataFrame([*plain, *good, *vague], schema=["id", "base", "adjective", "gender"], orient="row")
    made = added_word(table, clusters=("id",), seed=0, resamples=200, level=0.95)
    rows = {row["level"]: row for row in made.iter_rows(named=True)}
    assert rows["good"]["note"] == "she-she 1, he-he 1, she-he 1, he-she 0"
    assert rows["good"]["value"] == pytest.approx(-1 / 3)
    assert (rows["vague"]["n"], rows["vague"]["n_decided"]) == (3, 2)
    assert rows["vague"]["value"] == pytest.approx(1 / 2)


def test_the_nearest_reference_is_the_one_the_pronouns_follow() -> None:
    n = 60
    gender = ["female" if i % 3 == 0 else "male" for i in range(n)]
    follows = [0.8 if g == "female" else 0.2 for g in gender]
    against = [0.8 if i % 2 else 0.2 for i in range(n)]
    base = pl.DataFrame({"concept": [str(i) for i in range(n)], "gender": gender})
    tables = {
        "against": base.with_columns(share_women=pl.Series(against)),
        "follows": base.with_columns(share_women=pl.Series(follows)),
    }
    first, second, pair = nearest(tables, seed=0, resamples=400, level=0.95).iter_rows(named=True)
    assert (first["reference"], first["value"]) == ("follows", 0)
    assert (second["reference"], second["value"]) == ("against", pytest.approx(30 / 60))
    assert (pair["level"], pair["value"]) == ("against - follows", pytest.approx(30 / 60))
    # the mean of 60 occupations of which half are wrong, by the textbook's normal approximation
    assert (pair["low"], pair["high"]) == pytest.approx((0.5 - 1.96 * 0.0645, 0.5 + 1.96 * 0.0645), abs=0.03)
    assert pair["p_adjusted"] < 0.01
