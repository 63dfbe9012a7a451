"""Comparing systems: paired tests, ranking with ties, what differs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy import stats

from evenhand.errors import BadInput
from evenhand.measures.decisions.paired import compare


def run(shares: list[float], each: int = 10, seed: int = 0) -> pl.DataFrame:
    """A run with one cluster for each share of female renderings."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"{item}-{n}", f"o{item:03d}", "female" if rng.random() < share else "male", f"Sentence {n} about {item}.")
        for item, share in enumerate(shares)
        for n in range(each)
    ]
    return pl.DataFrame(rows, schema=["id", "item", "gender", "source"], orient="row")


def test_a_clear_difference_is_found_and_ranked_by_the_measures_direction() -> None:
    runs = {"far": run([0.1] * 40), "near": run([0.4] * 40, seed=1)}
    found = compare(runs, clusters=("item",), measures=("TFG", "P_S"), resamples=400)
    row = found.differences.row(0, named=True)
    assert row["level"] == "far - near"
    assert row["low"] < row["value"] < row["high"] < 0
    assert row["p"] <= row["p_adjusted"] < 0.01
    ranks = dict(found.ranking.filter(pl.col("measure") == "TFG").select("system", "rank").iter_rows())
    assert ranks == {"near": 1, "far": 2}
    assert row["family"] == "2 systems x 2 measures (max-T)"


def test_systems_the_test_cannot_tell_apart_share_a_rank() -> None:
    runs = {name: run([0.3] * 40, seed=n) for n, name in enumerate("abc")}
    found = compare(runs, clusters=("item",), measures=("TFG",), resamples=200)
    assert found.ranking["rank"].to_list() == [1, 1, 1]
    assert all(len(t.split(", ")) == 2 for t in found.ranking["tied_with"])


def test_nearer_means_distance_from_the_neutral_point() -> None:
    # 30 % and 70 % female are equally far from one half: values differ, ranks do not
    runs = {"low": run([0.3] * 60, seed=2), "high": run([0.7] * 60, seed=3)}
    found = compare(runs, clusters=("item",), measures=("TFG",), resamples=200)
    assert found.differences["p_adjusted"][0] < 0.01
    assert found.ranking["rank"].to_list() == [1, 1]
    assert dict(found.ranking.select("system", "tied_with").iter_rows()) == {"low": "high", "high": "low"}
    assert found.differences["reading"].to_list() == ["different, neither significantly nearer to 0.5"]


@pytest.mark.parametrize("measure", ["TFG", "VBias", "P_S"])
def test_every_other_system_is_better_or_worse_or_tied(measure: str) -> None:
    shares = {"a": 0.3, "b": 0.7, "c": 0.5, "d": 0.32, "e": 0.05, "f": 0.9}
    runs = {name: run([share] * 60, seed=n) for n, (name, share) in enumerate(shares.items())}
    found = compare(runs, clusters=("item",), measures=(measure,), resamples=200)
    ranked = {row["system"]: row for row in found.ranking.iter_rows(named=True)}
    shown = [
        (row["level"].split(" - "), row["reading"].split()[0])
        for row in found.differences.iter_rows(named=True)
        if row["ranking_p"] < 0.05
    ]
    for name, row in ranked.items():
        better = {ahead for pair, ahead in shown if name in pair and ahead != name}
        worse = {other for pair, ahead in shown if name in pair and ahead == name for other in pair} - {name}
        assert row["rank"] == 1 + len(better)
        assert set(filter(None, row["tied_with"].split(", "))) == set(shares) - {name} - better - worse
    if measure != "P_S":
        assert ranked["a"]["rank"] == ranked["b"]["rank"]
        assert "b" in ranked["a"]["tied_with"].split(", ")


