"""A straight line between the log-odds of the same units in two places, both seen only through counts.

Unit w has the log-odds theta in the first place and eta = intercept + slope * theta + e in the second; theta and e are
normal over units. What is seen are counts, binomial given the log-odds. Plain regression of one observed log-odds on
the other would be too flat, because the first is seen with error (Carroll et al. 2006, Measurement Error in Nonlinear
Models); here theta is integrated out, on a grid, so that units with few or one-sided counts need no correction. The
model is that of bivariate binomial meta-analysis (Chu & Cole 2006, Journal of Clinical Epidemiology 59), fitted by
maximum likelihood. Intervals are Student's t with the one-step jackknife variance over units, which are the clusters
(Pregibon 1981, Annals of Statistics 9; CR3 of Bell & McCaffrey 2002, Survey Methodology 28): right also where the
normal curves are not.

Sentences that units have in common (templates) have log-odds of their own. Shares averaged over them are nearer to one
half than those in any one of them, and a slope of 1 between log-odds would come out flatter (Zeger, Liang & Albert
1988, Biometrics 44). Their effects are therefore fitted with the units' log-odds integrated out (the Rasch model by
marginal maximum likelihood: Bock & Aitkin 1981, Psychometrika 46), and units are compared in the same sentence. Where
counts of one unit in one sentence vary more than that allows, they have log-odds of their own around the sum, with the
likeliest of a few standard deviations (OWN), and effects are those of the wider scale (WIDENED, same source).
"""

from dataclasses import dataclass

import numpy as np
import scipy

from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, student, student_above
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import Codes

GRID = np.linspace(-14.0, 14.0, 176)
STEP = float(GRID[1] - GRID[0])
SHARPEST = 0.7 / STEP**2  # n p (1 - p): counts that say more are thinned to this, which the grid can still resolve
LEAST_SPREAD = STEP  # a narrower curve would fall between the grid's points
FEWEST = 10  # units from which a line is fitted
PARAMETERS = 5
BOUNDS = [(-8.0, 8.0), (-3.0, 2.0), (-12.0, 12.0), (-4.0, 8.0), (-4.0, 2.0)]
ROUNDS = 60  # of fitting the effects of sentences
OWN = (0.35, 0.7, 1.0, 1.4)  # standard deviations that a unit's log-odds in one sentence may have around the sum
NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
WIDENED = 16 * np.sqrt(3) / (15 * np.pi)  # a log-odds averaged over a normal of variance v: 1 / sqrt(1 + WIDENED^2 v)
WIDEST = 4.0  # variance of their normal prior: a sentence that is always male has no largest effect


@dataclass(frozen=True)
class Crossed:
    """Counts (rows x 2: hits, misses) of units, each row in one level of every axis besides (`levels`: rows x axes)."""

    unit: Codes
    levels: Codes
    counts: Floats

    @property
    def summed(self) -> Floats:
        return np.stack([np.bincount(self.unit, column) for column in self.counts.T], axis=1)

    def fitted(self) -> tuple[Floats, float]:
        """The likelihood of each unit at the grid's log-odds in an average sentence, and that average's variance."""
        order = np.argsort(self.unit, kind="stable")
        unit, levels, counts = self.unit[order], self.levels[order], self.counts[order]
        starts, hits, n = np.flatnonzero(np.diff(unit, prepend=-1)), counts[:, 0], counts.sum(axis=1)
        effects = [np.zeros(int(axis.max()) + 1) for axis in levels.T]
        mean, spread, moved = 0.0, 2.0, 1.0
        for _ in range(ROUNDS):
            offset = np.sum([effect[axis] for effect, axis in zip(effects, levels.T, strict=True)], axis=0)
            logits = GRID + offset[:, None]
            logs = np.add.reduceat(_binomial(hits, n, logits), starts)
            if moved < 1e-3:
                break
            posterior = np.exp(logs - 0.5 * ((GRID - mean) / spread) ** 2 - logs.max(axis=1, keepdims=True))
            posterior /= np.maximum(posterior.sum(axis=1, keepdims=True), 1e-300)
            mean = float((posterior @ GRID).mean())
            spread = max(float(np.sqrt((posterior @ (GRID - mean) ** 2).mean())), LEAST_SPREAD)
            moved = _step(effects, levels, (hits, n), posterior[unit], 1 / (1 + np.exp(-logits)))
        fits = [(_marginal(logs, mean, spread), logs)]
        for own in OWN if n.max() > 1 else ():
            wider = float(np.sqrt(1 + (WIDENED * own) ** 2))
            within = np.add.reduceat(_own_odds(hits, n, GRID + wider * offset[:, None], own), starts)
            fits.append((_marginal(within, wider * mean, wider * spread) - 1, within))  # for one more parameter
        best = max(fits, key=lambda fit: fit[0])[1]
        return _scaled(best, self.summed), sum(float(np.var(e)) / max(len(e) - 1, 1) for e in effects)


def _own_odds(hits: Floats, n: Floats, logits: Floats, own: float) -> Floats:
    """Log-likelihoods of counts whose log-odds lie around these with a standard deviation."""
    terms = [np.log(w) + _binomial(hits, n, logits + own * node) for w, node in zip(NODE_WEIGHTS, NODES, strict=True)]
    return np.asarray(np.logaddexp.reduce(terms))


def _binomial(hits: Floats, n: Floats, logits: Floats) -> Floats:
    """Log-likelihoods of counts at these log-odds."""
    return np.asarray(hits[:, None] * logits - n[:, None] * np.logaddexp(0.0, logits))


