"""Comparing systems: paired tests, ranking with ties, what differs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.measures.counts import encode
from evenhand.measures.paired import compare
from evenhand.measures.shares import Share
from evenhand.statistics.bootstrap import Job
from evenhand.statistics.swapping import Pair, p_values, step_down, swapped


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
    found = compare(runs, clusters=("item",), measures=("TFG", "P_S"), resamples=400, permutations=400)
    row = found.differences.row(0, named=True)
    assert row["level"] == "far - near"
    assert row["low"] < row["value"] < row["high"] < 0
    assert max(row["p"], row["p_adjusted"], row["bootstrap_p"]) < 0.01
    ranks = dict(found.ranking.filter(pl.col("measure") == "TFG").select("system", "rank").iter_rows())
    assert ranks == {"near": 1, "far": 2}
    assert "swaps by item" in row["family"]


def test_systems_the_test_cannot_tell_apart_share_a_rank() -> None:
    runs = {name: run([0.3] * 40, seed=n) for n, name in enumerate("abc")}
    found = compare(runs, clusters=("item",), measures=("TFG",), resamples=200, permutations=400)
    assert found.ranking["rank"].to_list() == [1, 1, 1]
    assert all(len(t.split(", ")) == 2 for t in found.ranking["tied_with"])


def test_nearer_means_distance_from_the_neutral_point() -> None:
    # 30 % and 70 % female are equally far from one half: values differ, ranks do not
    runs = {"low": run([0.3] * 60, seed=2), "high": run([0.7] * 60, seed=3)}
    found = compare(runs, clusters=("item",), measures=("TFG",), resamples=200, permutations=400)
    assert found.differences["p_adjusted"][0] < 0.01
    assert found.ranking["rank"].to_list() == [1, 1]


def test_swapping_all_ways_gives_the_exact_p() -> None:
    first, second = run([1, 1, 1, 1, 1, 1, 0.5], each=2), run([0, 0, 0, 0, 0, 0, 0.5], each=2)
    measure = Share(Gender.FEMALE)
    jobs = [
        Job(measure, measure.statistics(t, encode(t, ("item",))[1]))
        for t in (encode(first, ("item",))[0], encode(second, ("item",))[0])
    ]
    pair = Pair(jobs[0], jobs[1])
    observed = jobs[0].point() - jobs[1].point()
    sums = [j.statistics.cells[:, 0] for j in jobs]
    hits = [
        abs(sum((a - b) * s for a, b, s in zip(*sums, signs, strict=True))) / 14 >= abs(observed) - 1e-12
        for signs in product((1, -1), repeat=7)
    ]
    values, _ = swapped([pair], 0, 7, seed=1, permutations=20_000)
    assert p_values(np.array([observed]), values)[0] == pytest.approx(np.mean(hits), abs=0.005)


def test_the_same_test_twice_costs_nothing_and_independent_ones_do() -> None:
    rng = np.random.default_rng(0)
    swaps = rng.normal(size=(1, 20_000))
    once = step_down(np.array([2.2]), swaps)[0]
    twice = step_down(np.array([2.2, 2.2]), np.vstack([swaps, swaps]))
    assert twice == pytest.approx([once, once])
    apart = step_down(np.array([2.2, 0.1]), rng.normal(size=(2, 20_000)))
    assert apart[0] == pytest.approx(1 - (1 - 0.0278) ** 2, abs=0.006)


def test_probes_that_one_run_lacks_are_left_out_and_counted() -> None:
    whole = run([0.3] * 20)
    part = run([0.3] * 20, seed=1).filter(pl.col("item") != "o003").sample(fraction=1.0, shuffle=True, seed=2)
    found = compare({"a": whole, "b": part}, clusters=("item",), measures=("TFG",), resamples=50, permutations=50)
    assert (found.common, found.left_out) == (190, 10)


def test_differing_sentences_are_listed_with_both_verdicts(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    runs = {name: verb_labels(name) for name in ("DeepL", "Microsoft")}
    found = compare(runs, clusters=("occupation", "verb"), measures=("TFG",), resamples=100, permutations=100)
    merged = runs["DeepL"].join(runs["Microsoft"], on="id").filter(pl.col("gender") != pl.col("gender_right"))
    assert found.differing.height == merged.height > 0
    assert {"gender DeepL", "rendering Microsoft", "source"} <= set(found.differing.columns)
    assert found.differences["value"][0] == pytest.approx(377 / (377 + 3689) - 253 / (253 + 3733))


def test_measures_of_groups_only_are_left_out() -> None:
    runs = {"a": run([0.3] * 20), "b": run([0.3] * 20, seed=1)}
    found = compare(runs, clusters=("item",), measures=("TFG", "SBias"), resamples=50, permutations=50)
    assert found.differences["measure"].to_list() == ["TFG"]
    with pytest.raises(BadInput, match="none of these measures"):
        compare(runs, clusters=("item",), measures=("SBias",))


def test_runs_of_different_suites_are_an_error() -> None:
    other = run([0.5]).with_columns(id=pl.lit("x-") + pl.col("id"))
    with pytest.raises(BadInput, match="no probe in common"):
        compare({"a": run([0.5]), "b": other}, clusters=("item",))
    with pytest.raises(BadInput, match="at least two runs"):
        compare({"a": run([0.5])}, clusters=("item",))
    with pytest.raises(BadInput, match="no column 'item'"):
        compare({"a": run([0.5]), "b": run([0.5]).drop("item")}, clusters=("item",))
