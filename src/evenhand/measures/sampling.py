"""Estimates of one table: every measure and part with its interval, and differences between them, the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import tails
from evenhand.measures.corrected import Corrected, Labelled
from evenhand.measures.definitions.counts import encode
from evenhand.statistics.design_effect import Seen
from evenhand.statistics.effective import PSEUDO, Evaluate, draw, effects
from evenhand.statistics.equality import Tested, difference, drawn, unchanged
from evenhand.statistics.families import TestedParts, influences, step_down
from evenhand.statistics.intervals import Interval
from evenhand.statistics.linearised import ENOUGH, Linearised, counted
from evenhand.statistics.measure import Floats, Job
from evenhand.statistics.quantiles import student_quantile
from evenhand.statistics.variation import Variation, variation
from evenhand.storage.tables import first_answers


def prepare(table: pl.DataFrame, clusters: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...], list[int]]:
    """First answers only, with cluster numbers: the table, its code columns, the number of clusters on each axis."""
    table = first_answers(table)
    if not table.height:
        raise BadInput("there is nothing to measure: the table of verdicts has no rows")
    coded, axes = encode(table, clusters)
    return coded, axes, [coded[a].n_unique() for a in axes]


@dataclass(frozen=True)
class Estimated:
    """A measure on one part: its interval and, where it has enough clusters, what moves it and its design effect."""

    job: Job
    interval: Interval
    linearised: Linearised | None = None
    seen: Seen | None = None


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
        return self.tested.p if self.tested is not None else float("nan")

    def interval(self, level: float | None = None) -> Interval:
        """What the test does not reject at this level (the sampler's own); no bounds, and the reason, without one."""
        if self.tested is None:
            return _none(self.value, self.why)
        low, high = self.tested.interval(level or self.level)
        if self.even:  # two parts with the same counts: neither end is farther
            high = (high - low) / 2
            low = -high
        elif self.turned:
            low, high = -high, -low
        return Interval(self.value, low, high, self.clusters, self.why)

    def tipping(self) -> tuple[int, float] | None:
        """Which part (0, 1), and from which correlation within its clusters on no difference is shown."""
        found = self.tested.tipping(1 - self.level) if self.tested is not None else None
        return (1 - found[0], found[1]) if found and self.turned else found


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
    seed: int
    resamples: int
    level: float
    confusions: Floats | None = None

    def estimate(self, job: Job, *, pseudo: float = PSEUDO) -> Estimated:
        """The value with its interval; none, and the reason, where the data cannot carry one."""
        value = job.point()
        own = job.measure.interval(job.statistics, self.level)
        if not np.isfinite(value):
            return Estimated(job, _none(value, "undefined"))
        if own is not None:
            return Estimated(job, own, Linearised.of(job) if own.n >= ENOUGH else None)
        linearised = Linearised.of(job)
        clusters = linearised.count()
        if clusters < ENOUGH:
            return Estimated(job, _none(value, f"none: {self._few(clusters)}", clusters))
        over = variation(linearised)
        if not counted(job):
            return Estimated(job, self._t(value, over, job.measure.bounds, clusters), linearised)
        seen = Seen.of(over, linearised)
        drawn_effects = effects(seen, seed=self.seed, draws=self.resamples)
        drawn = draw(job, drawn_effects, seed=self.seed, pseudo=pseudo, evaluate=self._evaluate(job))
        # the halves of a pair may cancel each other: the effective number is still no larger than the number
        effective = min(linearised.n / float(np.median(drawn_effects)), linearised.n)
        words = f"{self._over(linearised)}, {effective:,.0f} of {linearised.n:,.0f}"
        low, high = drawn.ends(self.level)
        method = f"effective counts over {words}{self._more(job)}"
        interval = Interval(value, min(low, value), max(high, value), clusters, method)
        return Estimated(job, interval, linearised, seen)

    def difference(self, first: Estimated, second: Estimated) -> Difference:
        """First minus second by one test: its p, and its interval at any level; a - b is exactly minus b - a."""
        value = first.interval.value - second.interval.value
        one, two = first.linearised, second.linearised
        if one is None or two is None:
            why = next(part.interval.method for part in (first, second) if part.linearised is None)
            return Difference(value, why, 0, self.level)
        turned = _order(two) < _order(one)
        parts = (two, one) if turned else (one, two)
        tested = self._tested(*parts)
        if tested is None:
            return Difference(value, "undefined", 0, self.level)
        clusters = len(np.union1d(one.clusters(0), two.clusters(0)))
        method = f"{tested.pivot.method} over {self._over(one)}{self._more(first.job)}"
        even = _order(one) == _order(two)
        return Difference(value, method, clusters, self.level, tested, turned=turned, even=even)

    def _tested(self, first: Linearised, second: Linearised) -> Tested | None:
        jobs = (first.job, second.job)
        if self.confusions is None and not jobs[0].measure.estimated_counts:
            return difference(first, second, seed=self.seed, draws=self.resamples)
        over = variation(first, second)
        if self.confusions is None and not over.nested:  # estimates of counts have no likelihood, but do have signs
            return difference(first, second, seed=self.seed, draws=self.resamples)
        gap = jobs[0].point() - jobs[1].point()
        if not counted(jobs[0]) or not np.isfinite(gap):
            return None
        evaluate = (self._evaluate(jobs[0]), self._evaluate(jobs[1]))
        pivot = drawn(first, second, over, seed=self.seed, draws=self.resamples, evaluate=evaluate)
        return Tested(pivot, gap, jobs[0].measure, 2)

    def unchanged(self, part: Estimated) -> Difference:
        """A value that is itself a difference (a change), with the p of 0."""
        if part.linearised is None:
            return Difference(part.interval.value, part.interval.method, part.interval.n, self.level)
        tested = unchanged(part.linearised, seed=self.seed, draws=self.resamples)
        method = f"{tested.pivot.method} over {self._over(part.linearised)}"
        return Difference(part.interval.value, method, part.interval.n, self.level, tested)

    def corrected(self, p: Floats, tests: Sequence[tuple[Estimated, ...]]) -> Floats:
        """The p-values of a family of values or differences, corrected for their number and dependence."""
        adjusted = p.copy()
        usable = np.flatnonzero(np.isfinite(p))
        parts: list[TestedParts] = []
        for number in usable.tolist():
            own = [part.linearised for part in tests[number] if part.linearised is not None]
            parts.append((own[0], own[1]) if len(own) == 2 else (own[0],))
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

    def _t(self, value: float, over: Variation, bounds: tuple[float, float], clusters: int) -> Interval:
        reach = student_quantile(tails(self.level)[1], max(over.freedom, 1.0)) * float(np.sqrt(over.variance))
        low, high = max(value - reach, bounds[0]), min(value + reach, bounds[1])
        return Interval(value, low, high, clusters, f"t over {clusters} clusters (jackknife)")

    def _over(self, linearised: Linearised) -> str:
        names = self.clusters or ("probe",)
        return " x ".join(names[a] for a in linearised.axes())

    @property
    def cluster_name(self) -> str:
        """What the clusters of the first axis are."""
        return self.clusters[0] if self.clusters else "probe"

    def _few(self, clusters: int) -> str:
        return f"{clusters} {'cluster' if clusters == 1 else 'clusters'} ({self.cluster_name}) cannot carry an interval"


def _none(value: float, why: str, clusters: int = 0) -> Interval:
    return Interval(value, np.nan, np.nan, clusters, why)
