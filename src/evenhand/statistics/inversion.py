"""One test for the p-value and for the interval of a value or difference: the interval holds whatever the test accepts.

A pivot says how surprising the data are if the truth were some amount. The p is that of the null, the interval the
amounts around the value with a p of at least one minus the level. The two cannot disagree. A difference of d between
two shares needs renderings that differ, so that the variance under d is at least |d| (1 - |d|) over the number of
renderings (the score principle: Wilson 1927, Journal of the American Statistical Association 22).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self

import numpy as np
import scipy

from evenhand.level import alpha_of
from evenhand.statistics.effective import DesignEffect
from evenhand.statistics.intervals import student_above, student_quantile
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import Linearised, Variation, counted, slopes, variation

LARGEST = 400  # differences whose signs are drawn one by one; the rest of many is normal
HALVINGS = 26


class Pivot(Protocol):
    """A test of every amount a value or difference might be."""

    @property
    def method(self) -> str: ...

    @property
    def value(self) -> float: ...

    def p(self, null: float) -> float:
        """The p-value if the truth were `null`."""
        ...


def inverted(pivot: Pivot, level: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """The amounts between the bounds that the pivot does not reject, around its value."""

    def accepted(amount: float) -> bool:
        return pivot.p(amount) >= alpha_of(level)

    def edge(inner: float, outer: float) -> float:
        """The last accepted amount from `inner` towards `outer`, which is rejected."""
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if accepted(middle) else (inner, middle)
        return inner

    def end(limit: float, sign: float) -> float:
        inner = min(max(pivot.value, bounds[0]), bounds[1])
        if inner * sign <= 0:  # 0, whose p is printed, lies on this side of the value
            if not accepted(0.0):
                return edge(inner, 0.0)
            inner = 0.0
        if not np.isfinite(limit):
            step = 1.0
            while accepted(inner + sign * step) and step < 1e6:
                step *= 2
            limit = inner + sign * step
        return limit if accepted(limit) else edge(inner, limit)

    return end(bounds[0], -1.0), end(bounds[1], 1.0)


@dataclass(frozen=True)
class Floor:
    """The variance of an estimate if so much of it were true: a rendering moves it by at most `reach` / n. Clusters
    whose renderings all fall into one cell say nothing about how alike their renderings are; for them the median of
    what the others' design effect may be is assumed, so that n is smaller by their share of it."""

    reach: float
    n: float

    def at(self, amount: float) -> float:
        size = min(abs(amount), self.reach)
        return size * (self.reach - size) / self.n

    @classmethod
    def of(cls, parts: Sequence[Linearised]) -> Self:
        if not all(counted(part.job) for part in parts):
            return cls(0.0, 1.0)
        steps = [slopes(part.job.measure, part.job.statistics.summed) * part.n for part in parts]
        effect, silent = 1.0, _silent(parts)
        if silent:
            seen = (DesignEffect.of(variation(part), part) for part in parts)
            effect += silent * (max(1.0, *(float(one.quantiles(np.array([0.5]))[0]) for one in seen)) - 1)
        return cls(max(float(np.ptp(step)) for step in steps), min(part.n for part in parts) / effect)


def _silent(parts: Sequence[Linearised]) -> float:
    """The share of renderings in clusters of which all renderings of all parts fall into one cell."""
    count = 1 + max(int(part.codes[:, 0].max()) for part in parts)
    cells = np.zeros((count, parts[0].job.statistics.cells.shape[1]))
    for part in parts:
        np.add.at(cells, part.codes[:, 0], part.job.statistics.cells)
    sizes = cells.sum(axis=1)
    return float(sizes[cells.max(axis=1) >= sizes].sum() / sizes.sum())


