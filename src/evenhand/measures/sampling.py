"""Estimates of one table: every measure and part with its interval, and differences between them, the same way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, Unpack

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import LEVEL, Resampling, alpha_of
from evenhand.measures.corrected import Corrected, Labelled
from evenhand.measures.definitions.counts import encode
from evenhand.statistics.effective import PSEUDO, RESAMPLES, DesignEffect, Evaluate, draw
from evenhand.statistics.equality import Tested, difference, drawn, influences, step_down, unchanged
from evenhand.statistics.intervals import Interval, none, student
from evenhand.statistics.measure import Floats, Job, Measure
from evenhand.statistics.variation import ENOUGH, Linearised, counted, variation
from evenhand.storage.tables import first_answers


@dataclass(frozen=True)
class Estimated:
    """A measure on one part: its interval and, where it has enough clusters, what moves it and its design effect."""

    job: Job
    interval: Interval
    linearised: Linearised | None = None
    seen: DesignEffect | None = None


@dataclass(frozen=True)
class Difference:
    """A difference with the test that decides about it. Without one, `why` says why there is no interval."""

    value: float
    why: str
    clusters: int
    level: float
    tested: Tested | None = None
    turned: bool = False
    even: bool = False

    @property
    def p(self) -> float:
        """The p of no difference; NaN where there is no test."""
        return self.tested.p if self.tested is not None else np.nan

    def interval(self, level: float | None = None) -> Interval:
        """What the test does not reject at this level (the sampler's own); no bounds, and the reason, without one."""
        if self.tested is None:
            return none(self.value, self.why)
        low, high = self.tested.interval(level or self.level)
        if self.even:  # two parts with the same counts: neither end is farther
            high = (high - low) / 2
            low = -high
        elif self.turned:
            low, high = -high, -low
        return Interval(self.value, low, high, self.clusters, self.why)

    def tipping(self) -> tuple[int, float] | None:
        """The part (0, 1) and the correlation within its clusters from which the difference is not significant."""
        tipped = self.tested.tipping(alpha_of(self.level)) if self.tested is not None else None
        return (1 - tipped[0], tipped[1]) if tipped and self.turned else tipped


def _order(part: Linearised) -> tuple[float, ...]:
    """A key by which two parts have one order, whichever is named first."""
    statistics = part.job.statistics
    cells = statistics.cells * (1 + np.arange(len(statistics.cells)) % 97)[:, None]
    return (part.n, *statistics.summed, *cells.sum(axis=0), float(statistics.codes.sum()))


@dataclass(frozen=True)
class Sampler:
    """How estimates are made: the code columns, their sizes and names, and the confusion matrices of a calibration."""

    axes: tuple[str, ...]
    sizes: list[int]
    clusters: tuple[str, ...]
    seed: int = 0
    resamples: int = RESAMPLES
    level: float = LEVEL
    confusions: Floats | None = None

    @classmethod
    def over(cls, table: pl.DataFrame, clusters: Sequence[str], **how: Unpack[Resampling]) -> tuple[pl.DataFrame, Self]:
        """The first answers of a table with their cluster numbers, and the sampler over them."""
        table = first_answers(table)
        if not table.height:
            raise BadInput("the table of verdicts has no rows to measure")
        coded, axes = encode(table, clusters)
        return coded, cls(axes, [coded[a].n_unique() for a in axes], tuple(clusters), **how)

    def measured(self, measure: Measure, coded: pl.DataFrame) -> Estimated:
        """The estimate of a measure on a table with cluster numbers."""
        return self.estimate(Job(measure, measure.statistics(coded, self.axes)))

    def estimate(self, job: Job) -> Estimated:
        """The value with its interval; none, and the reason, where the data cannot carry one."""
        value, measure = job.point(), job.measure
        own = measure.interval(job.statistics, self.level)
        if not np.isfinite(value):
            return Estimated(job, none(value, "undefined"))
        if own is not None:
            return Estimated(job, own, Linearised.of(job) if own.n >= ENOUGH else None)
        linearised = Linearised.of(job)
        clusters = linearised.count()
        if clusters < ENOUGH:
            few = f"{clusters} {'cluster' if clusters == 1 else 'clusters'} ({self.cluster_name})"
            return Estimated(job, none(value, f"none: {few} cannot carry an interval", clusters))
        over = variation(linearised)
        if not counted(job):
            error, method = float(np.sqrt(over.variance)), f"t over {clusters} clusters (jackknife)"
            freedom = max(over.freedom, 1.0)
            interval = student(value, error, freedom, clusters, method, level=self.level, bounds=measure.bounds)
            return Estimated(job, interval, linearised)
        seen = DesignEffect.of(over, linearised)
        effects = seen.drawn(seed=self.seed, draws=self.resamples)
        low, high = draw(job, effects, seed=self.seed, pseudo=PSEUDO, evaluate=self._evaluate(job)).ends(self.level)
        # the halves of a pair may cancel each other: the effective number is still no larger than the number
        effective = min(linearised.n / float(np.median(effects)), linearised.n)
        words = f"{self._over(linearised)}, {effective:,.0f} of {linearised.n:,.0f}"
        method = f"effective counts over {words}{self._more(job)}"
        return Estimated(job, Interval(value, min(low, value), max(high, value), clusters, method), linearised, seen)

    def difference(self, first: Estimated, second: Estimated) -> Difference:
        """First minus second by one test: its p, and its interval at any level; a - b is exactly minus b - a."""
        value = first.interval.value - second.interval.value
        one, two = first.linearised, second.linearised
        if one is None or two is None:
            why = next(part.interval.method for part in (first, second) if part.linearised is None)
            return Difference(value, why, 0, self.level)
        turned = _order(two) < _order(one)
        tested = self._tested(two, one) if turned else self._tested(one, two)
        if tested is None:
            return Difference(value, "undefined", 0, self.level)
        clusters = len(np.union1d(one.clusters(0), two.clusters(0)))
        method = f"{tested.pivot.method} over {self._over(one)}{self._more(first.job)}"
        return Difference(value, method, clusters, self.level, tested, turned, even=_order(one) == _order(two))

    def _tested(self, first: Linearised, second: Linearised) -> Tested | None:
        # estimates of counts have no likelihood, but do have signs
        plain = not first.job.measure.estimated_counts or not variation(first, second).nested
        if self.confusions is None and plain:
            return difference(first, second, seed=self.seed, draws=self.resamples)
        gap = first.job.point() - second.job.point()
        if not counted(first.job) or not np.isfinite(gap):
            return None
        evaluate = (self._evaluate(first.job), self._evaluate(second.job))
        over = variation(first, second)
        pivot = drawn(first, second, over, seed=self.seed, draws=self.resamples, evaluate=evaluate)
        return Tested(pivot, gap, first.job.measure, 2)

    def unchanged(self, part: Estimated) -> Difference:
        """A value that is itself a difference (a change), with the p-value of 0."""
        if part.linearised is None:
            return Difference(part.interval.value, part.interval.method, part.interval.n, self.level)
        tested = unchanged(part.linearised, seed=self.seed, draws=self.resamples)
        method = f"{tested.pivot.method} over {self._over(part.linearised)}"
        return Difference(part.interval.value, method, part.interval.n, self.level, tested)

    def corrected(self, p: Floats, tests: Sequence[tuple[Estimated, ...]]) -> Floats:
        """The p-values of a family of values or differences, corrected for their number and dependence."""
        adjusted, usable = p.copy(), np.flatnonzero(np.isfinite(p))
        parts = [[one.linearised for one in tests[number] if one.linearised is not None] for number in usable.tolist()]
        if parts:
            moves = influences(parts, self.sizes)
            adjusted[usable] = step_down(p[usable], moves, seed=self.seed, draws=self.resamples)
        return adjusted

    def _evaluate(self, job: Job) -> Evaluate | None:
        measure, confusions = job.measure, self.confusions
        if confusions is None or not isinstance(measure, Corrected):
            return None
        return lambda totals: measure.formula_with(totals, confusions)

    def _more(self, job: Job) -> str:
        """What else an interval rests on."""
        if isinstance(job.measure, Labelled):
            return " with its labels (prediction-powered)"
        return " and calibration sample" if self.confusions is not None else ""

    def _over(self, linearised: Linearised) -> str:
        names = self.clusters or ("probe",)
        return " x ".join(names[a] for a in linearised.axes())

    @property
    def cluster_name(self) -> str:
        """What the clusters of the first axis are."""
        return self.clusters[0] if self.clusters else "probe"
