"""Layouts that cross, nest, skew and lose data: undecided women, heavy occupations, groups of unequal likeness."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import alarms, layouts
from benchmarks.validate.coverage import Interval, rows
from benchmarks.validate.layouts import Floats, Generator, Ints

from evenhand.measures.decisions.paired import compare
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

UNKNOWN = 4


def contrast(rng: Generator, counts: list[Ints], *, clusters: tuple[str, ...] = ("occupation",)) -> dict[str, bool]:
    """Groups from counts of female, male (and neutral, both, unknown) by occupation."""
    kinds = np.repeat([f"k{n}" for n in range(len(counts))], [len(part) for part in counts])
    found = estimate(
        layouts.by_counts(np.concatenate(counts), kind=kinds),
        clusters=clusters,
        groupings=(alarms.KIND,),
        measures=("TFG",),
        resamples=alarms.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return alarms.families(found)


def undecided(rng: Generator, *, lost: tuple[float, float], men: float = 0.0, icc: float = 0.1) -> dict[str, bool]:
    """30 occupations x 12 in each of two groups, p .3; shares of the women (and of the men) are undecided."""
    parts = []
    for share in lost:
        female = rng.binomial(12, layouts.beta(rng, 0.3, icc, 30))
        gone, left = rng.binomial(female, share), rng.binomial(12 - female, men)
        none = np.zeros_like(female)
        parts.append(np.column_stack([female - gone, 12 - female - left, none, none, gone + left]))
    return contrast(rng, parts)


def mixture(rng: Generator, *, each: int) -> dict[str, bool]:
    """18 occupations, 12 % of them all female, against 30 even ones."""
    chances: tuple[Floats, Floats] = ((rng.random(18) < 0.12).astype(float), np.full(30, 0.12))
    return contrast(rng, [layouts.female_and_male(rng, c, np.full(len(c), each)) for c in chances])


def alike(
    rng: Generator, *, groups: tuple[tuple[int, int], ...], share: float, icc: tuple[float, ...], kind: str = "equal"
) -> dict[str, bool]:
    """Groups of unequal likeness."""
    return contrast(
        rng,
        [
            layouts.female_and_male(rng, layouts.beta(rng, share, own, count), layouts.sizes(rng, kind, count, each))
            for (count, each), own in zip(groups, icc, strict=True)
        ],
    )


def attributes(rng: Generator, *, count: int) -> dict[str, bool]:
    """Meaningless attributes of occupations and of sentences in one report: any corrected p below 5 %."""
    chances, occupation = layouts.beta(rng, 0.3, 0.2, 60), np.repeat(np.arange(60), 12)
    letters = np.array(["a", "b"])
    columns = {
        f"k{n}": letters[rng.integers(0, 2, 60)][occupation] if n % 2 else letters[rng.integers(0, 2, 720)]
        for n in range(count)
    }
    found = estimate(
        layouts.table(occupation, (rng.random(720) >= chances[occupation]).astype(np.int64), **columns),
        clusters=("occupation",),
        groupings=[Grouping(name, column=name) for name in columns],
        measures=("TFG", "share_female", "P_S"),
        resamples=alarms.RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return {"any": bool((found["p_adjusted"] < alarms.ALPHA).any())}


def heavy(rng: Generator, *, count: int, each: int, share: float, held: float) -> tuple[dict[str, pl.DataFrame], float]:
    """Two systems of one share; one occupation holds this share of the rows."""
    sizes = np.full(count, each)
    sizes[0] = round(held / (1 - held) * each * (count - 1))
    occupation = np.repeat(np.arange(count), sizes)
    tables = {}
    for name in "ab":
        chances = layouts.beta(rng, share, 0.2, count)[occupation]
        tables[name] = layouts.table(occupation, (rng.random(len(occupation)) >= chances).astype(np.int64))
    return tables, 0.0


def heavy_alarm(rng: Generator, *, count: int, each: int, share: float, held: float) -> dict[str, bool]:
    return alarms.judge(heavy(rng, count=count, each=each, share=share, held=held)[0], ("occupation",), rng)


def heavy_cover(rng: Generator, *, count: int, each: int, share: float, held: float) -> list[Interval]:
    tables, truth = heavy(rng, count=count, each=each, share=share, held=held)
    seed = int(rng.integers(1 << 30))
    found = compare(tables, clusters=("occupation",), measures=("TFG",), resamples=500, seed=seed).differences
    return [Interval("TFG difference", *rows(found, "a - b")["TFG"], truth)]


def lossy_systems(rng: Generator, *, lost: tuple[float, float], icc: float = 0.2) -> dict[str, bool]:
    """Two systems, 40 x 10, each with some renderings undecided at random."""
    occupation = np.repeat(np.arange(40), 10)
    tables = {}
    for name, share in zip("ab", lost, strict=True):
        chances = layouts.beta(rng, 0.3, icc, 40)[occupation]
        gender = (rng.random(400) >= chances).astype(np.int64)
        gender[rng.random(400) < share] = UNKNOWN
        tables[name] = layouts.table(occupation, gender)
    return alarms.judge(tables, ("occupation",), rng)


ALARMS: dict[str, alarms.Once] = {
    "35 % of one group's women undecided, 30 x 12 each": partial(undecided, lost=(0.35, 0.0)),
    "20 % of both groups' women undecided": partial(undecided, lost=(0.2, 0.2)),
    "20 % of both groups undecided at random, icc .3": partial(undecided, lost=(0.2, 0.2), men=0.2, icc=0.3),
    "five meaningless attributes": partial(attributes, count=5),
    "18 occupations x 20, 12 % of them all female, against 30 even ones": partial(mixture, each=20),
    "18 occupations x 6, 12 % of them all female, against 30 even ones": partial(mixture, each=6),
    "15 against 30 x 60, p .05, icc .5 and .02, alone": partial(
        alike, groups=((15, 60), (30, 60)), share=0.05, icc=(0.5, 0.02)
    ),
    "15 against 30 x 20, p .1, icc .8 and 0, alone": partial(
        alike, groups=((15, 20), (30, 20)), share=0.1, icc=(0.8, 0.0)
    ),
    "12 against 30 Zipf sizes (15), p .2, icc .3 and .1": partial(
        alike, groups=((12, 15), (30, 15)), share=0.2, icc=(0.3, 0.1), kind="zipf"
    ),
    "25 against 25 lognormal sizes (10), p .5, icc .1 and .4": partial(
        alike, groups=((25, 10), (25, 10)), share=0.5, icc=(0.1, 0.4), kind="lognormal"
    ),
    "80 against 80 x 3, p .1, icc .3": partial(alike, groups=((80, 3), (80, 3)), share=0.1, icc=(0.3, 0.3)),
    "two systems, one occupation holds half of the rows, 20 x 10": partial(
        heavy_alarm, count=20, each=10, share=0.3, held=0.5
    ),
    "two systems, 15 % of one undecided at random": partial(lossy_systems, lost=(0.15, 0.0)),
    "two systems, 10 and 25 % undecided at random": partial(lossy_systems, lost=(0.1, 0.25)),
}
COVERAGE = {
    f"two systems, one of 20 occupations holds {held:.0%} of the rows": partial(
        heavy_cover, count=20, each=10, share=0.3, held=held
    )
    for held in (0.33, 0.5, 0.75)
}
