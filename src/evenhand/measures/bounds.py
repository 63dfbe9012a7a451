"""What a measure could be if the undecided renderings were decided: bounds over all assignments, with sampling error.

An unknown rendering may be female, male, neutral or both; nothing is assumed about which (partial identification:
Manski 2003). The lowest and the highest value over all assignments are found kind of sentence by kind of sentence
(sentences of one gold gender or set lead to the same cells); each then gets the interval of a run decided that way. The
ends are those within which the true value lies with the wanted chance (Imbens & Manski 2004, Econometrica 72): between
a one-sided quantile, where the bounds lie far apart, and a two-sided one, where they nearly meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from evenhand.gender import DECIDED, Gender
from evenhand.level import tails
from evenhand.measures.definitions.counts import CODE, Counted, count_by_cluster
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.statistics.quantiles import normal_below, normal_quantile

SWEEPS = 10


def bounds(table: pl.DataFrame, job: Job, sampler: Sampler) -> tuple[float, float] | None:
    """Lowest and highest end over all assignments of the unknown renderings; None where none is unknown.

    What is no rendering at all stays unknown: no reader could give it a gender.
    Where the data carry no interval, the bare bounds. None too for measures that are no counts of verdicts.
    """
    found = extreme_assignments(table, job)
    if found is None:
        return None
    lowest, highest = (one.point() for one in found)
    return _with_sampling_error(found, lowest, highest, sampler)


def extreme_assignments(table: pl.DataFrame, job: Job) -> tuple[Job, Job] | None:
    """The job with its unknown renderings decided so that its value is lowest, and highest; None as in `bounds`."""
    measure = job.measure
    if not isinstance(measure, Counted) or "gender" not in measure.needs or job.statistics.decided == job.statistics.n:
        return None
    text = pl.col("gender").cast(pl.String)
    told = pl.col("valid").fill_null(value=True) if "valid" in table.columns else pl.lit(value=True)
    unknown = (text.is_null() | (text == Gender.UNKNOWN.value)) & told
    if not table.filter(unknown).height:
        return None
    codes = tuple(c for c in table.columns if c.startswith(CODE))
    known = measure.statistics(table.filter(~unknown), codes)
    options = Options(measure, table.filter(unknown), codes)
    low, high = (
        Job(measure, options.decided(known, options.best(known.cells.sum(axis=0), sign), job.statistics.n))
        for sign in (-1.0, 1.0)
    )
    return (low, high) if np.isfinite(low.point()) and np.isfinite(high.point()) else None


def _with_sampling_error(found: Sequence[Job], lowest: float, highest: float, sampler: Sampler) -> tuple[float, float]:
    """The ends of the two extreme assignments' intervals, as wide as the level asks for (Imbens & Manski 2004)."""
    ends = [sampler.estimate(one).interval for one in found]
    if not all(np.isfinite(e.low) for e in ends):
        return lowest, highest
    quantile = float(normal_quantile(tails(sampler.level)[1]))
    error = max(e.high - e.low for e in ends) / (2 * quantile)
    narrowed = replace(
        sampler, level=imbens_manski((highest - lowest) / error, sampler.level) if error > 0 else sampler.level
    )
    low, high = (narrowed.estimate(one).interval for one in found)
    return low.low, high.high


def imbens_manski(distance: float, level: float) -> float:
    """The two-sided level at which either bound's own interval must be taken, `distance` in standard errors apart."""
    from scipy.optimize import brentq

    quantile = brentq(lambda c: float(normal_below(c + distance) - normal_below(-c)) - level, 0.0, 10.0)
    return max(2 * float(normal_below(quantile)) - 1, 0.5)


class Options:
    """The unknown renderings by kind: which cells each gender would put them in, and how many there are by cluster."""

    def __init__(self, measure: Counted, unknown: pl.DataFrame, codes: tuple[str, ...]) -> None:
        self._measure = measure
        cells = [e.fill_null(value=False).cast(pl.Float64).alias(n) for n, e in measure.cells().items()]
        by_gender = [unknown.with_columns(gender=pl.lit(g)).select(cells).to_numpy() for g in DECIDED]
        pattern = np.stack(by_gender, axis=1)  # renderings x genders x cells
        kinds, number = np.unique(pattern.reshape(len(pattern), -1), axis=0, return_inverse=True)
        self._kinds: Floats = kinds.reshape(len(kinds), len(DECIDED), len(cells))
        numbered = unknown.with_columns(pl.Series("_kind", number.reshape(-1)))
        wanted = {f"_{k}": pl.col("_kind") == k for k in range(len(kinds))}
        self._counts = count_by_cluster(numbered.drop("gender"), codes, wanted)

    def best(self, known: Floats, sign: float) -> list[int]:
        """For each kind the gender that makes the measure largest (sign -1: smallest), from four starts."""
        counts = self._counts.cells.sum(axis=0)
        tried = [self._climb([start] * len(self._kinds), known, counts, sign) for start in range(len(DECIDED))]
        return max(tried, key=lambda one: one[0])[1]

    def _climb(self, chosen: list[int], known: Floats, counts: Floats, sign: float) -> tuple[float, list[int]]:
        value = -np.inf
        for _ in range(SWEEPS):
            before = list(chosen)
            for kind in range(len(chosen)):
                rest = known + sum(
                    (self._kinds[k, g] * counts[k] for k, g in enumerate(chosen) if k != kind), np.zeros_like(known)
                )
                values = sign * self._measure.formula(rest + self._kinds[kind] * counts[kind])
                values = np.where(np.isfinite(values), values, -np.inf)
                if values.max() > value + 1e-12:
                    value, chosen[kind] = float(values.max()), int(values.argmax())
            if chosen == before:
                break
        return value, chosen

    def decided(self, known: Statistics, chosen: list[int], n: int) -> Statistics:
        """The statistics of the part with every unknown rendering of a kind given the gender chosen for it."""
        added = sum(
            (np.outer(self._counts.cells[:, k], self._kinds[k, g]) for k, g in enumerate(chosen)),
            np.zeros((len(self._counts.cells), self._kinds.shape[2])),
        )
        codes, index = np.unique(np.concatenate([known.codes, self._counts.codes]), axis=0, return_inverse=True)
        cells = np.zeros((len(codes), added.shape[1]))
        np.add.at(cells, index.reshape(-1), np.concatenate([known.cells, added]))
        return Statistics(codes, cells, known.names, n, n)