def test_the_p_of_two_systems_is_that_of_the_paired_t_test_over_few_clusters_and_of_signs_over_more() -> None:
    for times in (2, 3):
        first, second = run([0.2, 0.5, 0.9] * times, each=20), run([0.3, 0.5, 0.7] * times, each=20, seed=5)
        tables = {"a": first, "b": second}
        row = compare(tables, clusters=("item",), measures=("TFG",)).differences.row(0, named=True)
        one, two = (
            t.group_by("item").agg((pl.col("gender") == "female").mean()).sort("item")["gender"].to_numpy()
            for t in (first, second)
        )
        if times == 2:
            assert row["p"] == pytest.approx(stats.ttest_rel(one, two).pvalue)
            continue
        signs = np.array(list(product((-1, 1), repeat=9)))
        sums, seen = np.abs(signs @ (one - two)), abs((one - two).sum())
        ties = np.isclose(sums, seen)
        assert row["p"] == pytest.approx(((sums > seen) & ~ties).mean() + ties.mean() / 2)


def test_equal_p_s_from_mirrored_shares_is_no_difference() -> None:
    # 40 and 60 % female have the same P_S; swapping the systems' answers called it different in 23 of 25 comparisons
    alarms = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        chances = [rng.beta(p * 6, (1 - p) * 6, size=120).tolist() for p in (0.4, 0.6)]
        runs = {
            name: run(c, each=8, seed=seed + 100 * n) for n, (name, c) in enumerate(zip("ab", chances, strict=True))
        }
        found = compare(runs, clusters=("item",), measures=("P_S", "TFG"), resamples=300).differences
        alarms += found["p"][0] < 0.05
        assert found["p"][1] < 0.05  # the shares do differ
    assert alarms <= 4


def test_leanings_by_occupation_and_by_verb_are_no_difference_between_systems() -> None:
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        runs = {}
        common = rng.normal(0, 1, 30)[:, None] + rng.normal(0, 1, 8)
        for name in "ab":
            leaning = common + rng.normal(0, 0.6, 30)[:, None] + rng.normal(0, 0.9, 8)
            female = rng.random((30, 8)) < 1 / (1 + np.exp(-leaning))
            cells = [(f"{o}-{v}", f"o{o}", f"v{v}", "female" if female[o, v] else "male") for o, v in np.ndindex(30, 8)]
            runs[name] = pl.DataFrame(cells, schema=["id", "occupation", "verb", "gender"], orient="row")
        found = compare(runs, clusters=("occupation", "verb"), measures=("TFG", "P_S"), resamples=300).differences
        alarms += bool((found["p_adjusted"] < 0.05).any())
    assert alarms <= 5


def test_probes_that_one_run_lacks_are_left_out_and_counted() -> None:
    whole = run([0.3] * 20)
    part = run([0.3] * 20, seed=1).filter(pl.col("item") != "o003").sample(fraction=1.0, shuffle=True, seed=2)
    found = compare({"a": whole, "b": part}, clusters=("item",), measures=("TFG",), resamples=50)
    assert (found.common, found.left_out) == (190, 10)


