"""What clustering costs, and how little few clusters say about it.

The design effect D is the variance over clusters divided by the variance if no two sentences were alike (Kish 1965): n
sentences are worth n / D independent ones. Seen with k degrees of freedom it is uncertain: k D_seen / D is taken as a
chi-square variable, with a prior nearly uniform in log D, from no clustering at all (D = 1, or less where the data
amply show so) to clusters whose sentences are all alike. In the middle of the scale this gives Student's t. With rare
outcomes, where a handful of clusters carries the variance, and at 0 or 1, where none of it is seen, it keeps every
degree of clustering in play that the data allow. The constants were fixed by simulation (docs/validation.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import Variation

NODES = 120  # values of log D at which its distribution is worked out
LEAN = 0.2  # the prior leans a little towards larger design effects: D^LEAN per unit of log D
SCARCE = 5.0  # effective renderings that move the measure, below which D is not taken to lie under 1
LOWEST = 0.2  # of the design effect seen: the lowest that is considered
BORROWED = 4.0  # degrees of freedom another part of the run lends at most


@dataclass(frozen=True)
class Seen:
    """A design effect as observed: its estimate, degrees of freedom, the largest possible, and what moves the measure.

    `movers` is the number of effective renderings the variance hangs on. `lent` are design effects that other parts
    suggest, with their degrees of freedom.
    """

    effect: float
    freedom: float
    largest: float
    movers: float
    lent: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, over: Variation, *parts: Linearised) -> Seen:
        """The design effect of one part's value, or of the difference of two parts that share their clusters."""
        independent, fourth = sum(p.independent for p in parts), sum(p.fourth for p in parts)
        if independent <= 0:
            return cls(0.0, 0.0, over.largest, 0.0)
        effect = over.variance / independent
        movers = independent**2 / fourth / max(effect, 1.0) if fourth > 0 else 0.0
        return cls(effect, over.carried, over.largest, movers)

    @property
    def icc(self) -> float:
        """The correlation within clusters that this design effect amounts to (not cut at 0)."""
        return (self.effect - 1) / (self.largest - 1) if self.largest > 1 + 1e-9 else 0.0

    def borrowing(self, other: Seen) -> Seen:
        """The same with another part's correlation within clusters as further evidence, 4 degrees of freedom at most.

        Few clusters say little about their own variance; groups of one run are alike enough to help each other out, but
        not to speak for each other (moderated variances: Smyth 2004, Statistical Applications in Genetics 3).
        """
        suggested = max(1 + (self.largest - 1) * other.icc, LOWEST)
        return Seen(self.effect, self.freedom, self.largest, self.movers, ((suggested, min(other.freedom, BORROWED)),))

    def quantiles(self, levels: Floats) -> Floats:
        """Design effects at these quantiles of what is known about it."""
        scarce = min(1.0, (SCARCE / self.movers) ** 2) if self.movers > 0 else 1.0
        # a single rendering more or less is always possible, so not even identical answers have a design effect of 0
        single = 1 / self.movers if self.movers > 0 else 1.0
        lowest = min(1.0, max(LOWEST * self.effect, scarce, single))
        nodes = np.linspace(np.log(lowest), np.log(max(self.largest, 1.0001)), NODES)
        weight = LEAN * nodes
        for effect, freedom in ((self.effect, self.freedom), *self.lent):
            if freedom > 0:
                weight = weight - freedom / 2 * (nodes + effect / np.exp(nodes))
        chance = np.exp(weight - weight.max())
        running = np.cumsum(chance) / chance.sum()
        effects: Floats = np.exp(np.interp(levels, running - chance / chance.sum() / 2, nodes))
        return effects
