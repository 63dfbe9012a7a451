"""Intervals of measures made of counts: the composition of an effective number of independent renderings.

n clustered renderings with design effect D (the variance over clusters divided by that of independent sentences: Kish
1965) carry as much information as n / D independent ones. The composition behind such counts is drawn from a Dirichlet
distribution, with a pseudo-rendering added to the cell that lowers the measure most for the lower end, and to the one
that raises it most for the upper end. For a share this is the interval of Korn & Graubard (1998, Survey Methodology
24); for any formula it is Walley's imprecise Dirichlet model (1996, Journal of the Royal Statistical Society B 58), so
that an empty cell (all male, never neutral) counts. The weight of the pseudo-rendering lies between the mid-P interval
(1/2: Berry & Armitage 1995, The Statistician 44) and Clopper & Pearson's (1).

D observed with k degrees of freedom is uncertain: k D_observed / D is a chi-square variable, with a prior nearly
uniform in log D, from no clustering (D = 1, or less where the data clearly show it) to clusters whose sentences are all
alike. In the middle of the scale this gives Student's t. Constants were fixed by simulation (docs/validation.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from evenhand.level import tails
from evenhand.statistics.measure import Floats, Job
from evenhand.statistics.variation import Linearised, Variation

RESAMPLES = 2_000  # compositions drawn for an interval; arrangements and draws of a test
PSEUDO = 0.75  # pseudo-renderings added for either end of an estimate
PSEUDO_DIFFERENCE = 0.5  # and in each of two parts for either end of their difference
NODES = 120  # values of log D at which its distribution is evaluated
PRIOR_SLOPE = 0.1  # the prior density of log D is D^PRIOR_SLOPE
SCARCE = 5.0  # effective renderings that move the measure; below, D is at least 1
CERTAIN = 15.0  # degrees of freedom from which clusters may vary more than if their sentences were all alike
LOWEST = 0.2  # of the observed design effect: the lowest that is considered

Evaluate = Callable[[Floats], Floats]


@dataclass(frozen=True)
class DesignEffect:
    """A design effect as observed: its estimate, degrees of freedom, and the largest possible one. `movers` is the
    number of effective renderings that carry the variance."""

    effect: float
    freedom: float
    largest: float
    movers: float

    @classmethod
    def of(cls, over: Variation, *parts: Linearised) -> Self:
        """The design effect of one part's value, or of the difference of two parts that share their clusters."""
        independent, fourth = sum(p.independent for p in parts), sum(p.fourth for p in parts)
        if independent <= 0:
            return cls(0.0, 0.0, over.largest, 0.0)
        effect = over.variance / independent
        movers = independent**2 / fourth / max(effect, 1.0) if fourth > 0 else 0.0
        # estimated counts vary on top of the clusters, so that clusters do not bound the effect
        estimated = any(p.job.measure.estimated_counts for p in parts)
        largest = max(over.largest, 2 * effect) if estimated else over.largest
        return cls(effect, over.carried, largest, movers)

    def quantiles(self, levels: Floats) -> Floats:
        """Design effects at these quantiles of their distribution."""
        scarce = min(1.0, (SCARCE / self.movers) ** 2) if self.movers > 0 else 1.0
        # one rendering more or less is always possible, so not even identical answers have a design effect of 0
        single = 1 / self.movers if self.movers > 0 else 1.0
        lowest = min(1.0, max(LOWEST * self.effect, scarce, single))
        # clusters that look all alike may vary more than they did: the variance is an estimate itself
        beyond = min(self.effect / self.largest, 1.0) * (1 + 2 * np.sqrt(2 / max(self.freedom, CERTAIN)))
        nodes = np.linspace(np.log(lowest), np.log(max(self.largest * max(beyond, 1.0), 1.0001)), NODES)
        weight = PRIOR_SLOPE * nodes - self.freedom / 2 * (nodes + self.effect / np.exp(nodes))
        chance = np.exp(weight - weight.max())
        running = np.cumsum(chance) / chance.sum()
        return np.asarray(np.exp(np.interp(levels, running - chance / chance.sum() / 2, nodes)))

    def drawn(self, *, seed: int, draws: int) -> Floats:
        """Random design effects, evenly spread over their distribution."""
        return self.quantiles((np.random.default_rng([seed, 0xD0]).permutation(draws) + 0.5) / draws)


@dataclass(frozen=True)
class Draws:
    """A value, or a difference of two, and what it is under drawn compositions, for the lower and for the upper end. It
    is a test of every amount (inversion.py), for formulas of more than one share."""

    value: float
    low: Floats
    high: Floats
    method: str = "effective counts"

    def __sub__(self, other: Self) -> "Draws":
        return Draws(self.value - other.value, self.low - other.high, self.high - other.low)

    def ends(self, level: float) -> tuple[float, float]:
        """The interval; NaN where the measure is undefined in every draw."""
        below, above = tails(level)
        low, high = self.low[np.isfinite(self.low)], self.high[np.isfinite(self.high)]
        if not len(low) or not len(high):
            return np.nan, np.nan
        return float(np.quantile(low, below)), float(np.quantile(high, above))

    def p(self, null: float) -> float:
        """A two-sided p of this amount: one minus the level of the narrowest interval that includes it."""
        if null == self.value:
            return 1.0
        below, above = float((self.low <= null).mean()), float((self.high >= null).mean())
        return min(2 * min(below, above), 1.0)


def draw(
    job: Job, effect: Floats, *, seed: int, pseudo: float = PSEUDO, evaluate: Evaluate | None = None, stream: int = 0
) -> Draws:
    """Values of a job under one composition per design effect. `evaluate` replaces the measure's formula where more is
    drawn (a calibration). Parts that are independent of each other take different numbers for `stream`."""
    formula, totals = job.measure.of_totals, job.statistics.summed
    rng = np.random.default_rng([seed, 0xD1, stream])
    present = np.flatnonzero(totals > 0)
    drawn = np.zeros((len(effect), len(totals)))
    drawn[:, present] = rng.standard_gamma(totals[present] / effect[:, None])
    further = rng.standard_gamma(pseudo, size=len(effect))
    # compositions are scaled to renderings: some formulas have constants (the half of log_ratio)
    ends = []
    for cell in extremes(formula, totals):
        shifted = drawn.copy()
        shifted[:, cell] += further
        scaled = shifted * (totals.sum() / np.maximum(shifted.sum(axis=1, keepdims=True), 1e-300))
        ends.append((evaluate or formula)(scaled))
    return Draws(job.point(), ends[0], ends[1])


def extremes(formula: Evaluate, totals: Floats) -> tuple[int, int]:
    """The cells in which one more rendering in a thousand lowers and raises the measure most."""
    step = 1e-3 * float(totals.sum())
    change = formula(totals + step * np.eye(len(totals))) - formula(totals[None, :])
    change = np.where(np.isfinite(change), change, 0.0)
    return int(np.argmin(change)), int(np.argmax(change))
