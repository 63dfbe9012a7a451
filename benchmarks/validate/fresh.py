"""Layouts that no constant was fixed on: written after the methods, run once, reported as they came out.

Other generators than in the other layouts: occupations that are always female or always male mixed with undecided ones,
log-odds with heavy tails, Poisson and geometric sizes, pairs of sentences that pull against each other.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import alarms, coverage, layouts, others
from benchmarks.validate.coverage import Interval
from benchmarks.validate.layouts import Floats, Generator, Ints
from scipy.special import expit

from evenhand.measures.decisions.paired import compare
from evenhand.measures.estimate import estimate


def always(rng: Generator, count: int, share: float, fixed: float) -> Floats:
    """A share `fixed` of the occupations is always female or always male, the others are drawn sentence by sentence."""
    decided = rng.random(count) < fixed
    return np.where(decided, rng.random(count) < share, share).astype(np.float64)


def heavy(rng: Generator, count: int, middle: float, scale: float) -> Floats:
    """Log-odds from Student's t with three degrees of freedom."""
    drawn: Floats = expit(middle + scale * rng.standard_t(3, count))
    return drawn


def mean_of_heavy(middle: float, scale: float) -> float:
    """The share that `heavy` has on average, from a million draws with a fixed seed."""
    return float(heavy(np.random.default_rng(0), 1_000_000, middle, scale).mean())


def sizes(rng: Generator, kind: str, count: int, mean: float) -> Ints:
    drawn = {"poisson": 1 + rng.poisson(mean - 1, count), "geometric": rng.geometric(1 / mean, count)}
    return drawn.get(kind, np.full(count, round(mean))).astype(np.int64)


def chances(rng: Generator, count: int, how: tuple[str, float, float]) -> Floats:
    kind, first, second = how
    if kind == "always":
        return always(rng, count, first, second)
    return heavy(rng, count, first, second) if kind == "heavy" else layouts.beta(rng, first, second, count)


def truth(how: tuple[str, float, float]) -> float:
    return mean_of_heavy(*how[1:]) if how[0] == "heavy" else how[1]