def _marginal(logs: Floats, mean: float, spread: float) -> float:
    """The log-likelihood of all units, their log-odds normal."""
    curve = logs - 0.5 * ((GRID - mean) / spread) ** 2 - np.log(spread)
    return float(np.logaddexp.reduce(curve, axis=1).sum())


def _step(effects: list[Floats], levels: Codes, seen: tuple[Floats, Floats], weight: Floats, share: Floats) -> float:
    """One Newton step of every axis's effects, which then average 0; the largest move."""
    hits, n = seen
    surplus, information = hits - n * (weight * share).sum(axis=1), n * (weight * share * (1 - share)).sum(axis=1)
    moved = 0.0
    for place, axis in enumerate(levels.T):
        before = effects[place]
        pull, hold = (np.bincount(axis, part, minlength=len(before)) for part in (surplus, information))
        stepped = before + np.clip((pull - before / WIDEST) / (hold + 1 / WIDEST), -1.0, 1.0)
        effects[place] = stepped - stepped.mean()
        moved = max(moved, float(np.abs(effects[place] - before).max()))
    return moved


@dataclass(frozen=True)
class LogitLine:
    """`slope` and `intercept` with intervals, the p-value of a slope of 1, and the spread of units around the line."""

    slope: Interval
    p_one: float
    intercept: Interval
    spread: float


def logit_line(first: Floats, second: Floats | Crossed, *, level: float = LEVEL) -> LogitLine | None:
    """The line from counts (units x 2: hits, misses) in the first place to those in the second. Counts need not be
    whole: divide those of clustered observations by their design effect. None below FEWEST units, or where the units do
    not differ in the first place."""
    units = len(first)
    if units < FEWEST:
        return None
    sentences = 0.0
    if isinstance(second, Crossed):
        (by_unit, sentences), second = second.fitted(), second.summed
    else:
        by_unit = _likelihoods(second)
    seen = _likelihoods(first), by_unit

    def loss(values: Floats) -> float:
        return -float(_by_unit(values, *seen).sum())

    x, y = (np.log((counts[:, 0] + 0.5) / (counts[:, 1] + 0.5)) for counts in (first, second))
    if np.ptp(x) == 0:
        return None
    flat = float(np.cov(x, y)[0, 1] / np.var(x, ddof=1))
    start = np.array([x.mean(), np.log(x.std() + 0.1), y.mean() - flat * x.mean(), flat, np.log(y.std() / 2 + 0.2)])
    fitted = scipy.optimize.minimize(loss, start, method="L-BFGS-B", bounds=BOUNDS).x
    variance = _variance(fitted, seen)
    if variance is None:
        return None
    variance[2, 2] += sentences
    errors, freedom = np.sqrt(np.diag(variance)), units - 2
    slope, intercept = (
        student(float(fitted[n]), float(errors[n]), freedom, units, f"t over {units} words (jackknife)", level=level)
        for n in (3, 2)
    )
    p = 2 * student_above(float(abs(fitted[3] - 1) / errors[3]), freedom)
    return LogitLine(slope, p, intercept, _spread(fitted[4]))


def _spread(value: float) -> float:
    return float(np.hypot(LEAST_SPREAD, np.exp(value)))


def _likelihoods(counts: Floats) -> Floats:
    """The likelihood of each unit's counts at the grid's log-odds, scaled to 1 at its largest."""
    return _scaled(_binomial(counts[:, 0], counts.sum(axis=1), GRID), counts)


def _scaled(logs: Floats, counts: Floats) -> Floats:
    """Log-likelihoods of units with these counts as likelihoods, no sharper than the grid."""
    information = counts.prod(axis=1) / np.maximum(counts.sum(axis=1), 1e-12)
    thinned = logs * np.minimum(1.0, SHARPEST / np.maximum(information, 1e-12))[:, None]
    return np.asarray(np.exp(thinned - thinned.max(axis=1, keepdims=True)))


def _by_unit(values: Floats, first: Floats, second: Floats) -> Floats:
    """The log-likelihood of every unit: mean and spread of theta, intercept, slope, spread of e."""
    mean, spread, intercept, slope, noise = values
    tau, sigma = _spread(spread), _spread(noise)
    curve = np.exp(-0.5 * ((GRID - mean) / tau) ** 2)
    bend = np.exp(-0.5 * ((GRID[None, :] - intercept - slope * GRID[:, None]) / sigma) ** 2) / sigma
    joint = ((first * (curve / tau)) @ bend * second).sum(axis=1)
    return np.asarray(np.log(np.maximum(joint, 1e-300)))


def _variance(values: Floats, seen: tuple[Floats, Floats]) -> Floats | None:
    """Variance of the fitted values: how far each unit moves them when it is left out, by one Newton step."""
    steps = 1e-3 * np.eye(PARAMETERS)
    scores = np.stack([(_by_unit(values + h, *seen) - _by_unit(values - h, *seen)) / 2e-3 for h in steps], axis=1)
    curvature = np.zeros((len(scores), PARAMETERS, PARAMETERS))
    for one in range(PARAMETERS):
        for two in range(one, PARAMETERS):
            a, b = 5e-3 * np.eye(PARAMETERS)[[one, two]]
            corners = (values + a + b, values + a - b, values - a + b, values - a - b)
            up, left, right, down = (_by_unit(corner, *seen) for corner in corners)
            curvature[:, one, two] = curvature[:, two, one] = (up - left - right + down) / (4 * 5e-3**2)
    try:
        moves = np.linalg.solve(curvature.sum(axis=0) - curvature, scores[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        return None
    away = moves - moves.mean(axis=0)
    variance: Floats = away.T @ away * (1 - 1 / len(scores))
    return variance if bool(np.isfinite(variance).all()) and bool((np.diag(variance) > 0).all()) else None
