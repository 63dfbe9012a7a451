"""What a group of clusters says about its share: the beta-binomial likelihood, the correlation within summed out.

Clusters have chances with mean p and correlation r within (the beta-binomial: Skellam 1948, Journal of the Royal
Statistical Society B 10). Each group has a correlation of its own, uniform between 0 and 1 and summed out on a grid
(integrated likelihood: Berger, Liseo & Wolpert 1999, Statistical Science 14), so that a group in which nothing shows
how alike its sentences are (all male) keeps every correlation in play. Chances that are not beta distributed make the
likelihood too sharp: it is flattened by the model's variance over the cluster-robust one (Chandler & Bate 2007,
Biometrika 94). Twice the difference of log-likelihoods is compared with F(1, clusters - 2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evenhand.statistics.linearised import Linearised
from evenhand.statistics.measure import Floats

NODES = 16
ROOTS: Floats = (np.arange(NODES) + 0.5) / NODES
CORRELATIONS: Floats = ROOTS**2  # closer together where they are small, and weighted so that all are equally likely
WEIGHTS: Floats = ROOTS / ROOTS.sum()
EDGE = 13.0  # log-odds at which a share counts as 0 or 1
SLACK = 1.15  # a robust variance larger by no more than this is chance
PLAUSIBLE = 1.5  # twice the log-likelihood a correlation may lie below the best one and still be plausible
HOPELESS = 25.0  # log-likelihood below the best at which a share is no longer looked at
Curve = Callable[[Floats], Floats]  # share of the first cell to the measure


@dataclass(frozen=True)
class ShareLikelihood:
    """Log-likelihood of a group's share at `shares`, and at every correlation (shares x CORRELATIONS)."""

    shares: Floats
    logs: Floats
    by_correlation: Floats
    value: float
    model_variance: float
    clusters: int

    @classmethod
    def of(cls, hits: Floats, sizes: Floats) -> ShareLikelihood:
        """From counts by cluster; measures of one run often ask for the same ones."""
        return _likelihood(hits.tobytes(), sizes.tobytes())

    @classmethod
    def made(cls, hits: Floats, sizes: Floats) -> ShareLikelihood:
        from scipy.special import expit

        n = float(sizes.sum())
        middle = (float(hits.sum()) + 0.5) / (n + 1)
        error = np.sqrt(max(float(((hits - sizes * middle) ** 2).sum()) / n**2, middle * (1 - middle) / n))
        near = np.log(middle / (1 - middle)) + error / (middle * (1 - middle)) * np.linspace(-7, 7, 57)
        odds = np.unique(np.clip(np.concatenate([np.linspace(-EDGE, EDGE, 53), near]), -EDGE, EDGE))
        shares, others, strength = expit(odds), expit(-odds), (1 - CORRELATIONS) / CORRELATIONS
        logs = _rising(shares[:, None] * strength, hits) + _rising(others[:, None] * strength, sizes - hits)
        logs = logs - _rising(strength[None, :], sizes)
        top = float(logs.max())
        summed = np.log(np.maximum(np.exp(logs - top) @ WEIGHTS, 1e-300)) + top
        inside = shares[summed > summed.max() - 1.92]
        spread = ((float(inside[-1]) - float(inside[0])) / 3.92) ** 2
        return cls(shares, summed, logs, float(hits.sum()) / n, spread, len(sizes))

    @property
    def likely(self) -> tuple[Floats, Floats]:
        """The shares that are not hopeless, with their log-likelihoods."""
        kept = self.logs > self.logs.max() - HOPELESS
        return self.shares[kept], self.logs[kept]

    def at(self, shares: Floats) -> Floats:
        """The log-likelihood at these shares; minus infinity outside 0 and 1."""
        inside = np.interp(np.clip(shares, self.shares[0], self.shares[-1]), self.shares, self.logs)
        return np.where((shares < 0) | (shares > 1), -np.inf, inside)


@lru_cache(maxsize=256)
def _likelihood(hits: bytes, sizes: bytes) -> ShareLikelihood:
    return ShareLikelihood.made(np.frombuffer(hits), np.frombuffer(sizes))


