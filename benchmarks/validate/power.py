"""Planned against simulated power: what `plan --power` promises, and how often `compare` then reports the difference.

The truth comes from another generator than the plan's: clusters' log-odds are normal, those of the two systems
correlated, with mean, icc and correlation of the chances as planned (solved by quadrature). The difference is the one
the plan promises to report about seven times in ten.
The decision is that of a report: the p corrected over five measures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import polars as pl
from benchmarks.validate.layouts import Floats, Generator, centre, table
from scipy.optimize import brentq
from scipy.special import expit

from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions import registry
from evenhand.measures.definitions.gendered import TFG
from evenhand.statistics.power import DRAWS, Design, Planned

WITHIN = 0.07
PLAN_ERROR = float(np.sqrt(0.25 / DRAWS))  # the plan is simulated too
WANTED = 0.7
RUNS = 400
MEASURES = ("share_female", "share_male", "share_neutral", "P_S", "TFG")  # one family, as in a report
EACH = {5: 40, 8: 40, 20: 20, 99: 42}
SHARED, ALIKE, CORRELATED = (0.05, 0.3), (0.05, 0.3), (0.2, 0.5, 0.8)


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
        for clusters, share, icc, correlation in product(EACH, SHARED, ALIKE, CORRELATED)
    )
}


@dataclass
class Power:
    """Planned and simulated: how often `compare` reported the difference, by the corrected p that decides."""

    difference: float
    planned: float
    runs: int = 0
    reported: int = 0
    plain: int = 0

    def __add__(self, more: Power) -> Power:
        total = self.reported + more.reported
        return Power(self.difference, self.planned, self.runs + more.runs, total, self.plain + more.plain)

    @property
    def rate(self) -> float:
        return self.reported / self.runs

    @property
    def error(self) -> float:
        return float(np.sqrt(max(self.rate * (1 - self.rate), 0.25 / self.runs) / self.runs))


def planned(setting: Setting) -> Power:
    """The difference that the plain p is planned to report, and how often the corrected one is planned to."""
    sizes = np.full(setting.clusters, float(EACH[setting.clusters]))
    plan = Planned(Design(setting.share, setting.icc, setting.correlation), sizes, TFG)
    difference = plan.detectable(WANTED) or 1 - setting.share
    decision = plan.corrected(difference, [registry.by_name(measure) for measure in MEASURES])
    return Power(difference, decision.power(difference, seed=1))


def simulated(name: str, runs: int, seed: int, known: Power | None = None) -> Power:
    """Plan one setting (unless its plan is known), then compare two simulated systems so many times."""
    setting = SETTINGS[name]
    told = Power(known.difference, known.planned) if known else planned(setting)
    difference = told.difference
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
            tables, clusters=("occupation",), measures=MEASURES, resamples=300, seed=int(rng.integers(1 << 30))
        )
        p, adjusted = found.differences.filter(measure="TFG").select("p", "p_adjusted").row(0)
        told.runs += 1
        told.plain += p is not None and p < 0.05
        told.reported += adjusted is not None and adjusted < 0.05
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


def table_of(found: Mapping[str, Power]) -> list[str]:
    """Settings and what came out, as the lines of a table: a row per suite, a column per correlation."""
    columns = [f"correlation {own:g}" for own in CORRELATED]
    lines = [f"| clusters x sentences | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for clusters, share, icc in product(EACH, SHARED, ALIKE):
        names = [Setting(clusters, share, icc, own).name for own in CORRELATED]
        if any(name in found for name in names):
            cells = [_cell(found[name]) if name in found else "" for name in names]
            lines.append(f"| {names[0].rpartition(',')[0]} | {' | '.join(cells)} |")
    return lines


def _cell(one: Power) -> str:
    gap, error = abs(one.rate - one.planned), float(np.hypot(one.error, PLAN_ERROR))
    outside = "" if gap <= WITHIN else ", within error" if gap <= WITHIN + 3 * error else ", **no**"
    return f"{one.planned:.2f}, {one.rate:.2f} ± {one.error:.2f} ({one.plain / one.runs:.2f}; {one.runs:,}){outside}"
