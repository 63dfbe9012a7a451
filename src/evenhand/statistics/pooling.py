"""One value from several: the mean of a random-effects model, with the spread between what was pooled.

Each value has the error of its own sample, and its truth differs from the mean by a spread that is estimated by
restricted maximum likelihood (Viechtbauer 2005, Journal of Educational and Behavioral Statistics 30). The interval is
that of Hartung and Knapp (2001, Statistics in Medicine 20) with k - 1 degrees of freedom, never narrower than without
their factor (Roever, Knapp & Friede 2015, BMC Medical Research Methodology 15). Values whose samples share clusters
have a covariance. statsmodels has neither REML nor covariances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.level import tails
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import student_quantile


@dataclass(frozen=True)
class PooledMean:
    """The mean with its interval, the standard deviation between the truths, and where that of another would lie.

    `predicted` needs three values, and is NaN for two.
    """

    value: float
    low: float
    high: float
    spread: float
    predicted: tuple[float, float]


def pooled_mean(values: Floats, covariance: Floats, level: float) -> PooledMean:
    """The mean of two or more values with errors of this covariance."""
    own, axes = np.linalg.eigh(covariance)
    own, ones, seen = np.maximum(own, 0.0), axes.sum(axis=0), axes.T @ values
    between = _reml(own, ones, seen)
    weights = 1 / np.maximum(own + between, 1e-15)
    information = float((weights * ones**2).sum())
    mean = float((weights * ones * seen).sum()) / information
    freedom = len(values) - 1
    factor = max(float((weights * (seen - mean * ones) ** 2).sum()) / freedom, 1.0)
    error = float(np.sqrt(factor / information))
    edge = student_quantile(tails(level)[1], freedom)
    reach = edge * float(np.sqrt(between + error**2)) if freedom > 1 else float("nan")
    spread = float(np.sqrt(between))
    return PooledMean(mean, mean - edge * error, mean + edge * error, spread, (mean - reach, mean + reach))


def _reml(own: Floats, ones: Floats, seen: Floats) -> float:
    """The variance between truths with the largest restricted likelihood, everything along the covariance's axes."""
    from scipy.optimize import minimize_scalar

    def loss(between: float) -> float:
        total = np.maximum(own + between, 1e-15)
        information = (ones**2 / total).sum()
        mean = (ones * seen / total).sum() / information
        return float(np.log(total).sum() + np.log(information) + ((seen - mean * ones) ** 2 / total).sum())

    most = 10 * float(np.var(seen)) + 1e-12
    best = minimize_scalar(loss, bounds=(0.0, most), method="bounded", options={"xatol": 1e-9 * most})
    return float(best.x) if best.fun < loss(0.0) else 0.0
