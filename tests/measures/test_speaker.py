"""male_rate, f_m and f_s on counts worked by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping


def table(counts: dict[str, tuple[str, int, int]], *, neutral: int = 0) -> pl.DataFrame:
    """Renderings by stereotype: (about, female, male), each a sentence of its own."""
    rows = [
        (stereotype, about, gender)
        for stereotype, (about, female, male) in counts.items()
        for gender in ["female"] * female + ["male"] * male + ["neutral"] * neutral
    ]
    data = pl.DataFrame(rows, schema=["stereotype", "about", "gender"], orient="row")
    return data.with_columns(id=pl.int_range(pl.len()).cast(pl.String))


COUNTS = {"1": ("women", 6, 4), "2": ("women", 10, 30), "8": ("men", 2, 18)}


def values(data: pl.DataFrame) -> dict[tuple[str, str], float]:
    grouping = Grouping("stereotype", column="stereotype")
    found = estimate(data, clusters=(), groupings=(grouping,), measures=("male_rate", "f_m", "f_s"), resamples=200)
    return {(r["measure"], r["level"]): r["value"] for r in found.iter_rows(named=True)}


def test_rates_by_stereotype_and_their_means() -> None:
    """p_1 .4, p_2 .75, p_8 .9: women .575, men .9."""
    found = values(table(COUNTS))
    assert found["male_rate", "1"] == pytest.approx(0.4)
    assert found["male_rate", "2"] == pytest.approx(0.75)
    assert found["f_m", ""] == pytest.approx((0.575 + 0.9) / 2)
    assert found["f_s", ""] == pytest.approx(0.9 - 0.575)


def test_neutral_renderings_do_not_enter() -> None:
    assert values(table(COUNTS, neutral=7)) == pytest.approx(values(table(COUNTS)))


def test_a_stereotype_without_a_gendered_rendering_leaves_f_m_undefined() -> None:
    found = values(table(COUNTS | {"9": ("men", 0, 0)}, neutral=3))
    assert np.isnan(found["f_m", ""] if found["f_m", ""] is not None else np.nan)


def test_the_interval_of_f_s_holds_the_simulated_rate() -> None:
    """Sixteen stereotypes of 40 sentences, rates .5 and .7: at least 17 of 20 intervals at 95 % hold .2."""
    hits = 0
    for seed in range(20):
        draws = np.random.default_rng(seed)
        counts = {}
        for number in range(1, 17):
            male = int(draws.binomial(40, 0.5 if number <= 7 else 0.7))
            counts[str(number)] = ("women" if number <= 7 else "men", 40 - male, male)
        found = estimate(table(counts), clusters=(), groupings=(), measures=("f_s",), resamples=300)
        row = found.row(0, named=True)
        hits += row["low"] <= 0.2 <= row["high"]
    assert hits >= 17


def test_the_worst_accuracy_is_that_of_the_worst_language_and_gender_with_an_interval() -> None:
    """Three languages, one gender of one of them right in 60 %, all else in 95 %: the interval holds .6 in 17 of 20."""
    hits = 0
    for seed in range(20):
        draws = np.random.default_rng(seed)
        rows = [
            (language, gold, gold if draws.random() < rate else "neutral")
            for language in ("es", "fr", "ru")
            for gold in ("female", "male")
            for rate in [0.6 if (language, gold) == ("ru", "female") else 0.95]
            for _ in range(60)
        ]
        data = pl.DataFrame(rows, schema=["language", "gold", "gender"], orient="row")
        data = data.with_columns(id=pl.int_range(pl.len()).cast(pl.String))
        row = estimate(data, clusters=(), groupings=(), measures=("worst_accuracy",), resamples=300).row(0, named=True)
        hits += row["low"] <= 0.6 <= row["high"]
    assert hits >= 17