def shares(
    rng: Generator, *, count: int, mean: float, kind: str, how: tuple[str, float, float], true: float
) -> list[Interval]:
    counts = layouts.female_and_male(rng, chances(rng, count, how), sizes(rng, kind, count, mean))
    found = estimate(
        layouts.by_counts(counts),
        clusters=("occupation",),
        measures=("TFG", "P_S"),
        resamples=coverage.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    ends = coverage.rows(found)
    hits, n = counts[:, 0].astype(float), counts.sum(axis=1).astype(float)
    return [
        Interval("TFG", *ends["TFG"], true, others.shares(hits, n, rng)),
        Interval("P_S", *ends["P_S"], float(np.sqrt(true * (1 - true)))),
    ]


def opposed(rng: Generator, *, count: int, pairs: int, same: float, right: float) -> list[Interval]:
    """A woman's and a man's sentence make a pair; with this chance both get one gender, and one of them is right."""
    alike = rng.binomial(pairs, layouts.beta(rng, same, 0.2, count) if same < 1 else np.ones(count))
    correct = [alike // 2 + rng.binomial(pairs - alike, right), alike - alike // 2 + rng.binomial(pairs - alike, right)]
    occupation, gender, gold = [], [], []
    for number, hits in enumerate(correct):
        for verdict, times in ((number, hits), (1 - number, pairs - hits)):
            occupation.append(np.repeat(np.arange(count), times))
            gender.append(np.full(times.sum(), verdict))
            gold.append(np.full(times.sum(), layouts.GENDERS[number]))
    found = estimate(
        layouts.table(np.concatenate(occupation), np.concatenate(gender), gold=np.concatenate(gold)),
        clusters=("occupation",),
        measures=("accuracy",),
        resamples=coverage.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    both = (correct[0] + correct[1]).astype(np.float64)
    true = same / 2 + (1 - same) * right
    tried = others.shares(both, np.full(count, 2.0 * pairs), rng)
    return [Interval("accuracy", *coverage.rows(found)["accuracy"], true, tried)]


def nearly_one(rng: Generator, *, count: int, each: int, share: float, changed: float) -> list[Interval]:
    """A second system that answers anew in a few sentences: the difference of two nearly identical systems."""
    chance = layouts.beta(rng, share, 0.2, count)[:, None]
    first = rng.random((count, each)) < chance
    second = np.where(rng.random((count, each)) < changed, rng.random((count, each)) < chance, first)
    occupation = np.repeat(np.arange(count), each)
    tables = {n: layouts.table(occupation, (~f).ravel().astype(np.int64)) for n, f in (("a", first), ("b", second))}
    found = compare(
        tables,
        clusters=("occupation",),
        measures=("TFG",),
        resamples=coverage.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    ).differences
    gap = first.mean(axis=1) - second.mean(axis=1)
    return [
        Interval("TFG difference", *coverage.rows(found, "a - b")["TFG"], 0.0, {"paired t": others.paired_t(gap)}),
    ]


def groups(
    rng: Generator, *, parts: tuple[tuple[int, float], ...], kind: str, how: tuple[tuple[str, float, float], ...]
) -> dict[str, bool]:
    """Groups of occupations whose shares are the same, each with a generator of its own."""
    counts, kinds = [], []
    for number, (count, mean) in enumerate(parts):
        drawn = chances(rng, count, how[number % len(how)])
        counts.append(layouts.female_and_male(rng, drawn, sizes(rng, kind, count, mean)))
        kinds += [f"k{number}"] * count
    found = estimate(
        layouts.by_counts(np.concatenate(counts), kind=np.array(kinds)),
        clusters=("occupation",),
        groupings=(alarms.KIND,),
        measures=("TFG", "P_S", "SBias"),
        resamples=alarms.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return alarms.families(found)


def systems(
    rng: Generator, *, count: int, mean: float, kind: str, how: tuple[tuple[str, float, float], ...]
) -> dict[str, bool]:
    """Two systems with one share, each with a generator of its own."""
    occupation = np.repeat(np.arange(count), sizes(rng, kind, count, mean))
    tables: dict[str, pl.DataFrame] = {}
    for name, one in zip("ab", (how[0], how[-1]), strict=True):
        drawn = chances(rng, count, one)[occupation]
        tables[name] = layouts.table(occupation, (rng.random(len(occupation)) >= drawn).astype(np.int64))
    return alarms.judge(tables, ("occupation",), rng)


def _share(count: int, mean: float, kind: str, how: tuple[str, float, float]) -> coverage.Once:
    return partial(shares, count=count, mean=mean, kind=kind, how=how, true=truth(how))


def coverages() -> dict[str, coverage.Once]:
    return {
        "5 x 12, heavy log-odds (-1, 1)": _share(5, 12, "equal", ("heavy", -1.0, 1.0)),
        "7 Poisson sizes (15), p .2, icc .15": _share(7, 15, "poisson", ("beta", 0.2, 0.15)),
        "12 geometric sizes (10), p .6, icc .25": _share(12, 10, "geometric", ("beta", 0.6, 0.25)),
        "24 x 6, half always one gender, p .4": _share(24, 6, "equal", ("always", 0.4, 0.5)),
        "50 x 9, nine in ten always one gender, p .1": _share(50, 9, "equal", ("always", 0.1, 0.9)),
        "150 Poisson sizes (7), p .995, icc .2": _share(150, 7, "poisson", ("beta", 0.995, 0.2)),
        "70 geometric sizes (12), heavy log-odds (-5, 1)": _share(70, 12, "geometric", ("heavy", -5.0, 1.0)),
        "12 x 30, p .005, icc .3": _share(12, 30, "equal", ("beta", 0.005, 0.3)),
        "9 x 14 pairs, nine in ten pull against each other": partial(opposed, count=9, pairs=14, same=0.9, right=0.7),
        "60 x 3 pairs, half pull against each other": partial(opposed, count=60, pairs=3, same=0.5, right=0.85),
        "45 x 12, two systems, 3 % answered anew": partial(nearly_one, count=45, each=12, share=0.3, changed=0.03),
        "12 x 25, two systems, 10 % answered anew": partial(nearly_one, count=12, each=25, share=0.6, changed=0.1),
    }


def false_alarms() -> dict[str, alarms.Once]:
    mixed = (("always", 0.3, 0.5), ("beta", 0.3, 0.1))
    return {
        "5 against 35, Poisson sizes (12), p .25, icc .2": partial(
            groups, parts=((5, 12), (35, 12)), kind="poisson", how=(("beta", 0.25, 0.2),)
        ),
        "12 against 25 x 16, p .3, half always one gender against icc .1": partial(
            groups, parts=((12, 16), (25, 16)), kind="equal", how=mixed
        ),
        "four groups (7, 9, 14, 30), geometric sizes (8), p .1, icc .2": partial(
            groups, parts=((7, 8), (9, 8), (14, 8), (30, 8)), kind="geometric", how=(("beta", 0.1, 0.2),)
        ),
        "6 against 50 x 5, p .97, icc .1 (often all female)": partial(
            groups, parts=((6, 5), (50, 5)), kind="equal", how=(("beta", 0.97, 0.1),)
        ),
        "two systems, 7 Poisson sizes (20), p .4, icc .2": partial(
            systems, count=7, mean=20, kind="poisson", how=(("beta", 0.4, 0.2),)
        ),
        "two systems, 25 geometric sizes (10), p .15, icc .3": partial(
            systems, count=25, mean=10, kind="geometric", how=(("beta", 0.15, 0.3),)
        ),
        "two systems, 30 x 10, p .3, half always one gender against icc .1": partial(
            systems, count=30, mean=10, kind="equal", how=mixed
        ),
    }
