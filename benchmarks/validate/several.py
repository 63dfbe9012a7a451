"""Several languages, several nights: runs paired by concept, pooled values, and gates that are read every night."""

from __future__ import annotations

from functools import partial

import numpy as np
from benchmarks.validate import alarms, layouts
from benchmarks.validate.coverage import Interval
from benchmarks.validate.layouts import Floats, Generator
from scipy.special import expit

from evenhand.measures.decisions.pooled import pool, run_value
from evenhand.measures.definitions.gendered import TFG
from evenhand.statistics.monitoring import watch

NIGHTS, PROBES, CLUSTERS = 365, 1_000, 50


def languages(
    rng: Generator, *, count: int, concepts: int, share: float, spreads: tuple[float, float, float]
) -> list[Interval]:
    """One system in several languages that share their concepts: log-odds of languages, concepts, and both together."""
    total = round(float(np.sqrt(np.square(spreads).sum())), 9)
    base = layouts.centre(share, total) + rng.normal(0, spreads[1], concepts)
    measure, values = TFG, []
    for _ in range(count):
        odds = base + rng.normal(0, spreads[0]) + rng.normal(0, spreads[2], concepts)
        occupation = np.repeat(np.arange(concepts), 3)
        female = rng.random(len(occupation)) < expit(odds)[occupation]
        table = layouts.table(occupation, (~female).astype(np.int64))
        seed = int(rng.integers(1 << 30))
        found = run_value(
            table, measure, clusters=("occupation",), groupings=(), seed=seed, resamples=300, level=1 - alarms.ALPHA
        )
        values += [] if found is None else [found]
    row = pool(values, measure, 1 - alarms.ALPHA)
    return [Interval("TFG, pooled", float(row["low"] or 0), float(row["high"] or 0), share)]


def paired_by_concept(rng: Generator, *, concepts: int, share: float, own: float) -> dict[str, bool]:
    """Two languages with one share: what each makes of a concept correlates, sentences do not."""
    base = layouts.centre(share, round(float(np.hypot(1.0, own)), 9)) + rng.normal(0, 1.0, concepts)
    tables = {
        name: layouts.table(np.arange(concepts), (rng.random(concepts) >= expit(odds)).astype(np.int64))
        for name, odds in ((name, base + rng.normal(0, own, concepts)) for name in "ab")
    }
    return alarms.judge(tables, ("occupation",), rng)


def nightly(rng: Generator, *, change: int | None = None) -> dict[str, bool]:
    """A sampling system whose sentences have chances of their own; five points more from one night on, or never."""
    chances = rng.beta(0.9, 2.1, PROBES)
    moved = chances + 0.05 / float((1 - chances).mean()) * (1 - chances)
    last = NIGHTS if change is None else change + 14
    nights: Floats = np.empty((last, CLUSTERS))
    for night in range(last):
        now = chances if change is None or night < change else moved
        nights[night] = (rng.random(PROBES) < now).reshape(CLUSTERS, -1).sum(axis=1) / PROBES
    shown = watch(nights).p() <= alarms.ALPHA
    return {"an alarm in a year": bool(shown.any())} if change is None else {"found in 14 nights": bool(shown.any())}


ALARMS: dict[str, alarms.Once] = {
    "two languages paired by 120 concepts, p .3": partial(paired_by_concept, concepts=120, share=0.3, own=0.7),
    "two languages paired by 25 concepts, p .1": partial(paired_by_concept, concepts=25, share=0.1, own=0.7),
    f"{NIGHTS} nightly builds, {PROBES:,} probes, nothing changed": nightly,
}
FOUND: dict[str, alarms.Once] = {
    f"a change of 5 points at night {night}, {PROBES:,} probes": partial(nightly, change=night)
    for night in (1, 20, 200)
}
COVERAGE = {
    f"pooled over {count} languages, {concepts} concepts x 3, p {share:g}": partial(
        languages, count=count, concepts=concepts, share=share, spreads=(0.4, 0.8, 0.3)
    )
    for count, concepts, share in ((3, 60, 0.3), (6, 40, 0.3), (8, 100, 0.1))
}
