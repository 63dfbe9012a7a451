"""Wilson's interval, and what it becomes for a measure made of several counts.

A bootstrap has nothing to resample when every rendering is male. Wilson's interval for a share is the set of true
shares p for which the observed one is not surprising: n (x - p)^2 / (p (1 - p)) <= z^2. The same condition over
several cells, n * sum((x_i - p_i)^2 / p_i) <= z^2, gives a region of possible compositions; the smallest and the
largest value of a measure on that region are its interval. For a single share this is Wilson's interval exactly.
Source: Wilson 1927 (J. Am. Stat. Assoc. 22), score interval; the region is the profile of Pearson's statistic.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from evenhand.level import tails
from evenhand.statistics.measure import Floats

Formula = Callable[[Floats], Floats]


def wilson(hits: float, n: float, *, level: float) -> tuple[float, float]:
    """Wilson's score interval for `hits` of `n`. Nothing observed gives [0, 1]."""
    if n <= 0:
        return 0.0, 1.0
    z = float(ndtri(tails(level)[1]))
    share = hits / n
    centre = share + z * z / (2 * n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)
    # rounding must not push an end off the observed share at 0 or 1
    return (0.0 if hits <= 0 else float(low)), (1.0 if hits >= n else float(high))


def region(formula: Formula, totals: Floats, *, n: float | None = None, level: float) -> tuple[float, float]:
    """Smallest and largest value of `formula` over the compositions not surprising given the counts `totals`.

    `n` is the number of independent renderings, by default all of them; a smaller one (effective sample size)
    allows for clustering. NaN, NaN where nothing was counted or the measure is undefined everywhere.
    """
    total = float(totals.sum())
    if total <= 0:
        return np.nan, np.nan
    n = total if n is None else n
    z = float(ndtri(tails(level)[1]))
    limit = 1 + z * z / n
    observed = totals / total
    reached = [_moves(observed, limit)]
    values = formula(reached[0] * total)
    for sign in (1.0, -1.0) if len(observed) > 2 else ():  # two cells have two ends, and both are known by now
        # a second start from the best single move: a saddle at the observed composition holds the first one
        best = reached[0][int(np.argmax(np.where(np.isfinite(values), sign * values, -np.inf)))]
        reached += [_climb(formula, start, observed, limit, sign * total) for start in (observed, best)]
    edge = np.vstack([observed[None, :], *reached])
    lowest, highest = (_inward(lambda p: formula(p * total), sign, observed, edge) for sign in (-1.0, 1.0))
    return lowest, highest


def peaks(formula: Formula, totals: Floats, *, n: float, level: float) -> tuple[float, float]:
    """Lowest and highest value where the measure turns inside the region (among cells that were seen); else NaN.

    P_S turns at half female, half male: when that lies within reach, percentiles of resamples stop just short of it.
    """
    present = totals > 0
    total = float(totals.sum())
    observed = totals[present] / total
    if len(observed) < 2:
        return np.nan, np.nan

    def seen(points: Floats) -> Floats:
        full = np.zeros((*points.shape[:-1], len(totals)))
        full[..., present] = points
        return formula(full * total)

    z = float(ndtri(tails(level)[1]))
    ends = []
    for sign in (-1.0, 1.0):
        slope = sign * gradient(lambda points: seen(points / total), observed, total)
        if not np.ptp(slope) > 0:
            ends.append(np.nan)
            continue
        edge = _best_linear(slope, observed, 1 + z * z / n)[None, :]
        before, last = seen(np.vstack([edge + 1e-4 * (observed - edge), edge]))
        if sign * last > sign * before:  # still rising where the region ends
            ends.append(np.nan)
            continue
        top = _inward(seen, sign, observed, edge)
        ends.append(top if sign * top > sign * float(seen(edge)[0]) + 1e-12 else np.nan)
    return ends[0], ends[1]


