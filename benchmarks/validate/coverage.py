"""How often do 95 % intervals hold the truth, and how wide are they beside other methods? One function a layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import layouts, others
from benchmarks.validate.layouts import Generator, Ints

from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions.accuracy import GenderGap
from evenhand.measures.definitions.neutrality import neutrality
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

RESAMPLES = 1_000
KIND = Grouping("kind", column="kind")


@dataclass(frozen=True)
class Interval:
    """What one run gave for one measure, the truth, and the ends of other methods on the same data."""

    measure: str
    low: float
    high: float
    truth: float
    others: dict[str, others.Ends] = field(default_factory=dict)


Once = Callable[[Generator], list[Interval]]


def rows(found: pl.DataFrame, level: str = "") -> dict[str, tuple[float, float]]:
    chosen = found.filter((pl.col("level") == level) & (pl.col("variant") == "raw"))
    return {m: (low, high) for m, low, high in chosen.select("measure", "low", "high").iter_rows()}


def share_layout(
    rng: Generator, *, count: int, each: int, share: float, icc: float, kind: str = "equal", spread: float = 0.0
) -> list[Interval]:
    """Female or male: share (here that is %TFG too) and P_S = sqrt(p (1 - p))."""
    if spread:
        chances = 1 / (1 + np.exp(-layouts.centre(share, spread) - rng.normal(0, spread, count)))
    else:
        chances = layouts.beta(rng, share, icc, count)
    counts = layouts.female_and_male(rng, chances, layouts.sizes(rng, kind, count, each))
    found = estimate(
        layouts.by_counts(counts),
        clusters=("occupation",),
        measures=("share_female", "P_S"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    ends = rows(found)
    hits, n = counts[:, 0].astype(float), counts.sum(axis=1).astype(float)
    cells = np.column_stack([counts, np.zeros((count, 2))]).astype(float)
    return [
        Interval("share_female", *ends["share_female"], share, others.shares(hits, n, rng)),
        Interval(
            "P_S",
            *ends["P_S"],
            float(np.sqrt(share * (1 - share))),
            {"jackknife t": others.jackknife_t(cells, neutrality)},
        ),
    ]


def composition_layout(
    rng: Generator, *, count: int, each: int, shares: tuple[float, float, float], icc: float
) -> list[Interval]:
    """Female, male and neutral: P_S and the share of neutral renderings."""
    full = (*shares, 0.0)
    counts = rng.multinomial(each, layouts.compositions(rng, full, icc, count))
    found = estimate(
        layouts.by_counts(counts),
        clusters=("occupation",),
        measures=("P_S", "share_neutral"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    ends, cells = rows(found), counts.astype(float)
    female, male, neutral = shares
    truth = float(np.sqrt(female * male + neutral))
    return [
        Interval("P_S", *ends["P_S"], truth, {"jackknife t": others.jackknife_t(cells, neutrality)}),
        Interval("share_neutral", *ends["share_neutral"], neutral, others.shares(cells[:, 2], cells.sum(axis=1), rng)),
    ]


def gold_layout(rng: Generator, *, count: int, each: int, right: tuple[float, float], spread: float) -> list[Interval]:
    """Half of each occupation's sentences are about a woman, half about a man: accuracy and dG.

    An occupation's leaning makes women right more often and men less, or the other way round.
    """
    lean, undecided = rng.normal(0, spread, count), 0.03
    cells = np.zeros((count, 3, 4))
    occupation, gender, gold = [], [], []
    for number, (chance, sign) in enumerate(zip(right, (1, -1), strict=True)):
        p = 1 / (1 + np.exp(-(layouts.centre(chance, spread) + sign * lean)))
        open_ = rng.binomial(each // 2, undecided, count)
        correct = rng.binomial(each // 2 - open_, p)
        cells[:, number, number], cells[:, number, 1 - number], cells[:, number, 2] = (
            correct,
            each // 2 - open_ - correct,
            open_,
        )
        for verdict in range(3):
            times = cells[:, number, verdict].astype(np.int64)
            occupation.append(np.repeat(np.arange(count), times))
            gender.append(np.full(times.sum(), verdict))
            gold.append(np.full(times.sum(), layouts.GENDERS[number]))
    frame = layouts.table(np.concatenate(occupation), np.concatenate(gender), gold=np.concatenate(gold))
    found = estimate(
        frame,
        clusters=("occupation",),
        measures=("accuracy", "dG"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    ends, decided = rows(found), 1 - undecided
    expected = np.zeros((3, 4))
    for number, chance in enumerate(right):
        expected[number, [number, 1 - number, 2]] = decided * chance, decided * (1 - chance), undecided
    flat, formula = cells.reshape(count, -1), GenderGap().formula
    correct_all = cells[:, 0, 0] + cells[:, 1, 1]
    return [
        Interval(
            "accuracy", *ends["accuracy"], decided * sum(right) / 2, others.shares(correct_all, flat.sum(axis=1), rng)
        ),
        Interval(
            "dG",
            *ends["dG"],
            float(formula(expected.reshape(1, -1))[0]),
            {"jackknife t": others.jackknife_t(flat, formula)},
        ),
    ]


def crossed_layout(
    rng: Generator, *, shape: tuple[int, int], share: float, spreads: tuple[float, float]
) -> list[Interval]:
    """Occupations and verbs lean both: %TFG over both axes."""
    total = round(float(np.hypot(*spreads)), 9)
    leaning = (
        layouts.centre(share, total)
        + rng.normal(0, spreads[0], shape[0])[:, None]
        + rng.normal(0, spreads[1], shape[1])
    )
    frame, female = layouts.crossed(rng, leaning)
    found = estimate(
        frame, clusters=("occupation", "verb"), measures=("TFG",), resamples=RESAMPLES, seed=int(rng.integers(1 << 30))
    )
    first = others.t_interval(female.sum(axis=1), np.full(shape[0], float(shape[1])))
    return [Interval("TFG", *rows(found)["TFG"], share, {"t over the first axis": first})]


def paired_layout(
    rng: Generator, *, count: int, each: int, shares: tuple[float, float], spread: float, own: float, copied: float
) -> list[Interval]:
    """Two systems with common and own leanings; a share of the second one's renderings is copied from the first."""
    total = round(float(np.hypot(spread, own)), 9)
    common, uniform = rng.normal(0, spread, count), rng.random((count, each))
    tables, female = {}, []
    for name, chance in zip("ab", shares, strict=True):
        p = 1 / (1 + np.exp(-(layouts.centre(chance, total) + common + rng.normal(0, own, count))))
        fresh = np.where(rng.random((count, each)) < copied, uniform, rng.random((count, each)))
        female.append((uniform if name == "a" else fresh) < p[:, None])
        occupation = np.repeat(np.arange(count), each)
        tables[name] = layouts.table(occupation, (~female[-1]).ravel().astype(np.int64))
    found = compare(
        tables, clusters=("occupation",), measures=("TFG", "P_S"), resamples=RESAMPLES, seed=int(rng.integers(1 << 30))
    ).differences
    ends = rows(found, "a - b")
    gap = female[0].mean(axis=1) - female[1].mean(axis=1)
    peak = [float(np.sqrt(s * (1 - s))) for s in shares]
    return [
        Interval("TFG difference", *ends["TFG"], shares[0] - shares[1], {"paired t": others.paired_t(gap)}),
        Interval("P_S difference", *ends["P_S"], peak[0] - peak[1]),
    ]