def test_differing_sentences_are_listed_with_both_verdicts(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    runs = {name: verb_labels(name) for name in ("DeepL", "Microsoft")}
    found = compare(runs, clusters=("occupation", "verb"), measures=("TFG",), resamples=100)
    merged = runs["DeepL"].join(runs["Microsoft"], on="id").filter(pl.col("gender") != pl.col("gender_right"))
    assert found.differing.height == merged.height > 0
    assert {"gender DeepL", "rendering Microsoft", "source"} <= set(found.differing.columns)
    assert found.differences["value"][0] == pytest.approx(377 / (377 + 3689) - 253 / (253 + 3733))


def test_measures_of_groups_only_are_left_out() -> None:
    runs = {"a": run([0.3] * 20), "b": run([0.3] * 20, seed=1)}
    found = compare(runs, clusters=("item",), measures=("TFG", "SBias"), resamples=50)
    assert found.differences["measure"].to_list() == ["TFG"]
    with pytest.raises(BadInput, match="none of these measures"):
        compare(runs, clusters=("item",), measures=("SBias",))


def test_runs_of_different_suites_are_an_error() -> None:
    other = run([0.5]).with_columns(id=pl.lit("x-") + pl.col("id"))
    with pytest.raises(BadInput, match="no probe in common"):
        compare({"a": run([0.5]), "b": other}, clusters=("item",), measures=("TFG",))
    with pytest.raises(BadInput, match="at least two runs"):
        compare({"a": run([0.5])}, clusters=("item",), measures=("TFG",))
    with pytest.raises(BadInput, match="no column 'item'"):
        compare({"a": run([0.5]), "b": run([0.5]).drop("item")}, clusters=("item",), measures=("TFG",))


def all_of(gender: str, count: int = 120) -> pl.DataFrame:
    return run([0.5] * (count // 10)).with_columns(gender=pl.lit(gender))


@pytest.mark.parametrize("seed", range(6))
def test_no_tie_stands_beside_a_small_p_and_no_separation_beside_a_large_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    near, far = rng.uniform(0.2, 0.5), rng.uniform(0.4, 0.95)
    runs = {"a": run([near] * 30, seed=seed), "b": run([far] * 30, seed=seed + 50), "c": run([1 - near] * 30, seed=90)}
    found = compare(runs, clusters=("item",), measures=("TFG", "P_S", "VBias", "share_male"), resamples=300)
    ranks = {(r["measure"], r["system"]): r for r in found.ranking.iter_rows(named=True)}
    for row in found.differences.iter_rows(named=True):
        one, two = (ranks[row["measure"], name] for name in row["level"].split(" - "))
        p = row["p_adjusted"] if row["ranking_p"] is None else row["ranking_p"]
        assert (two["system"] in one["tied_with"]) == (p >= 0.05)
        assert (row["reading"] == "no significant difference") == (row["p_adjusted"] >= 0.05)
        if one["rank"] != two["rank"] and row["p_adjusted"] >= 0.05:
            # ranks may differ by a third system only
            assert abs(one["rank"] - two["rank"]) == 1


def test_nearly_all_male_and_not_one_male_rendering_differ_though_neither_is_nearer() -> None:
    # .983 and .000 lie about as far from one half
    nearly = all_of("male").with_columns(gender=pl.Series(["female"] * 2 + ["male"] * 118))
    found = compare({"he": nearly, "she": all_of("female")}, clusters=("item",), measures=("share_male", "VBias"))
    by_measure = {r["measure"]: r for r in found.differences.iter_rows(named=True)}
    assert by_measure["share_male"]["p_adjusted"] < 0.001
    assert by_measure["share_male"]["reading"] == "different"
    assert by_measure["VBias"]["reading"] == "different, neither significantly nearer to 0"
    tied = {(r["measure"], r["system"]): r["tied_with"] for r in found.ranking.iter_rows(named=True)}
    assert {tied["share_male", name] for name in ("he", "she")} == {""}
    assert (tied["VBias", "he"], tied["VBias", "she"]) == ("she", "he")
    assert found.ranking.filter(pl.col("measure") == "share_male")["rank"].to_list() == [None, None]


def test_where_nothing_could_be_tested_nobody_is_tied() -> None:
    found = compare({"a": run([0.3, 0.6]), "b": run([0.9, 0.1])}, clusters=("item",), measures=("P_S",))
    assert found.differences["reading"].to_list() == ["no test"]
    assert set(found.ranking["tied_with"]) == {""}
    assert found.ranking["rank"].to_list() == [None, None]


def test_a_difference_has_a_small_p_if_and_only_if_its_interval_leaves_zero_out() -> None:
    """Two fair systems whose shares happen to differ: the interval and the plain p are one test, the corrected p is
    for all of them together and never smaller."""
    shown = set()
    for seed in range(40, 52):
        runs = {"a": run([0.5] * 100, 3, seed=seed), "b": run([0.5] * 100, 3, seed=seed + 100)}
        measures = ("share_female", "share_neutral", "P_S")
        for row in compare(runs, clusters=("item",), measures=measures, resamples=200).differences.to_dicts():
            assert (row["p"] < 0.05) == (not row["low"] <= 0 <= row["high"]), row
            assert row["p_adjusted"] >= row["p"]
            shown.add(row["p"] < 0.05)
    assert shown == {True, False}
