"""Chances of clusters under two systems that lean alike: beta distributed, joined by a Gaussian copula.

The correlation is that of the chances themselves. The copula's own parameter is larger, much so for rare outcomes whose
chances are skewed, and is worked out by quadrature.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import normal_below

GRID = np.linspace(-8, 8, 2_001)  # normal deviates at which quantiles are worked out; between them they are read off
LARGEST = 1e4  # concentration of a beta distribution that counts as no spread at all
SMALLEST = 1e-3


@dataclass(frozen=True)
class JointChances:
    """Quantiles of the two systems' chances on GRID, and the copula's parameter."""

    first: Floats
    second: Floats
    latent: float

    @classmethod
    def of(cls, one: float, two: float, *, icc: float, correlation: float) -> JointChances:
        """`one`, `two`: the means; where so high a correlation cannot be, the highest there is."""
        first, second = _quantiles(one, icc), _quantiles(two, icc)
        return cls(first, second, _latent(first, second, correlation))

    def draw(self, rng: np.random.Generator, clusters: int) -> tuple[Floats, Floats]:
        """One chance a cluster for each system."""
        z, other = rng.standard_normal((2, clusters))
        joined = self.latent * z + np.sqrt(1 - self.latent**2) * other
        return np.interp(z, GRID, self.first), np.interp(joined, GRID, self.second)

    def most_alike(self, rng: np.random.Generator) -> float:
        """The correlation of two answers to one sentence, beyond the cluster's, if both systems had the same luck.

        1 where the chances are the same, less where they differ; 0 where there is no luck.
        """
        one, two = self.draw(rng, 10_000)
        left = np.sqrt((one * (1 - one)).mean() * (two * (1 - two)).mean())
        return float((np.minimum(one, two) - one * two).mean() / left) if left > 0 else 0.0


def _quantiles(mean: float, icc: float) -> Floats:
    if icc <= 1 / LARGEST or mean in (0.0, 1.0):
        return np.full_like(GRID, mean)
    from scipy.stats import beta

    scale = max((1 - icc) / icc, SMALLEST)
    # upper quantiles from the upper tail: 1 - ndtr(8) has no digits left
    lower = beta.ppf(normal_below(GRID), mean * scale, (1 - mean) * scale)
    upper = beta.isf(normal_below(-GRID), mean * scale, (1 - mean) * scale)
    return np.clip(np.where(GRID < 0, lower, upper), 0.0, 1.0)


def _latent(first: Floats, second: Floats, correlation: float) -> float:
    if correlation < 1e-6 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    x = np.interp(points, GRID, first)
    apart, pairs = (x - weights @ x)[:, None], weights[:, None] * weights

    def reached(latent: float) -> float:
        y = np.interp(latent * points[:, None] + np.sqrt(1 - latent**2) * points, GRID, second)
        spread = np.sqrt((pairs * apart**2).sum() * (pairs * (y - (pairs * y).sum()) ** 2).sum())
        return float((pairs * apart * y).sum() / spread)

    if reached(1.0) <= correlation:
        return 1.0
    from scipy.optimize import brentq

    return float(brentq(lambda latent: reached(latent) - correlation, 0.0, 1.0, xtol=1e-4))
