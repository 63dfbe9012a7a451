"""Clusters that nobody named: found where renderings that share a value are more alike than chance."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from evenhand.measures.axes import find_axes
from evenhand.measures.definitions.counts import encode
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping


def table(jobs: int, templates: int, spreads: tuple[float, float], seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, spreads[0], jobs)[:, None] + rng.normal(0, spreads[1], templates)
    female = rng.random((jobs, templates)) < 1 / (1 + np.exp(-odds))
    rows = [
        (
            f"{j}-{t}",
            f"The w{j} said t{t}.",
            f"w{j}",
            f"j{j}",
            f"t{t}",
            f"s{j % 8}",
            "female" if female[j, t] else "male",
        )
        for j, t in np.ndindex(jobs, templates)
    ]
    return pl.DataFrame(rows, schema=["id", "source", "focus", "job", "template", "sector", "gender"], orient="row")


PROBES = ("id", "source", "focus", "job", "template", "sector")


def test_jobs_and_templates_that_lean_are_found_to_cross() -> None:
    axes = find_axes(table(30, 12, (1.5, 1.0)), PROBES)
    assert set(axes.columns) == {"job", "template"}
    assert all(f"{name} (correlation 0." in axes.note for name in ("job", "template"))


def test_a_column_whose_values_are_alike_by_chance_alone_is_no_axis() -> None:
    found = [find_axes(table(40, 12, (1.5, 0.0), seed), PROBES).columns for seed in range(20)]
    assert all(columns[0] == "job" for columns in found)
    assert sum("template" in columns for columns in found) <= 10
    assert not any("sector" in columns for columns in found)  # jobs nest in it, and it adds nothing


def test_an_attribute_wins_over_the_focus_word_it_repeats_and_the_focus_counts_where_there_is_none() -> None:
    data = table(30, 8, (2.0, 0.0))
    assert "focus" not in find_axes(data, PROBES).columns
    assert find_axes(data.drop("job", "sector", "template"), ("id", "source", "focus")).columns == ("focus",)


def test_sentences_that_share_words_without_any_axis_are_warned_about() -> None:
    axes = find_axes(table(12, 10, (0.0, 0.0), 3), ("id", "source", "focus"))
    if not axes.found:
        assert "120 rows have 12 different focus words and 120 rows have 10 different frames" in axes.note
        assert "--cluster" in axes.note
    own = table(40, 1, (0.0, 0.0)).with_columns(source=pl.col("id") + pl.col("focus"))
    assert find_axes(own, ("id", "source", "focus")).note == ""


def test_a_column_named_occupation_is_always_an_axis() -> None:
    data = table(10, 4, (0.0, 0.0)).rename({"job": "occupation"})
    assert find_axes(data, ("id", "source", "focus", "occupation")).columns[0] == "occupation"


def test_the_correlation_is_that_of_an_analysis_of_variance() -> None:
    data = table(60, 10, (1.5, 0.0), 5)
    axis = find_axes(data, ("id", "job")).found[0]
    coded, (codes,) = encode(data, ("job",))
    y = (coded["gender"] == "female").cast(pl.Float64).to_numpy()
    means = np.array([y[coded[codes].to_numpy() == c].mean() for c in range(60)])
    between = 10 * ((means - y.mean()) ** 2).sum() / 59
    within = sum(((y[coded[codes].to_numpy() == c] - means[c]) ** 2).sum() for c in range(60)) / 540
    assert axis.icc == pytest.approx((between - within) / (between + 9 * within), abs=0.02)


def test_a_column_that_clusters_keeps_its_rows_by_group_with_intervals_over_what_else_is_sampled() -> None:
    rng = np.random.default_rng(5)
    job, template = (grid.reshape(-1) for grid in np.meshgrid(np.arange(8), np.arange(20), indexing="ij"))
    chances = np.linspace(0.1, 0.9, 8)[job]
    data = pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(160)],
            "job": [f"j{n}" for n in job],
            "template": [f"t{n}" for n in template],
            "gender": np.where(rng.random(160) < chances, "female", "male"),
        }
    )
    groupings = (Grouping("job", column="job"),)

    def by_job(*clusters: str) -> pl.DataFrame:
        found = estimate(
            data, clusters=clusters, groupings=groupings, measures=("share_female", "SBias"), resamples=200
        )
        return found.filter(group="job", measure="share_female")

    crossed = by_job("job", "template")
    assert crossed.select("level", "value", "low", "high").equals(
        by_job("template").select("level", "value", "low", "high")
    )
    alone = by_job("job")
    assert alone["level"].to_list() == [f"j{n}" for n in range(8)]
    shares = data.group_by("job").agg((pl.col("gender") == "female").mean()).sort("job")["gender"].to_list()
    assert alone["value"].to_list() == shares
    assert (alone["low"].is_not_null() & (alone["n_clusters"] == 20)).all()


def test_verbs_are_an_axis_and_what_a_system_wrote_is_none() -> None:
    """A table of `evenhand pairs`: its halves repeat with the occupation, and took the place of the verb."""
    data = table(30, 12, (1.5, 0.0)).rename({"job": "occupation", "template": "verb"})
    data = data.with_columns(feminine="La " + pl.col("focus"), output="gender").drop("sector")
    axes = find_axes(data, [column for column in data.columns if column != "gender"])
    assert axes.columns == ("occupation", "verb")
