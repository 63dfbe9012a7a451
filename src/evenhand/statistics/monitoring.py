"""Has a system changed? A test that may be looked at every night, for as long as it runs.

Nights 0, 1, 2, ... measure the same sentences. Each is compared with the mean of all before it: under no change the
differences w_t, scaled by sqrt(t / (t + 1)), are independent with one variance (Helmert's contrasts). A change by d
from night c on moves them by d sqrt(t / (t + 1)) c / t. The likelihood ratio of that against no change, averaged over d
and c, is a martingale that starts at 1: by Ville's inequality it ever reaches 1 / alpha with a chance of at most alpha,
however many nights are looked at (mixture e-processes: Robbins 1970, Annals of Mathematical Statistics 41; Howard et
al. 2021, Annals of Statistics 49; Shin, Ramdas & Rinaldo 2023, e-detectors). Its inverse is a p that is valid at all
times.

The average has two parts. EARLY of it has a change by TYPICAL, up or down, from one of the first nights (c geometric):
few nights before a change say little, and no evidence may be wasted there. The rest has a change of any size (normal,
standard deviation TYPICAL) from any night on (weights 1 / (c (c + 1))). The variance is that of clusters around their
mean, pooled over nights, or that of the clusters' sums over the nights since c where it is larger by more than chance:
one sentence that flips in a system that never varied is no evidence. Few clusters make a t of it (`_as_normal`).
"""

from dataclasses import dataclass

import numpy as np

from evenhand.level import LEVEL, alpha_of
from evenhand.statistics.intervals import normal_quantile
from evenhand.statistics.measure import Floats

TYPICAL = 0.05  # a change worth finding: five points
EARLY, NEXT = 0.75, 0.2  # the share of changes from the first nights on; how much less likely each further night is
BY_CHANCE = 3.5  # standard errors by which the later nights' variance may exceed the pooled one
EQUAL = 1e-12


@dataclass(frozen=True)
class Watched:
    """The nights of one measure, from the second on: `evidence` is the e-value so far (log), `changes` each night's
    difference from the mean of those before, `low` and `high` between which it lies at all times if nothing changed."""

    values: Floats
    changes: Floats
    low: Floats
    high: Floats
    evidence: Floats

    def p(self) -> Floats:
        """P-values that are valid whichever night they are read, the smallest so far."""
        return np.minimum(1.0, np.exp(-np.maximum.accumulate(self.evidence)))


def watch(contributions: Floats, *, level: float = LEVEL, tests: int = 1) -> Watched:
    """Follow a measure over nights x clusters of what each cluster adds to it, one of `tests` followed together."""
    nights = len(contributions)
    values = contributions.sum(axis=1)
    before = np.cumsum(contributions, axis=0)[:-1] / np.arange(1, nights)[:, None]
    t = np.arange(1, nights, dtype=np.float64)
    scaled = (contributions[1:] - before) * np.sqrt(t / (t + 1))[:, None]
    own = _variance(scaled)
    pooled = np.maximum(np.cumsum(own) / t, EQUAL)
    alpha = alpha_of(level) / max(tests, 1) / (t * (t + 1))  # divided over the nights
    reach = np.sqrt(np.maximum(pooled, own) * (t + 1) / t) * -normal_quantile(alpha / 2)
    expected = before.sum(axis=1)
    return Watched(values, values[1:] - expected, expected - reach, expected + reach, _evidence(scaled, pooled))


def _variance(sums: Floats) -> Floats:
    """The variance of each row's total, from its clusters around their mean."""
    clusters = sums.shape[1]
    if clusters == 1:
        return np.square(sums[:, 0])
    return np.asarray(np.square(sums - sums.mean(axis=1, keepdims=True)).sum(axis=1) * clusters / (clusters - 1))


def _evidence(scaled: Floats, pooled: Floats) -> Floats:
    """The log of the averaged likelihood ratio after each night; `scaled` are nights x clusters."""
    t = np.arange(1, len(scaled) + 1, dtype=np.float64)
    shape = np.sqrt(t / (t + 1)) / t  # a change from night c on moves night t >= c by c times this
    sums = np.vstack([np.zeros(scaled.shape[1]), np.cumsum(shape[:, None] * scaled, axis=0)])
    squares, fourth = np.append(0.0, np.cumsum(shape**2)), np.cumsum(scaled**2, axis=0)
    evidence = np.empty(len(t))
    for n in range(1, len(t) + 1):
        c, likely = t[:n], fourth[n - 1]
        scores, information = c[:, None] * (sums[n] - sums[:n]), c**2 * (squares[n] - squares[:n])
        clusters = likely.sum() ** 2 / max(float((likely**2).sum()), 1e-300) * (1 + 2 / n)  # as if equally large
        freedom = max(min(clusters, len(likely)) - 1, 1.0)
        variance, robust = pooled[n - 1] * information, _variance(scores)
        larger = robust > variance * (1 + BY_CHANCE * np.sqrt(2 / freedom * (1 + 1 / n)))
        variance = np.where(larger, robust, variance)
        z = _as_normal(scores.sum(axis=1) / np.sqrt(variance), np.where(larger, freedom, n * freedom))
        size = TYPICAL * information / np.sqrt(variance)  # how many standard errors a typical change is
        early = np.log(EARLY * (1 - NEXT)) + (c - 1) * np.log(NEXT) + np.logaddexp(z * size, -z * size) - size**2 / 2
        late = np.log((1 - EARLY) / (c * (c + 1) * np.sqrt(1 + size**2))) + (z * size) ** 2 / (2 * (1 + size**2))
        unseen = np.log(EARLY * NEXT**n + (1 - EARLY) / (n + 1))  # changes that are still to come
        evidence[n - 1] = np.logaddexp.reduce(np.concatenate([early - np.log(2), late, [unseen]]))
    return evidence


def _as_normal(t: Floats, freedom: Floats) -> Floats:
    """The normal value that is as unlikely as this t (Wallace 1959, Annals of Mathematical Statistics 30)."""
    return np.copysign(np.sqrt(freedom * np.log1p(t**2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3), t)