class SignFlips:
    """Clusters' differences change their signs: those of one axis that two parts share, or of one part alone.

    The wild cluster bootstrap without an estimated variance (Cameron, Gelbach & Miller 2008, Review of Economics and
    Statistics 90). Draws cannot show less than their own number allows: where Hoeffding's bound, 2 exp(-seen^2 / 2 sum
    of squares), which no such p exceeds, is smaller, it counts. Ties count half (mid-p: Lancaster 1961).
    """

    method = "sign flips"

    def __init__(
        self, differences: Floats, shares: Floats, *, seed: int, draws: int, floor: Floor | None = None
    ) -> None:
        order = np.argsort(-np.abs(differences), kind="stable")
        large, small = order[:LARGEST], order[LARGEST:]
        signs, self._normal = _signs(seed, draws, len(large))
        self._sums, self._weights = signs @ differences[large], signs @ shares[large]
        self.value = float(differences.sum())
        self._small = _quadratic(differences[small], shares[small]) if len(small) else (0.0, 0.0, 0.0)
        self._all = _quadratic(differences, shares)
        self._tie = 1e-9 * float(np.abs(differences).max(initial=0.0) + abs(self.value))
        self._floor = floor

    def p(self, null: float) -> float:
        squares = _at(self._all, null)
        lifted = max(self._floor.at(null) - squares, 0.0) if self._floor else 0.0
        smooth = _at(self._small, null) + lifted
        sums = self._sums - null * self._weights
        seen = abs(self.value - null)
        if smooth > 0:
            sums = sums + np.sqrt(smooth) * self._normal
            sums[0] = seen
        sums = np.abs(sums)
        drawn = float((sums > seen + self._tie).mean() + (np.abs(sums - seen) <= self._tie).mean() / 2)
        if seen <= self._tie:
            return 1.0
        bound = 2 * float(np.exp(-(seen**2) / (2 * (squares + lifted)))) if squares + lifted > 0 else 1.0
        return min(drawn, bound, 1.0)


def _quadratic(differences: Floats, shares: Floats) -> tuple[float, float, float]:
    """Coefficients of the sum of (difference - null * share)^2 in the null."""
    return float(differences @ differences), float(-2 * (differences @ shares)), float(shares @ shares)


def _at(quadratic: tuple[float, float, float], x: float) -> float:
    return max(quadratic[0] + x * quadratic[1] + x * x * quadratic[2], 0.0)


@lru_cache(maxsize=4)  # planning asks a thousand times for the same
def _signs(seed: int, draws: int, differences: int) -> tuple[Floats, Floats]:
    """Random signs, a row per draw, the first all positive (every combination once, where they are fewer than draws);
    and a normal number for each row."""
    rng = np.random.default_rng([seed, 0xE7])
    if 2**differences <= draws:
        negative = (np.arange(2**differences)[:, None] >> np.arange(differences)) & 1
        signs = 1.0 - 2.0 * negative.astype(np.float64)
    else:
        signs = rng.integers(0, 2, size=(draws + 1, differences)).astype(np.float64) * 2.0 - 1.0
        signs[0] = 1.0
    normal = rng.standard_normal(len(signs))
    for drawn in (signs, normal):
        drawn.flags.writeable = False
    return signs, normal


@dataclass(frozen=True)
class StudentT:
    """Student's t with the cluster-robust variance. Where every cluster shows the same difference there is no variance;
    it is then the one at which the p-value is that of the exact sign test over clusters, 2^(1 - clusters)."""

    value: float
    variance: float
    freedom: float
    floor: Floor | None = None
    method: str = "t"

    @classmethod
    def of(cls, value: float, over: Variation, *, clusters: int, floor: Floor | None = None) -> Self:
        variance, freedom = over.variance, max(over.freedom, 1e-9)
        if variance <= 0 or abs(value) > 1e8 * np.sqrt(variance):
            edge = student_quantile(1 - 0.5 ** min(clusters, 1_000), max(freedom, 1.0))
            variance, freedom = (value / edge) ** 2 if edge > 0 else 0.0, max(freedom, 1.0)
        return cls(value, variance, freedom, floor)

    def p(self, null: float) -> float:
        gap = abs(self.value - null)
        variance = max(self.variance, self.floor.at(null) if self.floor else 0.0)
        if gap <= 1e-12:
            return 1.0
        return 2 * student_above(gap / float(np.sqrt(variance)), self.freedom) if variance > 0 else 0.0