def _rising(start: Floats, counts: Floats) -> Floats:
    """Sum over clusters of ln(start (start + 1) ... (start + count - 1))."""
    values, times = np.unique(counts, return_counts=True)
    largest = float(values[-1])
    total: Floats = np.zeros(start.shape)
    if largest > 16 * len(values) or (values % 1).any():
        from scipy.special import gammaln

        for value, many in zip(values, times, strict=True):
            if value > 0:
                total = total + many * (gammaln(start + value) - gammaln(start))
        return total
    reaching = np.cumsum(times[::-1])[::-1]  # clusters with at least this count
    for step in range(int(largest)):
        total = total + float(reaching[np.searchsorted(values, step + 1)]) * np.log(start + step)
    return total


def by_cluster(part: Linearised, axis: int, cell: int) -> tuple[Floats, Floats]:
    """Counts of one cell, and of all, by the clusters of an axis."""
    codes, cells = part.codes[:, axis], part.job.statistics.cells
    hits = np.bincount(codes, cells[:, cell]).astype(np.float64)
    sizes = np.bincount(codes, cells.sum(axis=1)).astype(np.float64)
    return hits[sizes > 0], sizes[sizes > 0]


@dataclass(frozen=True)
class LikelihoodRatio:
    """The test that two groups which share no cluster differ by a given amount in a measure of one share.

    `variance` is the cluster-robust one of the difference of shares; `curve` maps a share to the measure, None where
    it is the share itself (plus a constant).
    """

    first: ShareLikelihood
    second: ShareLikelihood
    variance: float
    curve: Curve | None = None
    method: str = "likelihood ratio (beta-binomial)"

    @property
    def value(self) -> float:
        if self.curve is None:
            return self.first.value - self.second.value
        one, two = self.curve(np.array([self.first.value, self.second.value]))
        return float(one - two)

    @property
    def flattened(self) -> float:
        modelled = SLACK * (self.first.model_variance + self.second.model_variance)
        return min(1.0, modelled / self.variance) if self.variance > 0 else 1.0

    def p(self, null: float) -> float:
        together = self._straight(null) if self.curve is None else self._curved(null, self.curve)
        apart = float(self.first.logs.max() + self.second.logs.max())
        return float(self._chance(np.array([2 * (apart - together)]))[0])

    def _straight(self, null: float) -> float:
        one, two = self.first, self.second
        at_first, at_second = one.logs + two.at(one.shares - null), two.logs + one.at(two.shares + null)
        return float(max(at_first.max(), at_second.max()))

    def _curved(self, null: float, curve: Curve) -> float:
        """The largest sum of log-likelihoods where the measure differs by `null`: where its sign changes."""
        (one, first), (two, second) = (part.likely for part in (self.first, self.second))
        gap = curve(one)[:, None] - curve(two)[None, :] - null
        sums = first[:, None] + second[None, :]
        best = float(sums[gap == 0].max()) if (gap == 0).any() else -np.inf
        for left, right, low, high in (
            (gap[:-1], gap[1:], sums[:-1], sums[1:]),
            (gap[:, :-1], gap[:, 1:], sums[:, :-1], sums[:, 1:]),
        ):
            crossed = left * right < 0
            weight = left[crossed] / (left[crossed] - right[crossed])
            if crossed.any():
                best = max(best, float(((1 - weight) * low[crossed] + weight * high[crossed]).max()))
        return best

    def _chance(self, ratios: Floats) -> Floats:
        from scipy.special import fdtrc

        freedom = max(self.first.clusters + self.second.clusters - 2.0, 1.0)
        chances: Floats = fdtrc(1, freedom, np.maximum(self.flattened * ratios, 0.0))
        return chances

    def tipping(self, alpha: float) -> tuple[int, float] | None:
        """The group (0, 1) and the smallest plausible correlation within its clusters at which no difference is shown.

        Each group's correlation in turn is fixed instead of summed out, with Firth's correction (1993, Biometrika 80)
        for a share at 0 or 1. None where no plausible correlation changes the finding.
        """
        found = []
        for number, (own, other) in enumerate(((self.first, self.second), (self.second, self.first))):
            logs = own.by_correlation
            plausible = 2 * (logs.max() - logs.max(axis=0)) < PLAUSIBLE
            firth = 0.5 * np.log(own.shares * (1 - own.shares) + 1e-300)[:, None]
            beside = other.at(own.shares)[:, None]
            best = (logs + firth).max(axis=0) + float(other.logs.max())
            ratios = 2 * (best - (logs + firth + beside).max(axis=0))
            turned = np.flatnonzero(plausible & (self._chance(ratios) >= alpha))
            if len(turned):
                found.append((float(CORRELATIONS[turned[0]]), number))
        return (min(found)[1], min(found)[0]) if found else None