def _inward(value: Formula, sign: float, observed: Floats, edge: Floats) -> float:
    """The largest (sign -1: smallest) value on the lines from the observed composition to the edge.

    A peak may lie inside the region, not on its edge.
    """
    low, high = np.zeros(len(edge)), np.ones(len(edge))
    best = -np.inf
    for look in range(12):
        steps = low + (high - low) * np.linspace(0, 1, 9)[:, None]
        values = sign * value((observed + steps[:, :, None] * (edge - observed)).reshape(-1, len(observed)))
        values = np.where(np.isfinite(values), values, -np.inf).reshape(steps.shape)
        best = max(best, float(values.max()))
        top, lines = values.argmax(axis=0), np.arange(len(edge))
        low, high = steps[np.maximum(top - 1, 0), lines], steps[np.minimum(top + 1, 8), lines]
        if look == 0:  # only the most promising lines are worth a closer look
            kept = np.argsort(-values.max(axis=0), kind="stable")[:6]
            low, high, edge = low[kept], high[kept], edge[kept]
    return sign * best if np.isfinite(best) else np.nan


def _moves(observed: Floats, limit: float) -> Floats:
    """Points of the region's edge reached by moving mass from one cell (or all) to one other cell."""
    count = len(observed)
    unit = np.eye(count)
    directions = [unit[j] - observed for j in range(count) if observed[j] < 1]
    directions += [unit[j] - unit[i] for i in range(count) if observed[i] > 0 for j in range(count) if i != j]
    steps = np.array(directions).reshape(-1, count)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(steps < 0, observed / -steps, np.inf).min(axis=1)
    low, high = np.zeros(len(steps)), reach
    present = observed > 0
    for _ in range(60):
        middle = (low + high) / 2
        points = observed + middle[:, None] * steps
        with np.errstate(divide="ignore"):
            surprise = (observed[present] ** 2 / np.maximum(points[:, present], 0.0)).sum(axis=1)
        inside = surprise <= limit
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    edge: Floats = np.maximum(observed + low[:, None] * steps, 0.0)
    return edge


def _climb(formula: Formula, start: Floats, observed: Floats, limit: float, total: float) -> Floats:
    """Follow the gradient: the best point for the linearised measure, again and again from where it led.

    A negative `total` climbs down.
    """
    point, sign, total = start, float(np.sign(total)), abs(total)
    visited = []
    for _ in range(25):
        slope = sign * gradient(formula, point, total)
        if not np.ptp(slope) > 0:
            break
        point = _best_linear(slope, observed, limit)
        visited.append(point)
        if len(visited) > 1 and np.abs(visited[-1] - visited[-2]).max() < 1e-8:
            break
    return np.array(visited).reshape(-1, len(observed))


def gradient(formula: Formula, point: Floats, total: float) -> Floats:
    """Slope of the measure in each cell's share; undefined slopes count as flat."""
    step = 1e-6
    base = formula((point * total)[None, :])[0]
    ahead = formula((point[None, :] + step * np.eye(len(point))) * total)
    slope = (ahead - base) / step
    return np.where(np.isfinite(slope), slope, 0.0)


def _best_linear(slope: Floats, observed: Floats, limit: float) -> Floats:
    """The composition with the largest slope . p and sum(observed^2 / p) <= limit (Lagrange, one bisection).

    p_i is proportional to observed_i / sqrt(level - slope_i). A cell that was never seen takes mass only when its
    slope is the largest of all.
    """
    present = observed > 0
    seen, slopes = observed[present], slope[present]
    top, spread = slopes.max(), max(np.ptp(slopes), 1e-12)

    def surprise(level: float) -> float:
        root = np.sqrt(np.maximum(level - slopes, 1e-300))
        return float((seen * root).sum() * (seen / root).sum())

    low = top
    step = max(spread * 1e-12, 4 * float(np.spacing(abs(top))))  # a smaller one would vanish beside a large slope
    while surprise(top + step) > limit:
        step *= 4
    high = top + step
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if surprise(middle) > limit else (low, middle)
    level, extra, where = high, 0.0, -1
    if not present.all():
        unseen = np.where(present, -np.inf, slope)
        where = int(unseen.argmax())
        if slope[where] > level:
            level = max(float(slope[where]), np.nextafter(float(top), np.inf))
            extra = 1 - surprise(level) / limit
    share = seen / np.sqrt(np.maximum(level - slopes, 1e-300))
    best = np.zeros_like(observed)
    best[present] = share / share.sum() * (1 - extra)
    if extra:
        best[where] = extra
    return best
