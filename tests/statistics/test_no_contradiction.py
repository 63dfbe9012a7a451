"""Whatever prints a p beside an interval: the p is below the level if, and only if, the interval excludes the null."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import polars as pl
import pytest

from evenhand.embeddings.association import _effect, mweat
from evenhand.embeddings.vectors import Vectors, unit_rows
from evenhand.embeddings.wordlists import TwoForms
from evenhand.level import alpha_of
from evenhand.measures.calibration import calibrate
from evenhand.measures.decisions.paired import compare
from evenhand.measures.decisions.pooled import RunValue, pool
from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.definitions.gendered import TFG
from evenhand.measures.estimate import estimate
from evenhand.statistics.intervals import correlation_interval, mean_interval
from evenhand.statistics.logit_line import logit_line
from evenhand.suites.suite import Grouping

Row = tuple[float, float, float, float]  # null, p, low, high
Level = float
KIND = Grouping("kind", column="kind")


def correlations(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    n = int(rng.integers(4, 40))
    x = rng.normal(size=n)
    y = rng.choice([0.0, 0.5, 2.0]) * x + rng.normal(size=n)
    for spearman in (False, True):
        found, p = correlation_interval(x, y, spearman=spearman, level=level)
        yield 0.0, p, found.low, found.high


def associations(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    sizes, shift = rng.integers(2, 15, 4), rng.choice([0.0, 0.5, 2.0])
    words = [rng.normal(0, rng.choice([0.5, 1.0, 3.0]), (size, 10)) for size in sizes]
    words[0][:, 0] += shift
    words[2][:, 0] += 2
    units = [unit_rows(part.astype(np.float32)).astype(np.float64) for part in words]
    targets = np.concatenate(units[:2])
    found, p = _effect([targets @ side.T for side in units[2:]], int(sizes[0]), level=level)
    yield 0.0, p, found.low, found.high


def forms(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    pairs = [TwoForms(f"m{n}", f"f{n}") for n in range(int(rng.integers(6, 30)))]
    drawn = rng.normal(0, 1, (2 + 2 * len(pairs), 8))
    drawn[:2] = 0
    drawn[:2, 0] = 1.0, -1.0
    drawn[2 : 2 + len(pairs), 0] += rng.choice([0.0, 0.5, 1.5])
    names = ["he", "she", *(p.masculine for p in pairs), *(p.feminine for p in pairs)]
    found = mweat(
        Vectors(names, drawn.astype(np.float32)), pairs, ["he"], ["she"], permutations=200, seed=1, level=level
    )
    yield 0.0, found.swap.p, found.interval.low, found.interval.high


def slopes(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    theta = rng.normal(-0.5, 1.2, 25)
    counts = []
    for odds in (theta, rng.choice([0.4, 1.0, 1.6]) * theta):
        women = rng.binomial(30, 1 / (1 + np.exp(-odds)))
        counts.append(np.column_stack([women, 30 - women]).astype(float))
    line = logit_line(counts[0], counts[1], level=level)
    if line is not None:
        yield 1.0, line.p_one, line.slope.low, line.slope.high


def table(rng: np.random.Generator, *, clusters: int, share: float) -> pl.DataFrame:
    occupation = np.repeat(np.arange(clusters), rng.integers(2, 12, clusters))
    chances = rng.beta(4 * share, 4 * (1 - share), clusters)[occupation]
    woman = rng.random(len(occupation)) < chances
    return pl.DataFrame(
        {
            "id": np.arange(len(occupation)).astype(str),
            "occupation": occupation.astype(str),
            "kind": np.where(occupation % 2, "x", "y"),
            "gender": np.where(woman, "female", "male"),
            "label": np.where(woman ^ (rng.random(len(woman)) < 0.1), "female", "male"),
        }
    )


def rows_of(found: pl.DataFrame) -> Iterator[Row]:
    rows = found.filter(pl.col("p").is_not_null() & pl.col("low").is_not_null())
    yield from ((0.0, *row) for row in rows.select("p", "low", "high").iter_rows())


def labelled(rng: np.random.Generator, level: Level, *, own: bool) -> Iterator[Row]:
    """Corrected by labels on the run's own renderings, and by those of another run."""
    made = table(rng, clusters=int(rng.integers(6, 30)), share=rng.choice([0.1, 0.4]))
    sheet = made.with_columns(
        weight=pl.lit(1.0), by_kind="kind", cluster="occupation", id=pl.col("id") if own else "z" + pl.col("id")
    )
    rates = calibrate(sheet, language="de", kind="nouns")
    yield from rows_of(
        estimate(
            made.drop("label"), clusters=("occupation",), groupings=(KIND,), measures=("TFG", "SBias", "P_S"),
            calibration=rates, language="de", kind="nouns", resamples=200, level=level,
        )
    )  # fmt: skip


