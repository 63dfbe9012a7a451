"""Planned against simulated power: what `plan --power` promises, and how often `compare` then reports the difference.

The truth comes from another generator than the plan's: clusters' log-odds are normal, those of the two systems
correlated, with mean, icc and correlation of the chances as planned (solved by quadrature). The difference is the one
the plan promises to report about seven times in ten.
Run: PYTHONPATH=. python -m benchmarks.validate.power [--runs N] [--only TEXT] [--processes N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product, repeat

import numpy as np
import polars as pl
from benchmarks.validate.layouts import Floats, Generator, centre, table
from scipy.optimize import brentq
from scipy.special import expit

from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions.gendered import FeminineShare
from evenhand.statistics.power import DRAWS, Clustered, Design, detectable, power

WITHIN = 0.07
PLAN_ERROR = float(np.sqrt(0.25 / DRAWS))  # the plan is simulated too
WANTED = 0.7
RUNS = 400
EACH = {5: 40, 8: 40, 20: 20, 99: 42}


@dataclass(frozen=True)
class Setting:
    """A planned comparison."""

    clusters: int
    share: float
    icc: float
    correlation: float

    @property
    def name(self) -> str:
        return (
            f"{self.clusters} x {EACH[self.clusters]}, share {self.share:g}, icc {self.icc:g}, "
            f"correlation {self.correlation:g}"
        )


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(clusters, share, icc, correlation)
        for clusters, share, icc, correlation in product(EACH, (0.05, 0.3), (0.05, 0.3), (0.2, 0.5, 0.8))
    )
}


@dataclass
class Power:
    """Planned and simulated: how often `compare` reported the difference."""

    difference: float
    planned: float
    runs: int = 0
    reported: int = 0

    @property
    def rate(self) -> float:
        return self.reported / self.runs

    @property
    def error(self) -> float:
        return float(np.sqrt(max(self.rate * (1 - self.rate), 0.25 / self.runs) / self.runs))


def simulated(name: str, runs: int, seed: int) -> Power:
    """Plan one setting, then compare two simulated systems so many times."""
    setting = SETTINGS[name]
    layout = Clustered.equal(setting.clusters, EACH[setting.clusters])
    design = Design(setting.share, setting.icc, setting.correlation)
    difference = detectable(design, layout, measure=FeminineShare(), wanted=WANTED) or 1 - setting.share
    told = Power(difference, power(design, difference, layout, measure=FeminineShare(), seed=1))
    rng = np.random.default_rng([seed, len(name)])
    shares = (setting.share, min(setting.share + difference, 0.999))
    spreads = [spread_of(share, setting.icc) for share in shares]
    latent = latent_of(shares, (spreads[0], spreads[1]), setting.correlation)
    for _ in range(runs):
        z = rng.standard_normal((2, setting.clusters))
        z[1] = latent * z[0] + np.sqrt(1 - latent**2) * z[1]
        chances = [expit(centre(p, s) + s * row) for p, s, row in zip(shares, spreads, z, strict=True)]
        tables = {
            label: answers(rng, chance, EACH[setting.clusters]) for label, chance in zip("AB", chances, strict=True)
        }
        found = compare(
            tables, clusters=("occupation",), measures=("TFG",), resamples=300, seed=int(rng.integers(1 << 30))
        )
        p = found.differences["p"][0]
        told.runs += 1
        told.reported += p is not None and p < 0.05
    return told


def answers(rng: Generator, chances: Floats, each: int) -> pl.DataFrame:
    """A run of a suite with so many sentences a cluster: row n is sentence n in every run."""
    female = rng.random((len(chances), each)) < chances[:, None]
    return table(np.repeat(np.arange(len(chances)), each), (~female).ravel().astype(np.int64))


@cache
def spread_of(share: float, icc: float) -> float:
    """The standard deviation of log-odds that gives the chances this icc."""
    points, weights = np.polynomial.hermite_e.hermegauss(100)
    weights = weights / weights.sum()

    def reached(spread: float) -> float:
        chances = expit(centre(share, spread) + spread * points)
        return float(weights @ (chances - share) ** 2) / (share * (1 - share)) - icc

    return float(brentq(reached, 1e-3, 30.0))


def latent_of(shares: tuple[float, float], spreads: tuple[float, float], correlation: float) -> float:
    """The correlation of the log-odds that gives the chances this correlation."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    pairs = weights[:, None] * weights
    x = expit(centre(shares[0], spreads[0]) + spreads[0] * points)[:, None]

    def reached(latent: float) -> float:
        z = latent * points[:, None] + np.sqrt(1 - latent**2) * points
        y = expit(centre(shares[1], spreads[1]) + spreads[1] * z)
        cross = (pairs * (x - shares[0]) * (y - shares[1])).sum()
        return float(cross / np.sqrt((pairs * (x - shares[0]) ** 2).sum() * (pairs * (y - shares[1]) ** 2).sum()))

    return 1.0 if reached(1.0) <= correlation else float(brentq(lambda r: reached(r) - correlation, 0.0, 1.0))


def table_of(runs: int, seed: int, only: str, processes: int) -> list[str]:
    """Every setting whose name holds `only`, as the lines of a table; they are printed as they come."""
    lines = [
        "| clusters x sentences | difference | planned | runs | reported by compare | s.e. | within .07 |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    names = [name for name in SETTINGS if only in name]
    with ProcessPoolExecutor(processes) as pool:
        for name, told in zip(names, pool.map(simulated, names, repeat(runs), repeat(seed)), strict=True):
            gap = abs(told.rate - told.planned)
            error = float(np.hypot(told.error, PLAN_ERROR))
            inside = "yes" if gap <= WITHIN else "within error" if gap <= WITHIN + 3 * error else "**no**"
            lines.append(
                f"| {name} | {told.difference:.3f} | {told.planned:.2f} | {told.runs:,} | {told.rate:.3f} | "
                f"{told.error:.3f} | {inside} |"
            )
            print(lines[-1], flush=True)
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--only", default="", help="only settings whose name holds this text")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args(arguments)
    table_of(options.runs, options.seed, options.only, options.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
