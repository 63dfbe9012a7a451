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
LEAN = 0.1  # the prior leans a little towards larger design effects: D^LEAN per unit of log D
SCARCE = 5.0  # effective renderings that move the measure, below which D is not taken to lie under 1
MODELLED = 20.0  # degrees of freedom up to which one correlation within clusters of all sizes is believed
CERTAIN = 15.0  # degrees of freedom from which on clusters may be seen to vary more than if they were all alike
LOWEST = 0.2  # of the design effect seen: the lowest that is considered


@dataclass(frozen=True)
class Seen:
    """A design effect as observed: its estimate, degrees of freedom, the largest possible, and what moves the measure.

    `movers` is the number of effective renderings the variance hangs on. `modelled` is the design effect under one
    correlation within clusters of all sizes, and what it adds in degrees of freedom: where a few large clusters carry
    the variance, the many small ones know more about it.
    """

    effect: float
    freedom: float
    largest: float
    movers: float
    modelled: tuple[float, float] = (1.0, 0.0)

    @classmethod
    def of(cls, over: Variation, *parts: Linearised) -> Seen:
        """The design effect of one part's value, or of the difference of two parts that share their clusters."""
        independent, fourth = sum(p.independent for p in parts), sum(p.fourth for p in parts)
        if independent <= 0:
            return cls(0.0, 0.0, over.largest, 0.0)
        effect = over.variance / independent
        movers = independent**2 / fourth / max(effect, 1.0) if fourth > 0 else 0.0
        further = max(min(over.modelled_freedom, MODELLED) - over.carried, 0.0)
        # estimates of counts vary besides, so that no clustering bounds them
        estimated = any(p.job.measure.estimated_counts for p in parts)
        largest = max(over.largest, 2 * effect) if estimated else over.largest
        return cls(effect, over.carried, largest, movers, (over.modelled / independent, further))

    def alike(self, other: Seen) -> float:
        """How well one correlation within clusters fits both parts: the squared likelihood ratio, between 0 and 1.

        1 where nothing speaks against it. A part in which no variation was seen (all male) says nothing.
        """
        common = np.linspace(0.0, 1.0, NODES)
        together, apart = np.zeros(NODES), 0.0
        for seen in (self, other):
            together += seen._fit(1 + (max(seen.largest, 1.0) - 1) * common)
            apart += float(seen._fit(np.array([min(max(seen.effect, 1.0), max(seen.largest, 1.0))]))[0])
        return float(np.exp(2 * min(together.max() - apart, 0.0)))

    def _fit(self, effects: Floats) -> Floats:
        """Log-likelihood of design effects, up to a constant."""
        fit = np.zeros_like(effects)
        for effect, freedom in ((self.effect, self.freedom), self.modelled):
            fit = fit - freedom / 2 * (np.log(effects) + effect / effects)
        return fit

    def quantiles(self, levels: Floats) -> Floats:
        """Design effects at these quantiles of what is known about it."""
        scarce = min(1.0, (SCARCE / self.movers) ** 2) if self.movers > 0 else 1.0
        # a single rendering more or less is always possible, so not even identical answers have a design effect of 0
        single = 1 / self.movers if self.movers > 0 else 1.0
        lowest = min(1.0, max(LOWEST * self.effect, scarce, single))
        # clusters seen to be all alike may vary more than they did: the variance is an estimate itself
        beyond = min(self.effect / self.largest, 1.0) * (1 + 2 * np.sqrt(2 / max(self.freedom, CERTAIN)))
        nodes = np.linspace(np.log(lowest), np.log(max(self.largest * max(beyond, 1.0), 1.0001)), NODES)
        weight = LEAN * nodes + self._fit(np.exp(nodes))
        chance = np.exp(weight - weight.max())
        running = np.cumsum(chance) / chance.sum()
        effects: Floats = np.exp(np.interp(levels, running - chance / chance.sum() / 2, nodes))
        return effects
