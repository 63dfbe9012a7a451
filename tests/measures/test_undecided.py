"""Undecided renderings in contrasts and comparisons: bounds, the tipping share, and gates that read it."""

from __future__ import annotations

import numpy as np
import polars as pl

from evenhand.measures.decisions.gate import baseline_checks
from evenhand.measures.decisions.paired import compare
from evenhand.measures.estimate import estimate
from evenhand.report.words.comparison import which_is_better
from evenhand.suites.suite import Grouping

KIND = Grouping("kind", column="kind")


def table(shares: tuple[float, float], lost: float, seed: int = 1) -> pl.DataFrame:
    """Two groups of 30 occupations x 12; so many of the first group's women are undecided."""
    rng = np.random.default_rng(seed)
    occupation = np.repeat(np.arange(60), 12)
    first = occupation < 30
    female = rng.random(720) < np.where(first, *shares)
    gender = np.where(female & first & (rng.random(720) < lost), "unknown", np.where(female, "female", "male"))
    columns = {"occupation": occupation.astype(str), "kind": np.where(first, "x", "y"), "gender": gender}
    return pl.DataFrame(columns).with_columns(id=pl.int_range(pl.len()).cast(pl.String))


def contrast(data: pl.DataFrame, measure: str = "TFG") -> dict[str, float | str | None]:
    found = estimate(data, clusters=("occupation",), groupings=(KIND,), measures=(measure,), resamples=300)
    row: dict[str, float | str | None] = found.filter(level="x - y").row(0, named=True)
    return row


def test_a_difference_that_the_undecided_could_make_says_from_which_share_on() -> None:
    row = contrast(table((0.3, 0.3), 0.5))
    low, high, share = (float(row[name] or 0) for name in ("bounds_low", "bounds_high", "tipping_undecided"))
    assert float(row["p"] or 0) < 0.05
    assert low < float(row["low"] or 0) < float(row["high"] or 0) < 0 < high
    data = table((0.3, 0.3), 0.5)
    decided = data.filter(pl.col("gender") != "unknown", kind="x")
    women = decided.filter(gender="female").height / decided.height
    undecided = data.filter(gender="unknown").height
    # by hand: so many of the undecided as women move the share by this much
    moved = undecided / (undecided + decided.height) * share
    assert abs(moved + float(row["high"] or 0)) < 1e-6
    assert women + share <= 1
    assert f"not significant if the undecided of x were women {100 * share:.0f} points more often" in str(row["note"])


def test_a_measure_that_is_no_share_says_it_too() -> None:
    """P_S has no one cell to count: an alarm in 16 % of 100 runs came without a note."""
    data = table((0.3, 0.3), 0.5)
    row = contrast(data, "P_S")
    share, high = float(row["tipping_undecided"] or 0), float(row["high"] or 0)
    assert high < 0
    assert "not significant if the undecided of x were women" in str(row["condition"])
    x = data.filter(kind="x")
    women, men, undecided = (x.filter(gender=gender).height for gender in ("female", "male", "unknown"))
    # by hand: P_S of two genders is the root of their product
    added = undecided * (women / (women + men) + share)
    filled = np.sqrt((women + added) * (men + undecided - added)) / x.height
    assert abs(filled - np.sqrt(women * men) / (women + men) + high) < 1e-6


def test_a_difference_larger_than_the_undecided_could_make_says_nothing() -> None:
    row = contrast(table((0.1, 0.7), 0.1))
    assert float(row["p"] or 1) < 0.001
    assert row["tipping_undecided"] is None
    assert "undecided of" not in str(row["note"])


def test_a_gate_does_not_fail_a_run_for_what_its_undecided_may_have_been() -> None:
    before = table((0.4, 0.4), 0.0)
    women = (pl.col("gender") == "female") & (pl.col("id").cast(pl.Int64) % 5 == 0)
    now = before.with_columns(gender=pl.when(women).then(pl.lit("unknown")).otherwise("gender"))
    said = compare(
        {"now": now, "before": before}, clusters=("occupation",), measures=["TFG"], margins={"TFG": 0.0}, resamples=300
    )
    row = said.differences.row(0, named=True)
    assert row["p_adjusted"] < 0.05
    assert row["tipping_undecided"] > 0
    (check,) = baseline_checks(said, "now", "before", level=0.95)
    assert check.passed
    assert "not significant if the undecided of now were women" in check.told
    male = before.with_columns(gender=pl.when(women).then(pl.lit("male")).otherwise("gender"))
    worse = compare(
        {"now": male, "before": before}, clusters=("occupation",), measures=["TFG"], margins={"TFG": 0.0}, resamples=300
    )
    assert not baseline_checks(worse, "now", "before", level=0.95)[0].passed


