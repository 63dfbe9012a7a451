"""Remarks on differences that hang on too few occupations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.measures.decisions.hypotheses import answer, read_hypotheses
from evenhand.measures.decisions.limits import check_limits, read_limits
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

KIND = Grouping("kind", column="kind")


def rows(first: list[int], second: list[int], each: int = 20) -> pl.DataFrame:
    """Two groups of occupations with so many female renderings of `each`, the others male."""
    female = np.array([*first, *second])
    kinds = ["a"] * len(first) + ["b"] * len(second)
    table = [
        (f"{o}-{n}", f"o{o}", kinds[o], "female" if n < count else "male")
        for o, count in enumerate(female)
        for n in range(each)
    ]
    return pl.DataFrame(table, schema=["id", "occupation", "kind", "gender"], orient="row")


def run(first: list[int], second: list[int]) -> pl.DataFrame:
    table = rows(first, second)
    return estimate(
        table, clusters=("occupation",), groupings=(KIND,), measures=("share_female", "SBias"), resamples=500
    )


def remark(found: pl.DataFrame, measure: str, level: str) -> str:
    return str(found.filter(pl.col("measure") == measure, pl.col("level") == level)["note"][0] or "")


def test_a_difference_that_only_independent_sentences_would_show_is_too_few_to_tell() -> None:
    found = run([0] * 5, [2, 1, 3, 2] * 12)
    row = found.filter(pl.col("measure") == "share_female", pl.col("level") == "a - b").row(0, named=True)
    assert row["p_adjusted"] > 0.05
    assert row["independent_p"] < 0.05
    assert "too few to say: in a 0 of 5 clusters (occupation) have any rendering other than male" in row["note"]


@pytest.mark.parametrize(("measure", "level"), [("share_female", "a - b"), ("SBias", "a")])
def test_a_difference_that_depends_on_how_alike_occupations_are_says_up_to_where_it_holds(
    measure: str, level: str
) -> None:
    found = run([0] * 15, [3, 2, 4, 3, 2] * 6)
    row = found.filter(pl.col("measure") == measure, pl.col("level") == level).row(0, named=True)
    assert row["p_adjusted"] < 0.05
    assert 0 < row["tipping_icc"] < 1
    said = f"holds while sentences of one occupation in a correlate below {row['tipping_icc']:.2f}"
    assert said in remark(found, measure, level)
    assert row["condition"] == said


def test_a_gate_does_not_fail_a_run_for_a_difference_that_depends_on_how_alike_occupations_are(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text(
        '[[limit]]\nmeasure = "share_female"\ngroup = "kind"\nlevel = "a - b"\nmin = -0.01\nby = "interval"\n'
    )
    (unsure,) = check_limits(run([0] * 15, [3, 2, 4, 3, 2] * 6), read_limits(path))
    assert (unsure.outcome, unsure.passed) == ("inconclusive", True)
    assert "holds while sentences of one occupation in a correlate below" in unsure.told
    (firm,) = check_limits(run([3, 5, 2, 4, 6] * 3, [12, 9, 14, 10, 11] * 6), read_limits(path))
    assert (firm.outcome, firm.passed) == ("broken", False)


def test_a_hypothesis_that_depends_on_how_alike_occupations_are_is_supported_conditionally(tmp_path: Path) -> None:
    path = tmp_path / "hypotheses.toml"
    path.write_text(
        '[[hypothesis]]\nid = "H1"\nmeasure = "share_female"\ncolumn = "kind"\ngreater = "b"\nsmaller = "a"\n'
    )

    def answered(first: list[int], second: list[int]) -> dict[str, object]:
        return answer(read_hypotheses(path), rows(first, second), clusters=("occupation",), resamples=300).row(
            0, named=True
        )

    unsure = answered([0] * 15, [3, 2, 4, 3, 2] * 6)
    assert unsure["answer"] == "supported conditionally"
    assert "correlate below" in str(unsure["condition"])
    assert answered([3, 5, 2, 4, 6] * 3, [12, 9, 14, 10, 11] * 6)["answer"] == "supported"


def test_groups_that_say_enough_have_no_such_remark() -> None:
    found = run([3, 5, 2, 4, 6] * 3, [12, 9, 14, 10, 11] * 6)
    assert found.filter(pl.col("level") == "a - b")["p_adjusted"][0] < 0.05
    for words in ("too few to say", "holds while"):
        assert words not in remark(found, "share_female", "a - b")


def test_groups_that_share_their_occupations_have_no_such_remark() -> None:
    shared = [
        (f"{o}-{n}", f"o{o}", "a" if n < 10 else "b", "female" if n > 12 else "male")
        for o in range(12)
        for n in range(20)
    ]
    table = pl.DataFrame(shared, schema=["id", "occupation", "kind", "gender"], orient="row")
    found = estimate(table, clusters=("occupation",), groupings=(KIND,), measures=("share_female",), resamples=200)
    assert found.filter(pl.col("level") == "a - b")["p_adjusted"][0] < 0.05
    assert "holds while" not in remark(found, "share_female", "a - b")