# What a group of clusters says about its share: the beta-binomial likelihood, the correlation within summed out.
# Clusters have chances with mean p and correlation r within (the beta-binomial: Skellam 1948, Journal of the Royal
# Statistical Society B 10). Each group has its own correlation, uniform between 0 and 1 and summed out on a grid
# (integrated likelihood: Berger, Liseo & Wolpert 1999, Statistical Science 14), so that a group in which nothing shows
# how alike its sentences are (all male) keeps every correlation in play. Chances that are not beta distributed make the
# likelihood too sharp: it is flattened by the model's variance over the cluster-robust one (Chandler & Bate 2007,
# Biometrika 94). Twice the difference of log-likelihoods is compared with F(1, clusters - 2).

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
    def of(cls, part: Linearised, axis: int, cell: int) -> Self:
        """From the counts of one cell, and of all, by the clusters of an axis."""
        codes, cells = part.codes[:, axis], part.job.statistics.cells
        hits, sizes = np.bincount(codes, cells[:, cell]), np.bincount(codes, cells.sum(axis=1))
        return cls.of_counts(hits[sizes > 0].tobytes(), sizes[sizes > 0].tobytes())

    @classmethod
    @lru_cache(maxsize=256)  # measures of one run often need the same one
    def of_counts(cls, hit_bytes: bytes, size_bytes: bytes) -> Self:
        """From counts by cluster, as the bytes of arrays."""
        hits, sizes = np.frombuffer(hit_bytes), np.frombuffer(size_bytes)
        n = float(sizes.sum())
        middle = (float(hits.sum()) + 0.5) / (n + 1)
        error = np.sqrt(max(float(((hits - sizes * middle) ** 2).sum()) / n**2, middle * (1 - middle) / n))
        near = np.log(middle / (1 - middle)) + error / (middle * (1 - middle)) * np.linspace(-7, 7, 57)
        odds = np.unique(np.clip(np.concatenate([np.linspace(-EDGE, EDGE, 53), near]), -EDGE, EDGE))
        shares, others = scipy.special.expit(odds), scipy.special.expit(-odds)
        strength = (1 - CORRELATIONS) / CORRELATIONS
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


def _rising(start: Floats, counts: Floats) -> Floats:
    """Sum over clusters of ln(start (start + 1) ... (start + count - 1))."""
    values, times = np.unique(counts, return_counts=True)
    largest = float(values[-1])
    total: Floats = np.zeros(start.shape)
    if largest > 16 * len(values) or (values % 1).any():
        log_gamma = scipy.special.gammaln
        for value, many in zip(values, times, strict=True):
            if value > 0:
                total = total + many * (log_gamma(start + value) - log_gamma(start))
        return total
    reaching = np.cumsum(times[::-1])[::-1]  # clusters with at least this count
    for step in range(int(largest)):
        total = total + float(reaching[np.searchsorted(values, step + 1)]) * np.log(start + step)
    return total


@dataclass(frozen=True)
class LikelihoodRatio:
    """The test that two groups which share no cluster differ by a given amount in a measure of one share. `variance` is
    the cluster-robust one of the difference of shares; `curve` maps a share to the measure, None where it is the share
    itself (plus a constant)."""

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
        one, two = self.first, self.second
        if self.curve is None:
            at_first, at_second = one.logs + two.at(one.shares - null), two.logs + one.at(two.shares + null)
            together = float(max(at_first.max(), at_second.max()))
        else:
            together = self._curved(null, self.curve)
        apart = float(one.logs.max() + two.logs.max())
        return float(self._chance(np.array([2 * (apart - together)]))[0])

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
        freedom = max(self.first.clusters + self.second.clusters - 2.0, 1.0)
        return np.asarray(scipy.special.fdtrc(1, freedom, np.maximum(self.flattened * ratios, 0.0)))

    def tipping(self, alpha: float) -> tuple[int, float] | None:
        """The group (0, 1) and the smallest plausible correlation within its clusters that ends the significance. Each
        group's correlation in turn is fixed instead of summed out, with Firth's correction (1993, Biometrika 80) for a
        share at 0 or 1. None where no plausible correlation changes the finding."""
        options = []
        for number, (own, other) in enumerate(((self.first, self.second), (self.second, self.first))):
            logs = own.by_correlation
            plausible = 2 * (logs.max() - logs.max(axis=0)) < PLAUSIBLE
            firth = 0.5 * np.log(own.shares * (1 - own.shares) + 1e-300)[:, None]
            beside = other.at(own.shares)[:, None]
            best = (logs + firth).max(axis=0) + float(other.logs.max())
            ratios = 2 * (best - (logs + firth + beside).max(axis=0))
            turned = np.flatnonzero(plausible & (self._chance(ratios) >= alpha))
            if len(turned):
                options.append((float(CORRELATIONS[turned[0]]), number))
        return (min(options)[1], min(options)[0]) if options else None
