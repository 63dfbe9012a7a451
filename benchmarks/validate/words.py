"""WEAT with a known effect: its test, its interval, and the flag of sets that have a topic of their own."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from benchmarks.validate import coverage
from benchmarks.validate.alarms import FREE, Once
from benchmarks.validate.layouts import Floats, Generator

from evenhand.embeddings.association import Weat, weat
from evenhand.embeddings.vectors import Vectors, unit_rows

DIM, FURTHER, MANY = 40, 400, 40_000
ALPHA = 0.05


def targets(rng: Generator, sizes: tuple[int, int], spreads: tuple[float, float], shift: float) -> list[Floats]:
    """Words of the two sets; their spread along gender differs, and X lies nearer the male words by `shift`."""
    made: list[Floats] = [rng.normal(0, 1, (size, DIM)) for size in sizes]
    for part, spread in zip(made, spreads, strict=True):
        part[:, 0] *= spread
    made[0][:, 0] += shift
    return made


def found(rng: Generator, words: list[Floats]) -> tuple[Weat, Floats]:
    """WEAT of these words with eight attribute words per side, and the direction between those."""
    attributes = [sign * 3 * np.eye(DIM)[0] + rng.normal(0, 1, (8, DIM)) for sign in (1, -1)]
    parts = [*words, *attributes, rng.normal(0, 1, (FURTHER, DIM))]
    names = [[f"{side}{n}" for n in range(len(part))] for side, part in zip("xyabo", parts, strict=True)]
    vectors = Vectors([name for some in names for name in some], np.concatenate(parts).astype(np.float32))
    male, female = (unit_rows(part.astype(np.float32)).mean(axis=0) for part in attributes)
    return weat(vectors, *names[:4], seed=int(rng.integers(1 << 30))), np.asarray(male - female, dtype=np.float64)


def sets(
    rng: Generator, *, sizes: tuple[int, int] = (6, 24), spreads: tuple[float, float] = (1.0, 1.0), topic: float = 0.0
) -> dict[str, bool]:
    """Sets without any association; X may have a topic, an unrelated direction."""
    words = targets(rng, sizes, spreads, 0.0)
    words[0] += topic * rng.normal(0, 1, DIM)
    tested, _ = found(rng, words)
    alarm = tested.p < ALPHA
    rates = {"WEAT": alarm, "WEAT" + FREE: alarm and not tested.warning}
    return rates if topic else rates | {"flag of a topic": bool(tested.warning)}


@cache
def population(spreads: tuple[float, float], shift: float) -> list[Floats]:
    drawn = targets(np.random.default_rng(1), (MANY, MANY), spreads, shift)
    return [unit_rows(part.astype(np.float32)).astype(np.float64) for part in drawn]


def effect(
    rng: Generator, *, sizes: tuple[int, int], spreads: tuple[float, float], shift: float
) -> list[coverage.Interval]:
    """The effect size of all words that the sets could have had, in these proportions."""
    tested, towards = found(rng, targets(rng, sizes, spreads, shift))
    x, y = (part @ towards for part in population(spreads, shift))
    share, gap = sizes[0] / sum(sizes), float(x.mean() - y.mean())
    spread = np.sqrt(share * x.var() + (1 - share) * y.var() + share * (1 - share) * gap**2)
    return [coverage.Interval("WEAT", tested.interval.low, tested.interval.high, gap / float(spread))]


ALARMS: dict[str, Once] = {
    "WEAT, 6 against 24 words of spread 3 and .7": partial(sets, spreads=(3.0, 0.7)),
    "WEAT, 6 against 24 words": sets,
    "WEAT, 12 against 12 words of spread 2 and .7": partial(sets, sizes=(12, 12), spreads=(2.0, 0.7)),
    "WEAT, 6 against 24 words, X with a topic of .8": partial(sets, topic=0.8),
    "WEAT, 6 against 24 words, X with a topic of 1.5": partial(sets, topic=1.5),
}
COVERAGE: dict[str, coverage.Once] = {
    f"WEAT, {n} against {m} words of spread {one:g} and {two:g}, shift {shift:g}": partial(
        effect, sizes=(n, m), spreads=(one, two), shift=shift
    )
    for n, m, one, two, shift in (
        (6, 24, 3.0, 0.7, 0.0),
        (6, 24, 3.0, 0.7, 2.0),
        (6, 24, 0.7, 3.0, 2.0),
        (12, 12, 1.0, 1.0, 1.5),
    )
}
