"""The CI gate: limits and baselines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.measures.estimate import estimate
from evenhand.measures.gate import Limit, check_limits, read_limits, worse
from evenhand.measures.paired import compare
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


def test_a_kept_limit_is_silent_and_a_broken_one_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('[[limit]]\nmeasure = "TFG"\nmin = 0.1\n\n[[limit]]\nmeasure = "TFG"\nmin = 0.4\n')
    failures = check_limits(estimates(), read_limits(path))
    assert len(failures) == 1
    assert "is below the limit 0.4 (95 % interval" in failures[0]
    assert "\n" not in failures[0]


def test_a_limit_by_interval_breaks_only_when_the_whole_interval_is_outside() -> None:
    found = estimates()
    value, high = found.filter(pl.col("measure") == "TFG").select("value", "high").row(0)
    between = (value + high) / 2
    assert check_limits(found, [Limit("TFG", low=between)])
    assert not check_limits(found, [Limit("TFG", low=between, by="interval")])
    assert check_limits(found, [Limit("TFG", low=high + 0.01, by="interval")])


def test_limits_reach_into_groups() -> None:
    assert check_limits(estimates(), [Limit("TFG", high=0.05, group="kind", level="a")])[0].startswith("TFG (kind: a)")


def test_getting_worse_than_the_baseline_fails_and_getting_better_does_not() -> None:
    def failures(now: pl.DataFrame, before: pl.DataFrame) -> list[str]:
        comparison = compare({"now": now, "before": before}, clusters=("item",), measures=("TFG", "P_S"))
        return worse(comparison, "now", "before")

    good, bad = run(0.45, 3), run(0.2, 4)
    told = failures(bad, good)
    assert [f.split(":")[0] for f in told] == ["TFG", "P_S"]
    assert "significantly worse" in told[0]
    assert failures(good, bad) == []
    assert failures(run(0.3, 5), run(0.3, 6)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = 3", r"no \[\[limit\]\]"),
        ("[[limit]]\nmin = 1", "names its measure"),
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
