"""How often do 95 % intervals cover the truth? (make validate)

Simulated runs with known probabilities, scored by the same functions that score real ones. An interval should cover
in 93.5 to 96.5 % of 2,000 runs; cases near the boundary (p near 0 or 1, where a discrete count allows few different
intervals) are reported apart and are not judged by that band. Run: python benchmarks/validate_coverage.py [--runs N]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.gender import Gender
from evenhand.measures.bootstrap import Job, resample
from evenhand.measures.intervals import interval
from evenhand.measures.neutrality import Neutrality
from evenhand.measures.protocol import Floats, Measure, Statistics
from evenhand.measures.shares import Share

BATCH = 50  # runs that share resampling weights; the weights change from batch to batch


@dataclass(frozen=True)
class Scenario:
    """A suite of `items` clusters with `each` sentences; female and neutral probabilities, and how much items differ.

    `spread` is the correlation between two sentences about one item: each item's composition is drawn from a
    Dirichlet distribution anew in every run (0: all items alike).
    """

    name: str
    items: int
    each: int
    female: float
    neutral: float = 0.0
    spread: float = 0.0
    boundary: bool = False

    @property
    def truth(self) -> Floats:
        return np.array([self.female, 1 - self.female - self.neutral, self.neutral, 0.0])

    def simulate(self, rng: np.random.Generator) -> Floats:
        chances = np.repeat(self.truth[None, :3], self.items, axis=0)
        if self.spread:
            present = self.truth[:3] > 0
            chances = np.zeros((self.items, 3))
            chances[:, present] = rng.dirichlet(self.truth[:3][present] * (1 / self.spread - 1), size=self.items)
        return np.column_stack([rng.multinomial(self.each, chances), np.zeros(self.items)]).astype(np.float64)


SCENARIOS = (
    Scenario("800 items x 4, p 0.1, alike", 800, 4, 0.1),
    Scenario("800 items x 4, p 0.3, alike", 800, 4, 0.3),
    Scenario("800 items x 4, p 0.5, alike", 800, 4, 0.5),
    Scenario("800 items x 4, p 0.48, alike", 800, 4, 0.48),
    Scenario("800 items x 4, p 0.46, items differ", 800, 4, 0.46, spread=0.4),
    Scenario("800 items x 4, p 0.1, items differ", 800, 4, 0.1, spread=0.4),
    Scenario("800 items x 4, p 0.3, items differ", 800, 4, 0.3, spread=0.4),
    Scenario("800 items x 4, p 0.2, neutral 0.1, differ", 800, 4, 0.2, neutral=0.1, spread=0.3),
    Scenario("160 items x 2, p 0.2, neutral 0.05, differ", 160, 2, 0.2, neutral=0.05, spread=0.3),
    Scenario("160 items x 2, p 0.1, alike", 160, 2, 0.1),
    Scenario("99 items x 42, p 0.1, differ much", 99, 42, 0.1, spread=0.4),
    Scenario("99 items x 42, p 0.3, differ", 99, 42, 0.3, spread=0.2),
    Scenario("40 items x 8, p 0.3, differ", 40, 8, 0.3, spread=0.2),
    Scenario("800 items x 4, p 0.001, alike", 800, 4, 0.001, boundary=True),
    Scenario("800 items x 4, p 0.005, items differ", 800, 4, 0.005, spread=0.3, boundary=True),
    Scenario("160 items x 2, p 0.01, alike", 160, 2, 0.01, boundary=True),
    Scenario("800 items x 4, p 0.99, neutral 0.005, alike", 800, 4, 0.99, neutral=0.005, boundary=True),
)


def covered(scenario: Scenario, measures: Sequence[Measure], *, runs: int, resamples: int, seed: int) -> Floats:
    """For each measure: share of runs whose interval holds the truth, missed below, missed above, mean width."""
    codes = np.arange(scenario.items)[:, None]
    truth = [
        float(Job(m, _statistics(codes, scenario.truth[None, :])).of_totals(scenario.truth[None, :])[0])
        for m in measures
    ]
    found = np.zeros((len(measures), 4))
    for batch, sequence in enumerate(np.random.SeedSequence([seed, len(scenario.name)]).spawn(-(-runs // BATCH))):
        rng = np.random.default_rng(sequence)
        count = min(BATCH, runs - batch * BATCH)
        jobs = [Job(m, s) for s in [_statistics(codes, scenario.simulate(rng)) for _ in range(count)] for m in measures]
        values = resample(jobs, [scenario.items], seed=seed + batch, resamples=resamples)
        for number, (job, drawn) in enumerate(zip(jobs, values, strict=True)):
            got = interval(job, drawn, (0,), [scenario.items], over="item")
            which = number % len(measures)
            below, above = got.high < truth[which] - 1e-9, got.low > truth[which] + 1e-9
            found[which] += [not (below or above), below, above, got.width]
    return found / runs


def _statistics(codes: np.ndarray, cells: Floats) -> Statistics:
    return Statistics(
        codes=codes,
        cells=cells,
        names=("female", "male", "neutral", "both"),
        n=int(cells.sum()),
        decided=int(cells.sum()),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--resamples", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=20_260)
    options = parser.parse_args(arguments)
    measures: list[Measure] = [Share(Gender.FEMALE), Neutrality()]
    failures = 0
    for scenario in SCENARIOS:
        started = time.perf_counter()
        result = covered(scenario, measures, runs=options.runs, resamples=options.resamples, seed=options.seed)
        for measure, (inside, below, above, width) in zip(measures, result, strict=True):
            good = 0.935 <= inside <= 0.965
            failures += not (good or scenario.boundary)
            verdict = "boundary" if scenario.boundary else ("ok" if good else "OUTSIDE 93.5-96.5")
            print(
                f"{scenario.name:46} {measure.name:13} covered {inside:6.2%}  below {below:5.2%}  above {above:5.2%}"
                f"  width {width:.4f}  {verdict}  ({time.perf_counter() - started:.0f} s)",
                flush=True,
            )
    print("every interior case within 93.5-96.5 %" if not failures else f"{failures} interior cases outside the band")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
