"""Intervals for measures made of counts: the composition of an effective number of independent renderings.

n clustered renderings with design effect D carry what n / D independent ones do. The composition behind such counts is
drawn from a Dirichlet distribution, with a pseudo-rendering added to the cell that lowers the measure most for the
lower end, and to the one that raises it most for the upper end: for a share this is the interval of Korn & Graubard
(1998, Survey Methodology 24), Clopper & Pearson's on the effective sample size; for any formula it is Walley's
imprecise Dirichlet model (1996, Journal of the Royal Statistical Society B 58), so that a cell in which nothing was
seen yet (all male, never neutral) has its say. The weight of the pseudo-rendering lies between the mid-P interval (1/2:
Berry & Armitage 1995, The Statistician 44) and Clopper & Pearson's (1), which is wider than it need be. D is uncertain
itself (design_effect.py). No library has this; scipy has the binomial case without clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evenhand.level import tails
from evenhand.statistics.design_effect import Seen
from evenhand.statistics.measure import Floats, Job

RESAMPLES = 2_000  # compositions drawn for an interval; arrangements and draws of a test
PSEUDO = 0.75  # pseudo-renderings added for either end of an estimate
PSEUDO_DIFFERENCE = 0.5  # and in each of two parts for either end of their difference

Evaluate = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Draws:
    """Values of a measure under drawn compositions, leaning to the lower and to the upper end."""

    low: Floats
    high: Floats

    def __sub__(self, other: Draws) -> Draws:
        return Draws(self.low - other.high, self.high - other.low)

    def ends(self, level: float) -> tuple[float, float]:
        """The interval; NaN where the measure is undefined in every draw."""
        below, above = tails(level)
        low, high = self.low[np.isfinite(self.low)], self.high[np.isfinite(self.high)]
        if not len(low) or not len(high):
            return np.nan, np.nan
        return float(np.quantile(low, below)), float(np.quantile(high, above))

    def beyond(self, point: float) -> float:
        """A two-sided p of this point: one minus the level of the interval that just holds it."""
        below, above = float((self.low <= point).mean()), float((self.high >= point).mean())
        return min(2 * min(below, above), 1.0)


def effects(seen: Seen, *, seed: int, draws: int) -> Floats:
    """Drawn design effects, evenly spread over their distribution."""
    levels = (np.random.default_rng([seed, 0xD0]).permutation(draws) + 0.5) / draws
    return seen.quantiles(levels)


def draw(
    job: Job,
    effect: Floats,
    *,
    seed: int,
    pseudo: float = PSEUDO,
    formula: Evaluate | None = None,
    evaluate: Evaluate | None = None,
    stream: int = 0,
) -> Draws:
    """Values of a job under compositions drawn with these design effects, one each.

    `formula` is another one than the measure's own; `evaluate` stands in for it where there is more to draw (a
    calibration). Parts that are to be independent of each other take different numbers for `stream`.
    """
    formula = formula or job.measure.of_totals
    totals = job.statistics.summed
    lowest, highest = extremes(formula, totals)
    rng = np.random.default_rng([seed, 0xD1, stream])
    present = np.flatnonzero(totals > 0)
    drawn = np.zeros((len(effect), len(totals)))
    drawn[:, present] = rng.standard_gamma(totals[present] / effect[:, None])
    further = rng.standard_gamma(pseudo, size=len(effect))
    # compositions are handed over in renderings: some formulas have constants of their own (log_ratio's half)
    ends = []
    for cell in (lowest, highest):
        leaning = drawn.copy()
        leaning[:, cell] += further
        scaled = leaning * (totals.sum() / np.maximum(leaning.sum(axis=1, keepdims=True), 1e-300))
        ends.append((evaluate or formula)(scaled))
    return Draws(*ends)


def extremes(formula: Evaluate, totals: Floats) -> tuple[int, int]:
    """The cells in which one more rendering in a thousand lowers and raises the measure most."""
    step = 1e-3 * float(totals.sum())
    change = formula(totals + step * np.eye(len(totals))) - formula(totals[None, :])
    change = np.where(np.isfinite(change), change, 0.0)
    return int(np.argmin(change)), int(np.argmax(change))