def test_the_level_reaches_the_gate() -> None:
    before = table((0.4, 0.4), 0.0)
    fewer = (pl.col("gender") == "female") & (pl.col("id").cast(pl.Int64) % 31 == 0)
    now = before.with_columns(gender=pl.when(fewer).then(pl.lit("male")).otherwise("gender"))
    outcomes = {}
    for level in (0.8, 0.999999):
        said = compare(
            {"now": now, "before": before},
            clusters=("occupation",),
            measures=["TFG"],
            margins={"TFG": 0.0},
            resamples=2_000,
            level=level,
        )
        (check,) = baseline_checks(said, "now", "before", level=level)
        outcomes[level] = check.outcome
        if check.outcome == "worse":
            assert "worse by at least -" not in check.told
    assert outcomes == {0.8: "worse", 0.999999: "inconclusive"}


def test_a_measure_that_cannot_differ_costs_the_others_nothing() -> None:
    before = table((0.4, 0.4), 0.0)
    now = table((0.3, 0.4), 0.0, seed=2)
    runs = {"now": now, "before": before}
    adjusted = [
        compare(runs, clusters=("occupation",), measures=measures, resamples=2_000).differences["p_adjusted"][0]
        for measures in (["TFG"], ["TFG", "share_neutral", "share_both"])
    ]
    assert abs(adjusted[0] - adjusted[1]) < 0.01


def counted(heavy: int, women: tuple[int, int]) -> pl.DataFrame:
    """20 occupations, the first with so many sentences and women, the others with 10 sentences and 4 or 5 women."""
    sizes, female = [heavy, *[10] * 19], [women[0], *[women[1] + n % 2 for n in range(19)]]
    rows = [(f"o{o}", n < female[o]) for o, size in enumerate(sizes) for n in range(size)]
    genders = [(occupation, "female" if woman else "male") for occupation, woman in rows]
    table = pl.DataFrame(genders, schema=["occupation", "gender"], orient="row")
    return table.with_columns(id=pl.int_range(pl.len()).cast(pl.String))


def test_a_difference_that_one_heavy_occupation_carries_says_so_and_fails_no_gate() -> None:
    for heavy, women, firm in ((190, (10, 120), False), (10, (3, 5), True)):
        runs = {"now": counted(heavy, (women[0], 3)), "before": counted(heavy, (women[1], 4))}
        said = compare(runs, clusters=("occupation",), measures=["TFG"], margins={"TFG": 0.0}, resamples=2_000)
        row = said.differences.row(0, named=True)
        assert row["p_adjusted"] < 0.05
        condition = None if firm else "depends on one occupation, o0, which has 50 % of the renderings"
        assert row["condition"] == condition
        (check,) = baseline_checks(said, "now", "before", level=0.95)
        assert check.passed is not firm
        assert (condition or "worse") in check.told
        headline = which_is_better(said, "TFG")
        assert headline.endswith(f"; this is not a firm finding: {condition}.") is not firm


def test_one_woman_more_does_not_make_p_s_differ_where_the_other_system_has_none() -> None:
    none = pl.DataFrame({"id": [str(n) for n in range(25)], "occupation": [f"o{n}" for n in range(25)]})
    runs = {
        "some": none.with_columns(gender=pl.when(pl.col("id") == "3").then(pl.lit("female")).otherwise(pl.lit("male"))),
        "none": none.with_columns(gender=pl.lit("male")),
    }
    said = compare(runs, clusters=("occupation",), measures=["P_S", "TFG"], resamples=1_000).differences
    p = dict(said.select("measure", "p").iter_rows())
    assert p["P_S"] == p["TFG"]
    assert p["P_S"] > 0.4


def test_one_woman_in_a_set_does_not_make_the_tgbi_differ() -> None:
    """A set without a woman has P_S 0, where the root's slope is infinite: 25 % of equal pairs differed, up to 1."""
    kinds = ["negative"] * 40 + ["positive"] * 40 + ["occupation"] * 265
    rows = pl.DataFrame({"id": [str(n) for n in range(345)], "concept": [f"c{n}" for n in range(345)], "kind": kinds})
    women = (["3", "100", "200"], ["50", "101", "210"])
    runs = {
        name: rows.with_columns(
            gender=pl.when(pl.col("id").is_in(ids)).then(pl.lit("female")).otherwise(pl.lit("male"))
        )
        for name, ids in zip(("one", "two"), women, strict=True)
    }
    sets = [Grouping("sets", "kind")]
    said = compare(runs, clusters=("concept",), measures=["TGBI"], groupings=sets, resamples=1_000).differences
    row = said.filter(measure="TGBI").row(0, named=True)
    assert row["p"] > 0.5
    assert -0.2 < row["low"] < 0 < row["high"] < 0.2
