"""Planning: the formula against a textbook value and against simulation."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.statistics.power import Design, needed, power
from evenhand.workflows.plan import design_of


def test_two_independent_samples_need_the_textbook_number() -> None:
    # 50 % against 60 %, power 80 %, alpha 5 %, unpooled: 385 a group (Fleiss, without continuity correction)
    assert needed(Design(0.5, 1, icc=0.0, shared=0.0), 0.1).clusters == 385


def test_clustering_costs_what_the_design_effect_says() -> None:
    alone = needed(Design(0.3, 1, icc=0.0, shared=0.0), 0.05).probes
    clustered = needed(Design(0.3, 10, icc=0.2, shared=0.0), 0.05).probes
    assert clustered / alone == pytest.approx(1 + 9 * 0.2, rel=0.02)


@given(st.floats(0.05, 0.95), st.floats(1, 50), st.floats(0, 0.9), st.floats(0, 0.9), st.floats(0.02, 0.3))
def test_what_is_needed_reaches_the_wanted_power(
    share: float, each: float, icc: float, shared: float, difference: float
) -> None:
    design = Design(share, each, icc, shared)
    assert needed(design, difference).power >= 0.8 - 1e-9 or needed(design, difference).clusters == 2
    assert needed(design, difference, wanted=0.9).clusters >= needed(design, difference).clusters
    assert needed(design, difference, tests=5).clusters >= needed(design, difference).clusters


def test_simulated_systems_are_told_apart_as_often_as_promised() -> None:
    rng = np.random.default_rng(0)
    design, clusters, difference = Design(0.3, 5, icc=0.2, shared=0.0), 150, 0.07
    found = 0
    concentration = 1 / design.icc - 1
    for _ in range(1_500):
        means = []
        for share in (0.3, 0.3 + difference):
            chance = rng.beta(share * concentration, (1 - share) * concentration, clusters)
            means.append(rng.binomial(5, chance) / 5)
        gap = means[1] - means[0]
        found += abs(gap.mean()) > 1.96 * gap.std(ddof=1) / np.sqrt(clusters)
    assert found / 1_500 == pytest.approx(power(design, difference, clusters), abs=0.05)


def test_a_pilot_run_gives_share_size_and_icc() -> None:
    rng = np.random.default_rng(1)
    chance = rng.beta(0.2 * 4, 0.8 * 4, 3_000)  # icc 1 / (1 + 4)
    rows = [
        (f"{i}-{n}", f"o{i}", "female" if rng.random() < p else "male") for i, p in enumerate(chance) for n in range(6)
    ]
    table = pl.DataFrame(rows, schema=["id", "item", "gender"], orient="row")
    design = design_of(table, ("item",))
    assert design.share == pytest.approx(0.2, abs=0.02)
    assert design.each == 6
    assert design.icc == pytest.approx(0.2, abs=0.03)


def test_impossible_plans_are_errors() -> None:
    with pytest.raises(BadInput, match="difference of 0"):
        needed(Design(0.3, 1), 0.0)
    with pytest.raises(BadInput, match="share must lie between 0 and 1"):
        Design(30, 1)
    with pytest.raises(BadInput, match="takes a gender"):
        design_of(pl.DataFrame({"id": ["1"], "item": ["a"], "gender": ["neutral"]}), ("item",))
