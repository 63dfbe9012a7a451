"""One test for the p and for the interval of a value or difference: the interval holds whatever the test accepts.

A pivot says how surprising the data are if the truth were some amount. The p is that of the null, the interval the
amounts around the value with a p of at least one minus the level. The two cannot disagree. A difference of d between
two shares needs renderings that differ, so that the variance under d is at least |d| (1 - |d|) over the number of
renderings (the score principle: Wilson 1927, Journal of the American Statistical Association 22).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from evenhand.statistics.effective import Draws
from evenhand.statistics.linearised import Linearised, counted, slopes
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import student_above, student_quantile
from evenhand.statistics.variation import Variation

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


def inverted(pivot: Pivot, level: float, bounds: tuple[float, float], *, null: float = 0.0) -> tuple[float, float]:
    """The amounts between the bounds that the pivot does not reject, around its value."""
    alpha, value = 1 - level, pivot.value
    held = pivot.p(null) >= alpha

    def end(side: int) -> float:
        limit, inner = bounds[side], min(max(value, bounds[0]), bounds[1])
        beyond = (null - inner) * (1 if side else -1) >= 0  # the null lies on this side of the value
        if beyond and held:
            inner = null
        elif beyond and null != inner:
            return _edge(lambda x: pivot.p(x) >= alpha, inner, null)
        if not np.isfinite(limit):
            step = 1.0
            while pivot.p(inner + (step if side else -step)) >= alpha and step < 1e6:
                step *= 2
            limit = inner + (step if side else -step)
        return limit if pivot.p(limit) >= alpha else _edge(lambda x: pivot.p(x) >= alpha, inner, limit)

    return end(0), end(1)


def _edge(inside: Callable[[float], bool], inner: float, outer: float) -> float:
    """The last amount from `inner` (inside) towards `outer` (outside)."""
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if inside(middle) else (inner, middle)
    return inner


@dataclass(frozen=True)
class Floor:
    """The variance of an estimate if so much of it were true: a rendering moves it by at most `reach` / n."""

    reach: float
    n: float

    def at(self, amount: float) -> float:
        size = min(abs(amount), self.reach)
        return size * (self.reach - size) / self.n

    @classmethod
    def of(cls, parts: Sequence[Linearised]) -> Floor:
        if not all(counted(part.job) for part in parts):
            return cls(0.0, 1.0)
        steps = [slopes(part.job.measure, part.job.statistics.summed) * part.n for part in parts]
        return cls(max(float(np.ptp(step)) for step in steps), min(part.n for part in parts))


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
    """Student's t with the cluster-robust variance.

    Where every cluster shows the same difference there is no variance; it is then the one at which the p is that of
    the exact sign test over clusters, 2^(1 - clusters).
    """

    value: float
    variance: float
    freedom: float
    floor: Floor | None = None
    method: str = "t"

    @classmethod
    def of(cls, value: float, over: Variation, *, clusters: int, floor: Floor | None = None) -> StudentT:
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


@dataclass(frozen=True)
class Drawn:
    """Values or differences under drawn compositions (effective.py): where a formula is not that of one share."""

    value: float
    draws: Draws
    method: str = "effective counts"

    def p(self, null: float) -> float:
        return 1.0 if null == self.value else self.draws.beyond(null)
