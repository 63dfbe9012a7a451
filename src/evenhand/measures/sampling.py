"""Estimates of one table: every measure and part with its interval, and differences between them, the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import tails
from evenhand.measures.corrected import Corrected
from evenhand.measures.definitions.counts import encode
from evenhand.statistics.design_effect import Seen
from evenhand.statistics.effective import PSEUDO, PSEUDO_DIFFERENCE, Draws, Evaluate, draw, effects
from evenhand.statistics.equality import against_rest, equality
from evenhand.statistics.intervals import Interval
from evenhand.statistics.linearised import ENOUGH, Linearised, counted
from evenhand.statistics.measure import Floats, Job
from evenhand.statistics.quantiles import normal_below, normal_quantile, student_quantile
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
        return Estimated(
            job, self._interval(value, drawn, f"effective counts over {words}", clusters), linearised, seen
        )

    def difference(self, first: Estimated, second: Estimated) -> Interval:
        """The interval of first minus second; none, and the reason, where one of them has none."""
        value = first.interval.value - second.interval.value
        for part in (first, second):
            if part.linearised is None:
                return _none(value, part.interval.method)
        if first.linearised is None or second.linearised is None:
            return _none(value, "undefined")
        over = variation(first.linearised, second.linearised)
        clusters = len(np.union1d(first.linearised.clusters(0), second.linearised.clusters(0)))
        words = f"over {self._over(first.linearised)}"
        if first.seen is None or second.seen is None:
            return self._t(value, over, (-np.inf, np.inf), clusters)
        if over.nested and len(self.sizes) == 1:
            # each part has its own design effect: sentences of one group may be all alike, those of the other not
            both = (first.seen, second.seen)
            drawn_effects = [effects(s, seed=self.seed + n, draws=self.resamples) for n, s in enumerate(both)]
        else:
            seen = Seen.of(over, first.linearised, second.linearised)
            drawn_effects = [effects(seen, seed=self.seed, draws=self.resamples)] * 2
        one, two = (
            draw(
                part.job,
                effect,
                seed=self.seed,
                pseudo=PSEUDO_DIFFERENCE,
                evaluate=self._evaluate(part.job),
                stream=stream,
            )
            for stream, (part, effect) in enumerate(zip((first, second), drawn_effects, strict=True), start=1)
        )
        return self._interval(value, one - two, f"effective counts {words}", clusters)

    def p_value(self, first: Estimated, second: Estimated) -> float:
        """The p of no difference; NaN where one of the two has too few clusters, or a median is compared."""
        if first.linearised is None or second.linearised is None:
            return float("nan")
        p = equality(first.linearised, second.linearised, seed=self.seed, arrangements=self.resamples)
        return self._calibrated(p, first, second)

    def against_rest(self, whole: Estimated, groups: Sequence[tuple[Estimated, Estimated]]) -> tuple[Floats, Floats]:
        """The p of no difference for each (group, rest of the run), alone and corrected; NaN where it has none."""
        p, adjusted = np.full(len(groups), np.nan), np.full(len(groups), np.nan)
        tested, parts = [], []
        for number, (group, rest) in enumerate(groups):
            if group.linearised is not None and rest.linearised is not None:
                tested.append(number)
                parts.append((group.linearised, rest.linearised))
        if tested and whole.linearised is not None:
            p[tested], adjusted[tested] = against_rest(
                whole.linearised, parts, seed=self.seed, arrangements=self.resamples
            )
            for number in tested:
                p[number] = self._calibrated(p[number], *groups[number])
                adjusted[number] = self._calibrated(adjusted[number], *groups[number])
        return p, adjusted

    def _calibrated(self, p: float, first: Estimated, second: Estimated) -> float:
        """The p of a difference between corrected values: the calibration sample's own error adds to the variance."""
        confusions = self.confusions
        if confusions is None or first.linearised is None or second.linearised is None or not np.isfinite(p):
            return p
        drawn = [self._redrawn(part.job, confusions) for part in (first, second)]
        sampled = variation(first.linearised, second.linearised).variance
        return widened(p, float(np.nanvar(drawn[0] - drawn[1])) / sampled) if sampled > 0 else p

    def _redrawn(self, job: Job, confusions: Floats) -> Floats:
        """A corrected value, on its smooth scale, under every drawn set of confusion matrices."""
        totals = job.statistics.summed
        if not isinstance(job.measure, Corrected):
            return np.zeros(len(confusions))
        return job.measure.smooth_with(np.broadcast_to(totals, (len(confusions), len(totals))), confusions)

    def _evaluate(self, job: Job) -> Evaluate | None:
        measure, confusions = job.measure, self.confusions
        if confusions is None or not isinstance(measure, Corrected):
            return None
        return lambda totals: measure.formula_with(totals, confusions)

    def _interval(self, value: float, drawn: Draws, method: str, clusters: int) -> Interval:
        low, high = drawn.ends(self.level)
        more = " and calibration sample" if self.confusions is not None else ""
        return Interval(value, min(low, value), max(high, value), clusters, method + more)

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


def widened(p: float, ratio: float) -> float:
    """The two-sided p of the same difference where the variance is larger by this ratio."""
    return float(2 * normal_below(normal_quantile(max(p, 1e-300) / 2) / np.sqrt(1 + ratio)))
