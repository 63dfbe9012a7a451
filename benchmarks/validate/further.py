"""Further layouts that no constant was fixed on: axes that nest, cross three by three or overlap by half, Pareto sizes,
occupations of two kinds, renderings lost by gender, few sentences that flip, repeated answers of two systems."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import alarms, coverage, layouts
from benchmarks.validate.coverage import Interval
from benchmarks.validate.layouts import Floats, Generator, Ints
from scipy.special import expit

from evenhand.measures.axes import find_axes
from evenhand.measures.estimate import estimate


def leaning(rng: Generator, shape: tuple[int, ...], spreads: tuple[float, ...]) -> Floats:
    """Log-odds with a tendency of every level of every axis."""
    total = np.zeros(shape)
    for axis, (size, spread) in enumerate(zip(shape, spreads, strict=True)):
        total = total + rng.normal(0, spread, size).reshape([size if a == axis else 1 for a in range(len(shape))])
    return total


def grid(rng: Generator, odds: Floats, names: tuple[str, ...]) -> pl.DataFrame:
    """One rendering per combination of the levels of these columns."""
    male = rng.random(odds.shape) >= expit(odds)
    levels = zip(names, np.indices(odds.shape), strict=True)
    return pl.DataFrame(
        {
            "id": np.arange(odds.size).astype(str),
            "gender": layouts.GENDERS[male.ravel().astype(np.int64)],
            **{name: np.char.add(name, axis.ravel().astype(str)) for name, axis in levels},
        }
    )


def crossing(
    rng: Generator, *, names: tuple[str, ...], shape: tuple[int, ...], common: tuple[float, ...], own: tuple[float, ...]
) -> dict[str, bool]:
    """Two systems whose axes are found in the data."""
    total = round(float(np.hypot(np.linalg.norm(common), np.linalg.norm(own))), 9)
    base = layouts.centre(0.25, total) + leaning(rng, shape, common)
    tables = {name: grid(rng, base + leaning(rng, shape, own), names) for name in "ab"}
    found = [find_axes(table, ("id", *names)).columns for table in tables.values()]
    return alarms.judge(tables, tuple(dict.fromkeys(c for axes in found for c in axes)), rng)


def contrast(rng: Generator, table: pl.DataFrame, clusters: tuple[str, ...]) -> dict[str, bool]:
    seed = int(rng.integers(1 << 30))
    measures = ("TFG", "P_S")
    found = estimate(table, clusters=clusters, groupings=(alarms.KIND,), measures=measures, resamples=500, seed=seed)
    return alarms.families(found)


def nested(rng: Generator) -> dict[str, bool]:
    """Seven branches against seven others, four trades in each; branches and trades lean. The axis is found."""
    odds = layouts.centre(0.3, 1.0) + rng.normal(0, 0.8, 14)[:, None] + rng.normal(0, 0.6, (14, 4))
    branch, trade, _ = (axis.ravel() for axis in np.indices((14, 4, 8)))
    male = rng.random(len(branch)) >= expit(odds)[branch, trade]
    named = {
        "trade": np.char.add("t", (4 * branch + trade).astype(str)),
        "branch": np.char.add("b", branch.astype(str)),
    }
    table = layouts.table(branch, male.astype(np.int64), **named, kind=np.where(branch < 7, "x", "y"))
    clusters = find_axes(table.drop("occupation", "kind"), ("id", "trade", "branch")).columns
    return contrast(rng, table, clusters)


def overlapping(rng: Generator) -> dict[str, bool]:
    """Two groups of 28 occupations, 16 of which are in both."""
    occupation = np.repeat(np.concatenate([np.arange(28), np.arange(12, 40)]), 8)
    male = rng.random(len(occupation)) >= layouts.beta(rng, 0.3, 0.3, 40)[occupation]
    kind = np.repeat(["x", "y"], 28 * 8)
    return contrast(rng, layouts.table(occupation, male.astype(np.int64), kind=kind), ("occupation",))


def losing(rng: Generator, *, lost: tuple[float, float]) -> dict[str, bool]:
    """Two systems whose women are undecided, in different shares."""
    occupation = np.repeat(np.arange(30), 12)
    chances = layouts.beta(rng, 0.35, 0.2, 30)[occupation]
    tables = {}
    for name, share in zip("ab", lost, strict=True):
        gender = (rng.random(360) >= chances).astype(np.int64)
        gender[(gender == 0) & (rng.random(360) < share)] = 4
        tables[name] = layouts.table(occupation, gender)
    return alarms.judge(tables, ("occupation",), rng)


def flipping(rng: Generator) -> dict[str, bool]:
    """Two systems that differ in a few sentences of a few occupations, each pulled to one gender."""
    occupation = np.repeat(np.arange(40), 10)
    same = (rng.random(400) >= layouts.beta(rng, 0.3, 0.3, 40)[occupation]).astype(np.int64)
    tables = {}
    for name in "ab":
        odd, towards = rng.random(40) < 0.15, rng.integers(0, 2, 40)
        flipped = odd[occupation] & (rng.random(400) < 0.4)
        tables[name] = layouts.table(occupation, np.where(flipped, towards[occupation], same))
    return alarms.judge(tables, ("occupation",), rng)


def asked_thrice(rng: Generator) -> dict[str, bool]:
    """Two sampling systems, three answers per sentence; occupations and sentences lean."""
    occupation = np.repeat(np.arange(20), 6)
    odds = rng.normal(-1, 1, 20)[occupation] + rng.normal(0, 0.7, 120)
    tables = {}
    for name in "ab":
        chances = expit(odds + rng.normal(0, 0.6, 20)[occupation])
        answers = [layouts.table(occupation, (rng.random(120) >= chances).astype(np.int64)) for _ in range(3)]
        tables[name] = pl.concat(a.with_columns(sample=pl.lit(n, dtype=pl.UInt16)) for n, a in enumerate(answers))
    return alarms.judge(tables, ("occupation",), rng)


def shares(rng: Generator, chances: Floats, each: Ints, share: float) -> list[Interval]:
    counts = layouts.female_and_male(rng, chances, each)
    measures, seed = ("TFG", "P_S"), int(rng.integers(1 << 30))
    found = estimate(
        layouts.by_counts(counts), clusters=("occupation",), measures=measures, resamples=coverage.RESAMPLES, seed=seed
    )
    truths = {"TFG": share, "P_S": float(np.sqrt(share * (1 - share)))}
    return [Interval(name, *ends, truths[name]) for name, ends in coverage.rows(found).items()]


def pareto(rng: Generator) -> list[Interval]:
    sizes = np.minimum(np.round(3 * (1 + rng.pareto(1.3, 30))), 200).astype(np.int64)
    return shares(rng, layouts.beta(rng, 0.3, 0.3, 30), sizes, 0.3)


def rare(rng: Generator) -> list[Interval]:
    return shares(rng, layouts.beta(rng, 0.03, 0.4, 200), rng.integers(1, 4, 200), 0.03)


def of_two_kinds(rng: Generator) -> list[Interval]:
    return shares(rng, np.where(rng.random(12) < 0.4, 0.85, 0.05), np.full(12, 15), 0.37)


ALARMS: dict[str, alarms.Once] = {
    "own table, 24 trades x 12 phrases that lean": partial(
        crossing, names=("trade", "phrase"), shape=(24, 12), common=(1.0, 0.8), own=(0.8, 0.6)
    ),
    "own table, 12 occupations x 9 verbs x 8 adjectives that lean": partial(
        crossing, names=("occupation", "verb", "adjective"), shape=(12, 9, 8), common=(1, 0.6, 0.4), own=(0.6, 0.5, 0.3)
    ),
    "own table, 14 branches of 4 trades x 8, kinds of branches": nested,
    "groups that share 16 of their 28 occupations, x 8": overlapping,
    "two systems, 5 and 30 % of the women undecided": partial(losing, lost=(0.05, 0.3)),
    "two systems that flip some sentences of 15 % of 40 occupations": flipping,
    "two systems, three answers per sentence, 20 x 6": asked_thrice,
}
COVERAGE: dict[str, coverage.Once] = {
    "30 Pareto sizes, p .3, icc .3": pareto,
    "200 occupations x 1 to 3, p .03, icc .4": rare,
    "12 x 15, chances .85 and .05": of_two_kinds,
}
