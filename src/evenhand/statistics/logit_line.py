"""A straight line between the log-odds of the same units in two places, both seen only through counts.

Unit w has the log-odds theta in the first place and eta = intercept + slope * theta + e in the second; theta and e are
normal over units. What is seen are counts, binomial given the log-odds. Plain regression of one observed log-odds on
the other would be too flat, because the first is seen with error (Carroll et al. 2006, Measurement Error in Nonlinear
Models); here theta is integrated out, on a grid, so that units with few or one-sided counts need no correction. The
model is that of bivariate binomial meta-analysis (Chu & Cole 2006, Journal of Clinical Epidemiology 59), fitted by
maximum likelihood. Intervals are Student's t with the sandwich variance over units, which are the clusters: right also
where the normal curves are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.level import LEVEL, tails
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import student_above, student_quantile

GRID = np.linspace(-14.0, 14.0, 176)
STEP = float(GRID[1] - GRID[0])
SHARPEST = 0.7 / STEP**2  # n p (1 - p): counts that say more are thinned to this, which the grid can still resolve
LEAST_SPREAD = STEP  # a narrower curve would fall between the grid's points
FEWEST = 10  # units from which a line is fitted
PARAMETERS = 5


@dataclass(frozen=True)
class LogitLine:
    """`slope` and `intercept` with intervals, the p of a slope of 1, and the spread of units around the line."""

    slope: Interval
    p_one: float
    intercept: Interval
    spread: float


def logit_line(first: Floats, second: Floats, *, level: float = LEVEL) -> LogitLine | None:
    """The line from counts (units x 2: hits, misses) in the first place to those in the second.

    Counts need not be whole: divide those of clustered observations by their design effect. None below FEWEST units,
    or where the units do not differ in the first place.
    """
    units = len(first)
    if units < FEWEST:
        return None
    seen = _likelihoods(first), _likelihoods(second)

    def loss(values: Floats) -> float:
        return -float(_by_unit(values, *seen).sum())

    x, y = (np.log((counts[:, 0] + 0.5) / (counts[:, 1] + 0.5)) for counts in (first, second))
    if np.ptp(x) == 0:
        return None
    flat = float(np.cov(x, y)[0, 1] / np.var(x, ddof=1))
    start = np.array([x.mean(), np.log(x.std() + 0.1), y.mean() - flat * x.mean(), flat, np.log(y.std() / 2 + 0.2)])
    from scipy import optimize

    fitted = optimize.minimize(loss, start, method="L-BFGS-B", bounds=_BOUNDS).x
    variance = _sandwich(fitted, seen)
    if variance is None:
        return None
    freedom = units - 2
    reach = student_quantile(tails(level)[1], freedom)
    told = f"t over {units} words, sandwich"
    intervals = []
    for place in (3, 2):
        value, error = float(fitted[place]), float(np.sqrt(variance[place, place]))
        intervals.append(Interval(value, value - reach * error, value + reach * error, units, told))
    z = (float(fitted[3]) - 1) / float(np.sqrt(variance[3, 3]))
    return LogitLine(intervals[0], 2 * student_above(float(abs(z)), freedom), intervals[1], float(_spread(fitted[4])))


_BOUNDS = [(-8.0, 8.0), (-3.0, 2.0), (-12.0, 12.0), (-4.0, 8.0), (-4.0, 2.0)]


def _spread(value: float) -> float:
    return float(np.hypot(LEAST_SPREAD, np.exp(value)))


def _likelihoods(counts: Floats) -> Floats:
    """The likelihood of each unit's counts at the grid's log-odds, scaled to 1 at its largest."""
    hits, misses = counts[:, :1], counts[:, 1:]
    n = hits + misses
    information = hits * misses / np.maximum(n, 1e-12)
    thinned = np.minimum(1.0, SHARPEST / np.maximum(information, 1e-12))
    logs = thinned * (hits * GRID - n * np.logaddexp(0.0, GRID))
    scaled: Floats = np.exp(logs - logs.max(axis=1, keepdims=True))
    return scaled


def _by_unit(values: Floats, first: Floats, second: Floats) -> Floats:
    """The log-likelihood of every unit: mean and spread of theta, intercept, slope, spread of e."""
    mean, spread, intercept, slope, noise = values
    tau, sigma = _spread(spread), _spread(noise)
    curve = np.exp(-0.5 * ((GRID - mean) / tau) ** 2)
    bend = np.exp(-0.5 * ((GRID[None, :] - intercept - slope * GRID[:, None]) / sigma) ** 2) / sigma
    joint = ((first * (curve / tau)) @ bend * second).sum(axis=1)
    logs: Floats = np.log(np.maximum(joint, 1e-300))
    return logs


def _sandwich(values: Floats, seen: tuple[Floats, Floats]) -> Floats | None:
    """Variance of the fitted values: inverse curvature on either side of the units' scores."""
    steps = 1e-3 * np.eye(PARAMETERS)
    scores = np.stack([(_by_unit(values + h, *seen) - _by_unit(values - h, *seen)) / 2e-3 for h in steps], axis=1)
    curvature = np.zeros((PARAMETERS, PARAMETERS))
    for one in range(PARAMETERS):
        for two in range(one, PARAMETERS):
            a, b = 5e-3 * np.eye(PARAMETERS)[[one, two]]
            corners = (values + a + b, values + a - b, values - a + b, values - a - b)
            up, left, right, down = (float(_by_unit(corner, *seen).sum()) for corner in corners)
            curvature[one, two] = curvature[two, one] = (up - left - right + down) / (4 * 5e-3**2)
    units = len(seen[0])
    try:
        inverse = np.linalg.inv(-curvature)
    except np.linalg.LinAlgError:
        return None
    variance: Floats = inverse @ (scores.T @ scores) @ inverse * units / (units - PARAMETERS)
    return variance if bool(np.isfinite(variance).all()) and bool((np.diag(variance) > 0).all()) else None
