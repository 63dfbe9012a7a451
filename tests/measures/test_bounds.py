"""Bounds for undecided renderings: all assignments, sampling error, and nothing where nothing is undecided."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from evenhand.measures.bounds import imbens_manski
from evenhand.measures.definitions.registry import by_name
from evenhand.measures.estimate import estimate


def run(female: int, male: int, unknown: int, clusters: int = 40) -> pl.DataFrame:
    genders = ["female"] * female + ["male"] * male + ["unknown"] * unknown
    order = np.random.default_rng(0).permutation(len(genders))
    return pl.DataFrame(
        {
            "id": [str(n) for n in range(len(genders))],
            "item": [f"o{n % clusters}" for n in range(len(genders))],
            "gender": [genders[n] for n in order],
        }
    )


def bounds(table: pl.DataFrame, measure: str) -> tuple[float, float]:
    row = estimate(table, clusters=("item",), measures=(measure,), resamples=500).row(0, named=True)
    assert row["bounds_low"] <= row["low"] <= row["value"] <= row["high"] <= row["bounds_high"]
    return row["bounds_low"], row["bounds_high"]


def test_undecided_renderings_may_be_neutral_too() -> None:
    # 400 female, 400 male, 200 unknown: "worst cases" were [0, 0] for neutral and [.4899, .4899] for P_S
    table = run(400, 400, 200)
    low, high = bounds(table, "share_neutral")
    assert low == 0
    assert 0.2 < high < 0.25
    low, high = bounds(table, "P_S")
    assert 0.46 < low < np.sqrt(0.6 * 0.4)
    assert np.sqrt(0.4 * 0.4 + 0.2) < high < 0.65
    assert bounds(table, "share_both")[1] > 0.2


def test_bounds_are_given_for_a_single_undecided_rendering_and_not_without_one() -> None:
    low, high = bounds(run(300, 699, 1), "share_female")
    row = estimate(run(300, 699, 1), clusters=("item",), measures=("share_female",)).row(0, named=True)
    assert high - low < 1.15 * (row["high"] - row["low"])
    decided = estimate(run(300, 700, 0), clusters=("item",), measures=("share_female",)).row(0, named=True)
    assert (decided["bounds_low"], decided["bounds_high"]) == (None, None)


@pytest.mark.parametrize("name", ["accuracy", "F1_female", "dG", "TCG"])
def test_the_bare_bounds_are_those_of_every_assignment(name: str) -> None:
    # two clusters carry no interval, so the bounds are the plain extremes: tried one by one
    rng = np.random.default_rng(4)
    gold = rng.choice(["female", "male"], 14)
    gender = np.r_[rng.choice(["female", "male", "neutral"], 9), ["unknown"] * 5]
    table = pl.DataFrame({"id": [str(n) for n in range(14)], "item": ["a", "b"] * 7, "gold": gold, "gender": gender})
    row = estimate(table, clusters=("item",), measures=(name,)).row(0, named=True)
    measure = by_name(name)
    values = []
    for decided in product(["female", "male", "neutral", "both"], repeat=5):
        filled = table.with_columns(gender=pl.Series([*gender[:9], *decided]))
        statistics = measure.statistics(filled, ("item",))
        values.append(float(measure.value(statistics, np.ones((1, 2)))[0]))
    assert (row["bounds_low"], row["bounds_high"]) == pytest.approx((min(values), max(values)))


def test_the_ends_move_from_two_sided_to_one_sided_as_the_bounds_part() -> None:
    assert imbens_manski(0.0, 0.95) == pytest.approx(0.95, abs=1e-6)
    assert imbens_manski(50.0, 0.95) == pytest.approx(0.90, abs=1e-6)
    assert 0.90 < imbens_manski(1.0, 0.95) < 0.95
