"""How often do corrected tests call two equally biased systems different? And a real difference? (make validate)

Two simulated systems translate the verbs suite's layout (99 occupations x 42 verbs, half of them feminine) with the
same probabilities; their differences are tested as `evenhand compare` does, all measures in one family. A difference
should be reported in 3.5 to 6.5 % of 2,000 repetitions. Then one system is made 5 points more feminine: the share of
repetitions that report it is the power. Run: python benchmarks/validate_false_alarms.py [--runs N]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from evenhand.gender import Gender
from evenhand.level import ALPHA
from evenhand.measures.gendered import FeminineShare
from evenhand.measures.neutrality import Neutrality
from evenhand.measures.paired import tested
from evenhand.measures.shares import Share
from evenhand.statistics.bootstrap import Job
from evenhand.statistics.measure import Floats, Measure, Statistics
from evenhand.statistics.swapping import Pair

OCCUPATIONS, VERBS = 99, 42


@dataclass(frozen=True)
class World:
    """Log-odds of a feminine rendering: a base, occupation and verb effects, a push for feminine verbs.

    `own` is the part of the occupation effects (as a standard deviation) that each system draws for itself: systems
    of equal bias that lean differently on single occupations.
    """

    name: str
    base: float = -3.9
    occupation: float = 2.0
    verb: float = 0.4
    push: float = 0.5
    own: float = 0.0
    neutral: float = 0.015

    def chances(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        verbs = rng.normal(0, self.verb, VERBS) + self.push * np.where(np.arange(VERBS) < VERBS // 2, 1, -1)
        shared = np.sqrt(max(self.occupation**2 - self.own**2, 0.0))
        common = self.base + rng.normal(0, shared, OCCUPATIONS)
        first, second = (common + rng.normal(0, self.own, OCCUPATIONS) for _ in range(2))
        return expit(first[:, None] + verbs), expit(second[:, None] + verbs)


WORLDS = (
    World("same probabilities"),
    World("same probabilities, less skewed", base=-1.5, occupation=1.2),
    World("equal on average, own leanings", own=0.7),
)


def verdicts(rng: np.random.Generator, chances: Floats, neutral: float) -> Statistics:
    """One rendering for each occupation and verb: female, male or neutral."""
    female = rng.random(chances.shape) < chances
    open_ = rng.random(chances.shape) < neutral
    cells = np.stack([female & ~open_, ~female & ~open_, open_, np.zeros_like(open_)], axis=-1)
    codes = np.indices(chances.shape).reshape(2, -1).T.astype(np.int64)
    count = chances.size
    return Statistics(
        codes, cells.reshape(count, 4).astype(np.float64), ("female", "male", "neutral", "both"), count, count
    )


def only(statistics: Statistics, measure: Measure) -> Statistics:
    """The cells a measure uses: %TFG looks at female and male alone."""
    if isinstance(measure, FeminineShare):
        return Statistics(
            statistics.codes, statistics.cells[:, :2], statistics.names[:2], statistics.n, statistics.decided
        )
    return statistics


def repeat(world: World, *, runs: int, permutations: int, seed: int, difference: float = 0.0) -> dict[str, float]:
    """Share of repetitions in which a corrected test (any of the family; %TFG alone) reports a difference."""
    measures: list[Measure] = [FeminineShare(), Share(Gender.FEMALE), Share(Gender.MALE), Neutrality()]
    alarms = {"any corrected": 0, "TFG corrected": 0, "TFG alone": 0}
    for number, sequence in enumerate(np.random.SeedSequence(seed).spawn(runs)):
        rng = np.random.default_rng(sequence)
        first, second = world.chances(rng)
        if difference:
            second = np.clip(second + difference, 0, 1)
        one, two = verdicts(rng, first, world.neutral), verdicts(rng, second, world.neutral)
        pairs = [Pair(Job(m, only(one, m)), Job(m, only(two, m))) for m in measures]
        found = tested(pairs, [OCCUPATIONS, VERBS], seed + number, permutations)
        alarms["any corrected"] += bool((found.adjusted < ALPHA).any())
        alarms["TFG corrected"] += bool(found.adjusted[0] < ALPHA)
        alarms["TFG alone"] += bool(found.plain[0] < ALPHA)
    return {name: count / runs for name, count in alarms.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--permutations", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=20_261)
    options = parser.parse_args(arguments)
    failures = 0
    for world in WORLDS:
        started = time.perf_counter()
        rates = repeat(world, runs=options.runs, permutations=options.permutations, seed=options.seed)
        good = 0.035 <= rates["any corrected"] <= 0.065
        failures += not good
        shown = ", ".join(f"{n} {r:.2%}" for n, r in rates.items())
        print(
            f"{world.name:34} false alarms: {shown}  {'ok' if good else 'OUTSIDE 3.5-6.5 %'}"
            f"  ({time.perf_counter() - started:.0f} s)",
            flush=True,
        )
    for world in WORLDS:
        rates = repeat(
            world,
            runs=max(options.runs // 4, 1),
            permutations=options.permutations,
            seed=options.seed + 1,
            difference=0.05,
        )
        print(f"{world.name:34} power at 5 points: " + ", ".join(f"{n} {r:.2%}" for n, r in rates.items()), flush=True)
    print("false alarms within 3.5-6.5 %" if not failures else f"{failures} worlds outside 3.5-6.5 %")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
