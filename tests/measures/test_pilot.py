"""What is learnt from a pilot: against answers simulated with known numbers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.measures.pilot import pilot_of
from evenhand.statistics.power import JointChances


def runs(clusters: int, each: int, *, alike: float = 0.0, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two systems' verdicts: shares .2 and .3, icc .2, correlation .6; `alike` of the sentences share their luck."""
    rng = np.random.default_rng(seed)
    chances = JointChances.of(0.2, 0.3, icc=0.2, correlation=0.6).draw(rng, clusters)
    luck = rng.random((clusters, each))
    other = np.where(rng.random((clusters, each)) < alike, luck, rng.random((clusters, each)))
    tables = []
    for chance, drawn in zip(chances, (luck, other), strict=True):
        gender = np.where(drawn < chance[:, None], "female", "male").ravel()
        item = np.repeat([f"o{n:04}" for n in range(clusters)], each)
        ids = [str(n) for n in range(clusters * each)]
        tables.append(pl.DataFrame({"id": ids, "item": item, "gender": gender}))
    return tables[0], tables[1]


def test_two_runs_give_share_icc_and_correlation() -> None:
    pilot = pilot_of(*runs(3_000, 8, alike=0.5), clusters=("item",))
    assert pilot.share.value == pytest.approx(0.2, abs=0.015)
    assert pilot.icc.value == pytest.approx(0.2, abs=0.02)
    assert pilot.correlation is not None
    assert pilot.correlation.value == pytest.approx(0.6, abs=0.05)
    luck = JointChances.of(0.2, 0.3, icc=0.2, correlation=0.6).most_alike(np.random.default_rng(3))
    assert pilot.sentence == pytest.approx(0.5 * luck, abs=0.03)
    assert pilot.counted == 1.0


def test_one_run_says_nothing_of_the_correlation() -> None:
    pilot = pilot_of(runs(300, 8)[0], clusters=("item",))
    assert pilot.correlation is None
    assert pilot.icc.low < 0.2 < pilot.icc.high


def test_the_intervals_of_icc_and_correlation_hold_the_truth() -> None:
    held = np.zeros(2)
    for seed in range(120):
        pilot = pilot_of(*runs(40, 10, seed=seed), clusters=("item",))
        assert pilot.correlation is not None
        held += [i.low <= truth <= i.high for i, truth in ((pilot.icc, 0.2), (pilot.correlation, 0.6))]
    assert (held / 120 > 0.88).all()


def test_one_sentence_a_cluster_leaves_its_agreement_as_the_correlation() -> None:
    first, second = runs(3_000, 1, alike=0.7)
    pilot = pilot_of(first, second)
    assert (pilot.icc.value, pilot.icc.method) == (1.0, "one sentence per cluster: the cluster is the sentence")
    assert pilot.correlation is not None
    female = [(table["gender"] == "female").to_numpy().astype(float) for table in (first, second)]
    agreement = np.corrcoef(female[0], female[1])[0, 1]
    assert pilot.correlation.value == pytest.approx(agreement, abs=1e-6)


def test_renderings_without_a_gender_are_counted_and_left_out() -> None:
    first, _ = runs(30, 10)
    neutral = first.with_columns(
        gender=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("neutral")).otherwise("gender")
    )
    assert pilot_of(neutral, clusters=("item",)).counted == 0.5


def test_a_pilot_that_can_say_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="takes a gender"):
        pilot_of(pl.DataFrame({"id": ["1"], "item": ["a"], "gender": ["neutral"]}), clusters=("item",))
    with pytest.raises(BadInput, match="at least 3 clusters"):
        pilot_of(runs(2, 10)[0], clusters=("item",))
    first, second = runs(10, 2)
    with pytest.raises(BadInput, match="no sentence in common"):
        pilot_of(first, second.with_columns(id="x" + pl.col("id")), clusters=("item",))
