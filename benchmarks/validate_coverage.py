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
import polars as pl
from scipy.special import expit

from evenhand.gender import Gender
from evenhand.level import LEVEL
from evenhand.measures.neutrality import Neutrality, Tgbi
from evenhand.measures.shares import Share
from evenhand.statistics.bootstrap import Job, resample
from evenhand.statistics.cluster_intervals import interval
from evenhand.statistics.measure import Floats, Measure, Statistics
from evenhand.suites.suite import Grouping

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


class Pronouns:
    """The layout of the TGBI study: 735 occupations, 124 positive, 200 negative expressions, each in four sentences.

    Log-odds of female depend on kind and formality, and on the item (drawn anew in every run); a few are neutral.
    """

    name = "TGBI: 1,059 items x 4, seven sets"
    items, neutral, spread = 1_059, 0.01, 1.0
    boundary = False

    def __init__(self) -> None:
        kinds = ("occupation", "positive", "negative")
        blocks = [(k, f, p) for k in kinds for f in ("informal", "formal") for p in ("impolite", "polite")]
        ways = pl.DataFrame(blocks, schema=["kind", "formality", "politeness"], orient="row")
        sets = {v: {c: v} for c in ways.columns for v in ways[c].unique(maintain_order=True)}
        ways = ways.with_row_index("id").with_columns(gender=pl.lit("female"))
        self.measure = Tgbi().bind(ways, Grouping("sets", levels=sets).filters(ways))
        self.kind = np.repeat(np.arange(3), [735, 124, 200])
        base = np.array([-2.2, -1.2, -1.8])
        self.logit = base[:, None] + np.array([0.8, 0.8, -1.0, -1.0])  # informal x 2, formal x 2
        counted = self.measure.statistics(ways, ())
        self.pattern = (counted.cells.argmax(axis=1) // 4)[np.argsort(counted.codes[:, 0])].reshape(3, 4)
        self.patterns = counted.cells.shape[1] // 4

    def _cells(self, female: Floats, neutral: Floats) -> Floats:
        cells = np.zeros((self.items, self.patterns, 4))
        rows = np.arange(self.items)
        for sentence in range(4):
            where = self.pattern[self.kind, sentence]
            cells[rows, where, 0] += female[:, sentence] * (1 - neutral[:, sentence])
            cells[rows, where, 1] += (1 - female[:, sentence]) * (1 - neutral[:, sentence])
            cells[rows, where, 2] += neutral[:, sentence]
        return cells.reshape(self.items, -1)

    @property
    def truth(self) -> Floats:
        points, weights = np.polynomial.hermite_e.hermegauss(80)
        mean = (expit(self.logit[:, :, None] + self.spread * points) * weights).sum(axis=-1) / weights.sum()
        expected: Floats = self._cells(mean[self.kind], np.full((self.items, 4), self.neutral)).sum(axis=0)
        return expected

    def simulate(self, rng: np.random.Generator) -> Floats:
        chance = expit(self.logit[self.kind] + self.spread * rng.normal(size=(self.items, 1)))
        shape = (self.items, 4)
        female, neutral = rng.random(shape) < chance, rng.random(shape) < self.neutral
        return self._cells(female.astype(np.float64), neutral.astype(np.float64))


def covered(
    scenario: Scenario | Pronouns, measures: Sequence[Measure], *, runs: int, resamples: int, seed: int
) -> Floats:
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
            got = interval(job, drawn, (0,), [scenario.items], over="item", level=LEVEL)
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
    parser.add_argument("--only", default="", help="only cases whose name holds this text")
    options = parser.parse_args(arguments)
    measures: list[Measure] = [Share(Gender.FEMALE), Neutrality()]
    failures = 0
    tgbi = Pronouns()
    cases: list[tuple[Scenario | Pronouns, list[Measure]]] = [(tgbi, [tgbi.measure])]
    cases += [(s, measures) for s in SCENARIOS]
    for scenario, chosen in [case for case in cases if options.only in case[0].name]:
        started = time.perf_counter()
        result = covered(scenario, chosen, runs=options.runs, resamples=options.resamples, seed=options.seed)
        for measure, (inside, below, above, width) in zip(chosen, result, strict=True):
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
