"""Accuracy, F1, dG, dS and %TCG against published figures."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand import load_suite
from evenhand.measures.estimate import estimate
from evenhand.statistics.classical import adjust, chi_square
from evenhand.suites.suite import Grouping


def repeated(counts: dict[tuple[str, str], int], **extra: str) -> pl.DataFrame:
    """A table with so many rows of each (gold, gender)."""
    parts = [pl.DataFrame({"gold": [gold] * n, "gender": [gender] * n}) for (gold, gender), n in counts.items() if n]
    table = pl.concat(parts).with_row_index("row")
    return table.with_columns(id=pl.col("row").cast(pl.String), **{k: pl.lit(v) for k, v in extra.items()})


def values(table: pl.DataFrame, *measures: str) -> list[float]:
    return estimate(table, measures=measures, resamples=50)["value"].to_list()


def test_the_published_google_german_row_comes_out() -> None:
    # gold 1,826 male, 1,822 female, 240 neutral; the log gives p and r of male (55.8, 82.0) and female (71.2, 43.4),
    # accuracy 59.4 %, and 69.0 % and 28.5 % of the predictions (Stanovsky et al. 2019, mt_gender log)
    table = repeated(
        {
            ("male", "male"): 1497, ("male", "female"): 286, ("male", "unknown"): 43,
            ("female", "female"): 791, ("female", "male"): 1001, ("female", "neutral"): 30,
            ("neutral", "neutral"): 21, ("neutral", "male"): 185, ("neutral", "female"): 34,
        }
    )  # fmt: skip
    accuracy, male, female, exact, published = values(table, "accuracy", "F1_male", "F1_female", "dG", "dG_published")
    assert round(100 * accuracy, 1) == 59.4
    assert round(100 * male, 1) == 66.4
    assert 100 * published == pytest.approx(12.5)
    assert exact == pytest.approx(male - female)


def test_unknown_and_both_are_wrong_and_neutral_gold_counts() -> None:
    table = repeated(
        {("female", "female"): 1, ("female", "unknown"): 1, ("male", "both"): 1, ("neutral", "neutral"): 1}
    )
    assert values(table, "accuracy") == [0.5]


def test_a_gender_that_is_never_right_has_f1_zero_and_one_that_never_occurs_none() -> None:
    table = repeated({("female", "male"): 3, ("male", "male"): 3})
    female, neutral, male = values(table, "F1_female", "F1_neutral", "F1_male")
    assert female == 0
    assert neutral is None
    assert male == pytest.approx(2 * 3 / (6 + 3))


def test_ds_is_pro_minus_anti_and_needs_both() -> None:
    pro = repeated({("female", "female"): 8, ("female", "male"): 2}, stereotype="pro")
    anti = repeated({("male", "male"): 5, ("male", "unknown"): 5}, stereotype="anti")
    assert values(pl.concat([pro, anti]), "dS") == [pytest.approx(0.3)]
    assert values(pro, "dS") == [None]


def test_a_coin_is_not_found_to_treat_stated_women_and_men_differently() -> None:
    # among stated men alone F1 of women is 0 by construction: F1 and dG "differed" by gold in every run
    probes = load_suite("occupations-coreference").probes
    groupings = tuple(Grouping(name, column=name) for name in ("gold", "stereotype"))
    alarms = 0
    for seed in range(12):
        coin = np.random.default_rng([15, seed]).random(probes.height) < 0.5
        table = probes.with_columns(gender=pl.Series(np.where(coin, "female", "male")))
        measures = ("accuracy", "F1_female", "F1_male", "dG")
        found = estimate(
            table, clusters=("occupation",), groupings=groupings, measures=measures, resamples=200, seed=seed
        )
        tested = (
            found.filter(pl.col("family").is_not_null()).select("measure", "group").unique().sort("measure", "group")
        )
        assert tested.rows() == [
            ("F1_female", "stereotype"), ("F1_male", "stereotype"), ("accuracy", "gold"), ("accuracy", "stereotype"),
            ("dG", "stereotype"),
        ]  # fmt: skip
        assert found.filter(pl.col("measure") == "dG", pl.col("group") == "gold").is_empty()
        alarms += found.filter(pl.col("p_adjusted") < 0.05).height > 0
    assert alarms <= 2  # of 12 runs


def test_table_3_of_troles_and_schmid_comes_out(shared_data: Path) -> None:
    # %TFG f/m/none 49.52 44.60 41.73; %TCG f-adjective female 89.6, male 88.8; chi2 f-none 66.32 (studies.md)
    counts = pl.read_csv(shared_data / "wibemt" / "published_table3.tsv", separator="\t")
    parts = [
        repeated(
            {
                ("female", "female"): row["true_feminine"], ("female", "male"): row["false_masculine"],
                ("male", "male"): row["true_masculine"], ("male", "female"): row["false_feminine"],
            },
            adjective_class=row["adjective"],
        )
        for row in counts.filter(pl.col("system") == "DeepL").iter_rows(named=True)
    ]  # fmt: skip
    table = pl.concat(parts).drop("row", "id").with_row_index("id")
    found = estimate(
        table,
        groupings=(Grouping("adjective_class", column="adjective_class"),),
        measures=("TFG", "TCG_female", "TCG_male"),
        resamples=100,
    )

    def cell(measure: str, level: str, column: str = "value") -> float:
        return float(found.filter((pl.col("measure") == measure) & (pl.col("level") == level))[column][0])

    assert [round(100 * cell("TFG", a), 2) for a in ("feminine", "masculine", "none")] == [49.52, 44.60, 41.73]
    assert (round(100 * cell("TCG_female", "feminine"), 1), round(100 * cell("TCG_male", "feminine"), 1)) == (
        89.6,
        88.8,
    )
    assert round(cell("TFG", "feminine - none", "independent_statistic"), 2) == 66.32
    assert round(cell("TFG", "masculine - none", "independent_statistic"), 2) == 9.01
    assert round(cell("TFG", "feminine - masculine", "independent_statistic"), 2) == 147.62


def test_p_times_three_is_bonferroni() -> None:
    p = chi_square([[1162 + 97, 324 + 1434], [12497 + 1028, 2378 + 14425]]).p
    assert adjust([p, 1e-9, 1e-9], "bonferroni")[0] == pytest.approx(3 * p)


def test_the_log_ratio_is_finite_for_a_word_never_feminine() -> None:
    table = repeated({("male", "male"): 10})
    assert values(table, "log_ratio") == [pytest.approx(math.log(10.5 / 0.5))]
