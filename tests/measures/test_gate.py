"""The CI gate: limits and baselines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.measures.decisions.gate import Check, baseline_checks
from evenhand.measures.decisions.limits import Limit, check_limits, read_limits
from evenhand.measures.decisions.paired import compare
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping


def run(share: float, seed: int, items: int = 60, each: int = 8) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    gender = np.where(rng.random(items * each) < share, "female", "male")
    index = np.arange(items * each)
    return pl.DataFrame(
        {
            "id": [str(i) for i in index],
            "item": [f"o{i // each}" for i in index],
            "kind": np.where(index % 2 == 0, "a", "b"),
            "gender": gender,
        }
    )


def estimates() -> pl.DataFrame:
    return estimate(
        run(0.25, 1), clusters=("item",), groupings=(Grouping("kind", column="kind"),), measures=("TFG", "P_S")
    )


def broken(found: pl.DataFrame, *limits: Limit) -> list[Check]:
    return [check for check in check_limits(found, limits) if not check.passed]


def worse(now: pl.DataFrame, before: pl.DataFrame, *measures: str) -> list[Check]:
    """The measures that got worse, without margins."""
    tables = {"now": now, "before": before}
    comparison = compare(tables, clusters=("item",), measures=measures, margins=dict.fromkeys(measures, 0.0))
    return [check for check in baseline_checks(comparison, "now", "before", level=0.95) if not check.passed]


def test_a_kept_limit_passes_and_a_broken_one_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('[[limit]]\nmeasure = "TFG"\nmin = 0.1\n\n[[limit]]\nmeasure = "TFG"\nmin = 0.4\n')
    kept, failed = check_limits(estimates(), read_limits(path))
    assert (kept.outcome, kept.passed, failed.outcome, failed.passed) == ("kept", True, "broken", False)
    assert "is below the limit 0.4 (95 % interval" in failed.told
    assert "\n" not in failed.told


def test_a_limit_by_interval_breaks_only_when_the_whole_interval_is_outside() -> None:
    found = estimates()
    value, high = found.filter(pl.col("measure") == "TFG").select("value", "high").row(0)
    between = (value + high) / 2
    assert broken(found, Limit("TFG", low=between))
    assert not broken(found, Limit("TFG", low=between, by="interval"))
    assert broken(found, Limit("TFG", low=high + 0.01, by="interval"))


def test_a_limit_inside_the_interval_is_inconclusive_and_fails_only_where_that_is_asked_for() -> None:
    found = estimates()
    value, high = found.filter(pl.col("measure") == "TFG").select("value", "high").row(0)
    limit = Limit("TFG", low=(value + high) / 2, by="interval")
    (lenient,), (strict,) = check_limits(found, [limit]), check_limits(found, [limit], not_shown="fail")
    assert (lenient.outcome, lenient.passed) == (strict.outcome, not strict.passed) == ("inconclusive", True)


def test_limits_have_units_and_a_limit_no_value_could_keep_is_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('[[limit]]\nmeasure = "TFG"\nmin = "40 %"\n\n[[limit]]\nmeasure = "VBias"\nmax = "5 points"\n')
    share, points = read_limits(path)
    assert (share.low, points.high) == (0.4, 0.05)
    assert "% is below the limit 40 % (95 % interval" in check_limits(estimates(), [share])[0].told
    path.write_text('[[limit]]\nmeasure = "accuracy"\nmin = 60\n')
    with pytest.raises(BadInput, match='outside the range of accuracy, 0 to 1: for 60 % write "60 %"'):
        read_limits(path)


def test_limits_reach_into_groups() -> None:
    (check,) = broken(estimates(), Limit("TFG", high=0.05, group="kind", level="a"))
    assert check.name == "TFG (kind: a)"


def test_getting_worse_than_the_baseline_fails_and_getting_better_does_not() -> None:
    good, bad = run(0.45, 3), run(0.2, 4)
    told = worse(bad, good, "TFG", "P_S")
    assert [check.name for check in told] == ["TFG", "P_S"]
    assert "significantly worse" in told[0].told
    assert worse(good, bad, "TFG", "P_S") == []
    assert worse(run(0.3, 5), run(0.3, 6), "TFG", "P_S") == []


def test_half_and_half_to_all_neutral_and_back_is_worse_one_way_at_most() -> None:
    half = run(0.5, 7)
    left_open = half.with_columns(gender=pl.lit("neutral"))
    measures = ("share_female", "share_male", "share_neutral", "P_S", "VBias")
    assert worse(left_open, half, *measures) == []
    assert [c.name for c in worse(half, left_open, *measures)] == ["P_S"]  # higher is better, and it fell from 1 to .5


def test_a_share_has_no_direction_and_is_never_worse() -> None:
    low, high = run(0.05, 8), run(0.95, 9)
    assert worse(low, high, "share_female", "share_male") == worse(high, low, "share_female", "share_male") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = 3", r"no \[\[limit\]\]"),
        ("[[limit]]\nmin = 1", "measure is missing"),
        ('[[limit]]\nmeasure = "TFG"', "min, max or both"),
        ('[[limit]]\nmeasure = "TFG"\nmin = "x"', "must be a number"),
        ('[[limit]]\nmeasure = "TFG"\nmin = 2\nmax = 1', "above max"),
        ('[[limit]]\nmeasure = "TFG"\nmni = 2', "did you mean 'min'"),
        ("[[limit]", "not valid TOML"),
    ],
)
def test_mistakes_in_a_limits_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "limits.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=f"(?i){message}"):
        read_limits(path)


def test_a_limit_on_something_that_was_not_measured_is_an_error() -> None:
    with pytest.raises(Unknown, match="TFG"):
        check_limits(estimates(), [Limit("TGF", low=0.1)])
    with pytest.raises(Unknown, match="level of a limit"):
        check_limits(estimates(), [Limit("TFG", low=0.1, group="kind", level="c")])