def group_layout(
    rng: Generator, *, groups: tuple[tuple[int, int], tuple[int, int]], share: float, icc: float
) -> list[Interval]:
    """Two groups of occupations with one share: their difference, and the first against the base rate (SBias)."""
    counts, kinds = [], []
    for name, (count, each) in zip("ab", groups, strict=True):
        counts.append(layouts.female_and_male(rng, layouts.beta(rng, share, icc, count), np.full(count, each)))
        kinds += [name] * count
    together: Ints = np.concatenate(counts)
    found = estimate(
        layouts.by_counts(together, kind=np.array(kinds)),
        clusters=("occupation",),
        groupings=(KIND,),
        measures=("TFG", "SBias"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    parts = [(c[:, 0].astype(float), c.sum(axis=1).astype(float)) for c in counts]
    return [
        Interval("TFG a - b", *rows(found, "a - b")["TFG"], 0.0, {"Welch's t": others.welch(parts[0], parts[1])}),
        Interval("SBias a", *rows(found, "a")["SBias"], 0.0),
    ]


def undecided_layout(
    rng: Generator, *, count: int, each: int, share: float, icc: float, unknown: float
) -> list[Interval]:
    """Women are left undecided more often than men: the bounds, not the interval, must hold the truth."""
    counts = layouts.female_and_male(rng, layouts.beta(rng, share, icc, count), np.full(count, each))
    lost = rng.binomial(counts, [unknown, unknown / 3])
    full = np.column_stack([counts - lost, np.zeros((count, 2), dtype=np.int64), lost.sum(axis=1)])
    row = estimate(
        layouts.by_counts(full),
        clusters=("occupation",),
        measures=("share_female",),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    ).row(0, named=True)
    return [Interval("share_female bounds", row["bounds_low"], row["bounds_high"], share)]


LAYOUTS: dict[str, Once] = {
    "5 occupations x 40, p .3, icc .3": partial(share_layout, count=5, each=40, share=0.3, icc=0.3),
    "5 x 40, p .1, icc .3": partial(share_layout, count=5, each=40, share=0.1, icc=0.3),
    "8 x 25, p .95, icc .5": partial(share_layout, count=8, each=25, share=0.95, icc=0.5),
    "10 x 20, p .1, icc .3": partial(share_layout, count=10, each=20, share=0.1, icc=0.3),
    "33 x 42, p .005, icc .5": partial(share_layout, count=33, each=42, share=0.005, icc=0.5),
    "33 x 42, p .01, icc .5": partial(share_layout, count=33, each=42, share=0.01, icc=0.5),
    "99 x 42, p .005, icc .5": partial(share_layout, count=99, each=42, share=0.005, icc=0.5),
    "99 x 42, p .01, icc .5": partial(share_layout, count=99, each=42, share=0.01, icc=0.5),
    "99 x 42, p .995, icc .1": partial(share_layout, count=99, each=42, share=0.995, icc=0.1),
    "33 x 42, p .02, logistic-normal (2)": partial(share_layout, count=33, each=42, share=0.02, icc=0, spread=2.0),
    "40 x 8, p .3, logistic-normal (1)": partial(share_layout, count=40, each=8, share=0.3, icc=0, spread=1.0),
    "40 x 8, p .5, icc .2": partial(share_layout, count=40, each=8, share=0.5, icc=0.2),
    "30 lognormal sizes, p .3, icc .3": partial(share_layout, count=30, each=20, share=0.3, icc=0.3, kind="lognormal"),
    "60 Zipf sizes, p .05, icc .2": partial(share_layout, count=60, each=20, share=0.05, icc=0.2, kind="zipf"),
    "800 x 4, p .005, icc .3": partial(share_layout, count=800, each=4, share=0.005, icc=0.3),
    "40 x 8, 45/45/10 neutral, icc .2": partial(
        composition_layout, count=40, each=8, shares=(0.45, 0.45, 0.10), icc=0.2
    ),
    "6 x 30, 10/60/30 neutral, icc .2": partial(composition_layout, count=6, each=30, shares=(0.1, 0.6, 0.3), icc=0.2),
    "33 x 42, 1/98.5/.5 neutral, icc .5": partial(
        composition_layout, count=33, each=42, shares=(0.01, 0.985, 0.005), icc=0.5
    ),
    "gold, 5 x 40, right .6 and .9": partial(gold_layout, count=5, each=40, right=(0.6, 0.9), spread=1.0),
    "gold, 20 x 40, right .3 and .95": partial(gold_layout, count=20, each=40, right=(0.3, 0.95), spread=2.0),
    "gold, 40 x 8, right .99 and .995": partial(gold_layout, count=40, each=8, right=(0.99, 0.995), spread=1.0),
    "crossed 40 x 8, both lean": partial(crossed_layout, shape=(40, 8), share=0.3, spreads=(1.0, 1.0)),
    "crossed 99 x 42, both lean": partial(crossed_layout, shape=(99, 42), share=0.1, spreads=(1.5, 0.7)),
    "crossed 10 x 10, both lean": partial(crossed_layout, shape=(10, 10), share=0.3, spreads=(1.0, 1.0)),
    "crossed 99 x 42, p .01": partial(crossed_layout, shape=(99, 42), share=0.01, spreads=(2.0, 0.7)),
    "two systems, 5 x 40": partial(paired_layout, count=5, each=40, shares=(0.3, 0.4), spread=1.0, own=0.5, copied=0.5),
    "two systems, 40 x 8": partial(paired_layout, count=40, each=8, shares=(0.3, 0.3), spread=1.0, own=0.7, copied=0.5),
    "two systems, 33 x 42, p .01 and .02": partial(
        paired_layout, count=33, each=42, shares=(0.01, 0.02), spread=2.5, own=1.0, copied=0.5
    ),
    "two systems, 40 x 8, p .95 and .97": partial(
        paired_layout, count=40, each=8, shares=(0.95, 0.97), spread=1.0, own=0.5, copied=0.5
    ),
    "3 against 40 occupations x 20": partial(group_layout, groups=((3, 20), (40, 20)), share=0.3, icc=0.3),
    "6 against 60 x 20": partial(group_layout, groups=((6, 20), (60, 20)), share=0.3, icc=0.3),
    "4 against 4 x 20": partial(group_layout, groups=((4, 20), (4, 20)), share=0.3, icc=0.3),
    "8 against 60 x 4, p .05 (often all male)": partial(group_layout, groups=((8, 4), (60, 4)), share=0.05, icc=0.05),
    "40 x 10, p .2, women undecided 30 %": partial(
        undecided_layout, count=40, each=10, share=0.2, icc=0.2, unknown=0.3
    ),
}
