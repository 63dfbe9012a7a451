"""Has a system changed? A test that may be looked at every night, for as long as it runs.

Nights 0, 1, 2, ... measure the same sentences. Each is compared with the mean of all before it: under no change the
differences w_t, scaled by sqrt(t / (t + 1)), are independent with one variance (Helmert's contrasts). A change by d
from night c on moves them by d sqrt(t / (t + 1)) c / t. The likelihood ratio of that against no change, averaged over d
(normal, standard deviation TYPICAL) and over c (weights 1 / (c (c + 1))), is a martingale that starts at 1: by Ville's
inequality it ever reaches 1 / alpha with a chance of at most alpha, however many nights are looked at (mixture
e-processes: Robbins 1970, Annals of Mathematical Statistics 41; Howard et al. 2021, Annals of Statistics 49; Shin,
Ramdas & Rinaldo 2023, e-detectors). Its inverse is a p that is valid at all times. The variance is that of clusters
between nights; it is estimated from all nights so far, never below that of the night itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.level import LEVEL
from evenhand.statistics.measure import Floats

TYPICAL = 0.05  # a change worth finding: five points
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
        smallest: Floats = np.minimum(1.0, np.exp(-np.maximum.accumulate(self.evidence)))
        return smallest


def watch(contributions: Floats, *, level: float = LEVEL, tests: int = 1) -> Watched:
    """Follow a measure over nights x clusters of what each cluster adds to it, one of `tests` followed together."""
    nights = len(contributions)
    values = contributions.sum(axis=1)
    before = np.cumsum(contributions, axis=0)[:-1] / np.arange(1, nights)[:, None]
    t = np.arange(1, nights, dtype=np.float64)
    scaled = (contributions[1:] - before) * np.sqrt(t / (t + 1))[:, None]
    own = (scaled**2).sum(axis=1)
    variance = np.maximum(np.maximum(np.cumsum(own) / t, own), EQUAL)
    sums = scaled.sum(axis=1)
    evidence = np.array([_evidence(sums[:n], variance[n - 1]) for n in range(1, nights)])
    reach = np.sqrt(variance * (t + 1) / t) * _boundary(t, (1 - level) / max(tests, 1))
    return Watched(
        values, values[1:] - before.sum(axis=1), before.sum(axis=1) - reach, before.sum(axis=1) + reach, evidence
    )


def _evidence(sums: Floats, variance: float) -> float:
    """The log of the averaged likelihood ratio after these nights."""
    t = np.arange(1, len(sums) + 1, dtype=np.float64)
    starts = t[:, None]  # a change from night c on: the nights t >= c see it
    shape = np.where(t >= starts, np.sqrt(t / (t + 1)) * starts / t, 0.0)
    information, score = (shape**2).sum(axis=1) / variance, shape @ sums / variance
    spread = 1 + TYPICAL**2 * information
    ratios = TYPICAL**2 * score**2 / (2 * spread) - np.log(spread) / 2 - np.log(t * (t + 1))
    return float(np.logaddexp.reduce(np.append(ratios, -np.log(len(sums) + 1))))


def _boundary(t: Floats, alpha: float) -> Floats:
    """Standard errors a night may differ from those before it; alpha is divided over the nights as 1 / (t (t + 1))."""
    from scipy.special import ndtri

    edges: Floats = -ndtri(alpha / (2 * t * (t + 1)))
    return edges
