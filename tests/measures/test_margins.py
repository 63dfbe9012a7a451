"""Non-inferiority and equivalence: what is shown about "no worse by more than d"."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.measures.decisions.gate import baseline_checks
from evenhand.measures.decisions.margins import equivalent
from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions.direction import directed, margin

Row = dict[str, str | float | None]


def run(female: np.ndarray, neutral: float = 0.0) -> pl.DataFrame:
    """One row a rendering of `female` (clusters x sentences); the first share of each cluster's sentences neutral."""
    clusters, each = female.shape
    cells = [
        (f"{c}-{n}", f"o{c}", "neutral" if n < neutral * each else "female" if female[c, n] else "male")
        for c, n in np.ndindex(clusters, each)
    ]
    return pl.DataFrame(cells, schema=["id", "item", "gender"], orient="row")


def drawn(share: float, seed: int, clusters: int = 60, each: int = 8, icc: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    chances = rng.beta(share * (1 - icc) / icc, (1 - share) * (1 - icc) / icc, clusters) if icc else share
    return rng.random((clusters, each)) < np.broadcast_to(chances, (clusters,))[:, None]


def harm(now: pl.DataFrame, before: pl.DataFrame, spec: str, size: float) -> Row:
    measure = directed(spec)
    found = compare(
        {"now": now, "before": before}, clusters=("item",), measures=[measure], margins={measure.name: size}
    )
    row: Row = found.harms.filter(pl.col("system") == "now").row(0, named=True)
    return row


def test_the_three_outcomes() -> None:
    before = run(drawn(0.4, 1))
    assert harm(run(drawn(0.4, 2)), before, "P_S", 0.1)["outcome"] == "no worse"
    assert harm(run(drawn(0.1, 3)), before, "P_S", 0.05)["outcome"] == "worse"
    unclear = harm(run(drawn(0.4, 2)), before, "P_S", 0.001)
    assert unclear["outcome"] == "inconclusive"
    at_most, by, reach = (float(unclear[c] or 0) for c in ("at_most", "worse_by", "reach"))
    assert at_most == pytest.approx(by + reach)


def test_what_did_not_change_at_all_is_no_worse_within_any_sensible_margin() -> None:
    same = run(drawn(0.3, 4))
    for spec in ("P_S", "TFG", "share_male:lower"):
        assert harm(same, same, spec, 0.01)["outcome"] == "no worse"
    assert harm(same, same, "share_male", 0.01)["outcome"] == "unchanged"


def test_systems_are_equal_within_a_margin_when_neither_is_worse_by_more() -> None:
    tables = {"a": run(drawn(0.4, 1)), "b": run(drawn(0.4, 2)), "c": run(drawn(0.1, 3))}
    found = compare(tables, clusters=("item",), measures=("P_S",), margins={"P_S": 0.1})
    assert equivalent(found.harms) == [("P_S", "a", "b", 0.1)]


def test_the_direction_is_the_measures_own_or_the_one_given() -> None:
    more_male, fewer_male = run(drawn(0.2, 5)), run(drawn(0.5, 6))
    assert harm(more_male, fewer_male, "share_male:lower", 0.05)["outcome"] == "worse"
    assert harm(more_male, fewer_male, "share_male:higher", 0.05)["outcome"] == "no worse"
    assert harm(more_male, fewer_male, "share_male:nearer=0.5", 0.05)["outcome"] == "worse"
    assert harm(more_male, fewer_male, "share_male", 0.05)["outcome"] == "changed"


def test_farther_on_the_other_side_of_the_neutral_point_is_worse_and_as_far_is_not() -> None:
    before = run(drawn(0.4, 7, clusters=150))
    assert harm(run(drawn(0.9, 8, clusters=150)), before, "TFG", 0.05)["outcome"] == "worse"
    assert harm(run(drawn(0.6, 9, clusters=150)), before, "TFG", 0.08)["outcome"] == "no worse"


def test_too_few_clusters_show_nothing_and_say_why() -> None:
    row = harm(run(drawn(0.1, 1, clusters=2)), run(drawn(0.9, 2, clusters=2)), "P_S", 0.02)
    assert row["outcome"] == "inconclusive"
    assert "2 clusters" in str(row["note"])


@pytest.mark.parametrize(
    ("spec", "shares"),
    [
        ("P_S", (0.5, 0.2)),
        ("TFG", (0.4, 0.25)),
        ("TFG", (0.45, 0.7)),
        ("TFG", (0.5, 0.6)),
        ("share_male:lower", (0.3, 0.2)),
    ],
)
def test_a_system_that_is_worse_by_exactly_the_margin_is_rarely_called_no_worse(
    spec: str, shares: tuple[float, float]
) -> None:
    """The truth lies on the margin: "no worse" is wrong, and may be said in 5 % of the runs."""
    before, now = shares
    truth = {
        "P_S": np.sqrt(before * (1 - before)) - np.sqrt(now * (1 - now)),
        "TFG": abs(now - 0.5) - abs(before - 0.5),
        "share_male:lower": before - now,
    }[spec]
    wrong = [
        harm(run(drawn(now, 2 * n, 30, 8, 0.2)), run(drawn(before, 2 * n + 1, 30, 8, 0.2)), spec, float(truth))[
            "outcome"
        ]
        == "no worse"
        for n in range(80)
    ]
    assert np.mean(wrong) <= 0.125  # 5 % and three standard errors


def test_what_is_inconclusive_fails_with_a_margin_and_passes_without_unless_said_otherwise() -> None:
    tables = {"now": run(drawn(0.4, 2)), "before": run(drawn(0.4, 1))}
    for size, by_default in ((0.001, False), (0.0, True)):
        comparison = compare(tables, clusters=("item",), measures=("P_S",), margins={"P_S": size})
        passed = {
            chosen: baseline_checks(comparison, "now", "before", level=0.95, not_shown=chosen)[0].passed
            for chosen in (None, "pass", "fail")
        }
        assert passed == {None: by_default, "pass": True, "fail": False}


def test_margins_and_directions_are_read_with_their_mistakes_named() -> None:
    assert margin("P_S=0.02") == ("P_S", 0.02)
    assert margin("accuracy=2%") == margin("accuracy=2 points") == ("accuracy", 0.02)
    with pytest.raises(
        BadInput, match=r"5 is not a margin for P_S, which goes from 0 to 1: for 5 points write P_S=5points"
    ):
        margin("P_S=5")
    for wrong in ("P_S", "P_S=no", "P_S=0", "P_S=-1%", "P_S=1", "VBias=100%", "P_S=500"):
        with pytest.raises(BadInput):
            margin(wrong)
    with pytest.raises(Unknown, match="P_S"):
        margin("PS=0.1")
    with pytest.raises(Unknown, match="lower"):
        directed("share_male:lwer")
    with pytest.raises(BadInput, match=r"nearer=0\.5"):
        directed("share_male:nearer")
