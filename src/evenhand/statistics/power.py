"""How many probes detect a given difference, before anything is sent.

Two systems on the same suite, compared by a share (female renderings, %TFG, accuracy). Sentences of one cluster share
their fate (`icc`, the correlation between two sentences about one occupation), which makes m of them worth
m / (1 + (m - 1) icc); two systems on the same clusters lean alike (`shared`, the correlation of their cluster effects),
which a paired test takes out. Source: the usual normal approximation with a design effect (Kish 1965; Donner & Klar
2000); benchmarks/validate checks the tests by simulation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtr, ndtri

from evenhand.errors import BadInput
from evenhand.level import ALPHA


@dataclass(frozen=True)
class Design:
    """A suite's layout and what a share does on it.

    `share`: the share to be compared, where it is about; `each`: probes a cluster; `icc`: between 0 (sentences of a
    cluster are independent) and 1 (all alike); `shared`: correlation of two systems' cluster effects, 0 to 1.
    """

    share: float
    each: float
    icc: float = 0.3
    shared: float = 0.5

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("share", self.share, 0.0, 1.0),
            ("icc", self.icc, 0.0, 1.0),
            ("shared", self.shared, 0.0, 1.0),
        ):
            if not low <= value <= high:
                raise BadInput(f"{name} must lie between {low:g} and {high:g}, not {value:g}")
        if self.each < 1:
            raise BadInput(f"a cluster has at least one probe, not {self.each:g}")

    def variance(self, difference: float = 0.0) -> float:
        """Variance that one cluster contributes to a paired difference of the share."""
        ends = (self.share, min(max(self.share + difference, 0.0), 1.0))
        spread = sum(p * (1 - p) for p in ends) / 2
        within = spread * (1 - self.icc) / self.each
        between = spread * self.icc * (1 - self.shared)
        return 2 * (within + between)


@dataclass(frozen=True)
class Needed:
    """How many clusters and probes reach the wanted power."""

    clusters: int
    probes: int
    power: float


def power(design: Design, difference: float, clusters: int, *, alpha: float = ALPHA) -> float:
    """Chance that a two-sided paired test at `alpha` reports this difference with so many clusters."""
    error = math.sqrt(design.variance(difference) / clusters)
    if error == 0:
        return 1.0
    edge = float(ndtri(1 - alpha / 2))
    return float(ndtr(abs(difference) / error - edge) + ndtr(-abs(difference) / error - edge))


def needed(design: Design, difference: float, *, wanted: float = 0.8, alpha: float = ALPHA, tests: int = 1) -> Needed:
    """Clusters and probes needed to report a difference with the wanted chance; `tests` corrects alpha (Bonferroni)."""
    if difference == 0:
        raise BadInput("no number of probes detects a difference of 0")
    if not 0 < wanted < 1:
        raise BadInput(f"power lies between 0 and 1, not {wanted:g}")
    corrected = alpha / max(tests, 1)
    edges = float(ndtri(1 - corrected / 2)) + float(ndtri(wanted))
    clusters = max(2, math.ceil(edges**2 * design.variance(difference) / difference**2))
    return Needed(clusters, math.ceil(clusters * design.each), power(design, difference, clusters, alpha=corrected))