def compared(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    first = table(rng, clusters=int(rng.integers(3, 30)), share=rng.choice([0.1, 0.4]))
    other = first.with_columns(gender="label")
    measures = ("share_female", "P_S", "TFG", "log_ratio", "share_male")
    yield from rows_of(
        compare({"a": first, "b": other}, clusters=("occupation",), measures=measures, level=level).differences
    )


def words(rng: np.random.Generator, level: Level) -> Iterator[Row]:
    plain = table(rng, clusters=int(rng.integers(3, 30)), share=0.4).select("id", "occupation", "gender", "label")
    variants = [
        plain.select("occupation", id=name + pl.col("id"), base="id", adjective=pl.lit(name), gender="label")
        for name in "uvw"
    ]
    yield from rows_of(added_word(pl.concat([plain.drop("label"), *variants], how="diagonal"), clusters=("occupation",),
                                 level=level))  # fmt: skip


MAKERS: dict[str, tuple[Callable[[np.random.Generator, Level], Iterator[Row]], int]] = {
    "correlations": (correlations, 1_500),
    "WEAT": (associations, 2_500),
    "MWEAT": (forms, 150),
    "slopes": (slopes, 40),
    "prediction-powered rows": (partial(labelled, own=True), 60),
    "rows by a confusion matrix": (partial(labelled, own=False), 40),
    "systems": (compared, 120),
    "added words": (words, 60),
}


def contradictions(name: str, runs: int) -> tuple[int, int, int]:
    """Rows with a p and an interval, those that are significant, and those that contradict themselves."""
    maker, rows = MAKERS[name][0], []
    for number in range(runs):
        level = (0.95, 0.9, 0.99)[number % 3]
        rows += [(alpha_of(level), *row) for row in maker(np.random.default_rng([11, number]), level)]
    known = [row for row in rows if np.isfinite(row[2]) and np.isfinite(row[3])]
    wrong = sum((p < alpha) == (low <= null <= high) for alpha, null, p, low, high in known)
    return len(known), sum(p < alpha for alpha, _, p, *_ in known), wrong


@pytest.mark.parametrize("name", MAKERS)
def test_no_row_contradicts_itself(name: str) -> None:
    rows, significant, wrong = contradictions(name, max(12, MAKERS[name][1] // 20))
    assert wrong == 0
    assert rows > 8
    assert significant < rows


@pytest.mark.slow
def test_none_of_many_rows_of_every_kind_contradicts_itself() -> None:
    counted = {name: contradictions(name, runs) for name, (_, runs) in MAKERS.items()}
    assert {name: wrong for name, (_, _, wrong) in counted.items() if wrong} == {}
    assert sum(rows for rows, *_ in counted.values()) > 6_000
    assert all(significant for _, significant, _ in counted.values())


def test_a_pooled_row_holds_its_value_and_keeps_within_the_measures_range() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        names = [f"o{n}" for n in range(12)]
        values = [
            RunValue(float(value), 0.002, dict(zip(names, rng.normal(0, 0.01, 12).tolist(), strict=True)))
            for value in np.clip(rng.normal(rng.choice([0.02, 0.5, 0.99]), 0.02, int(rng.integers(2, 7))), 0, 1)
        ]
        row = {name: float(value) for name, value in pool(values, TFG, 0.95).items() if value is not None}
        assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1
        assert row.get("another_low", 0.0) >= 0
        assert row.get("another_high", 1.0) <= 1


def test_a_mean_of_reciprocal_ranks_has_an_interval_inside_0_and_1() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        ranks = 1 / rng.choice([1, 2, 5, 500], int(rng.integers(3, 20)), p=[0.9, 0.05, 0.03, 0.02])
        found = mean_interval(ranks, bounds=(0.0, 1.0))
        assert 0 <= found.low <= found.value <= found.high <= 1
