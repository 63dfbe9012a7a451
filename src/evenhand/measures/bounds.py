"""What a measure could be if the undecided renderings were decided: bounds over all assignments, with sampling error.

An unknown rendering may be female, male, neutral or both; nothing is assumed about which (partial identification:
Manski 2003). The lowest and the highest value over all assignments are found kind of sentence by kind of sentence
(sentences of one gold gender or set lead to the same cells); each then gets the interval of a run decided that way. The
ends are those within which the true value lies with the wanted chance (Imbens & Manski 2004, Econometrica 72): between
a one-sided quantile, where the bounds are distant, and a two-sided one, where they nearly meet.
"""

from dataclasses import replace

import numpy as np
import polars as pl
import scipy

from evenhand.gender import DECIDED, Gender
from evenhand.level import tails
from evenhand.measures.definitions.counts import CODE, Counted, count_by_cluster, kinds_of
from evenhand.measures.sampling import Sampler
from evenhand.statistics.intervals import normal_below, normal_quantile
from evenhand.statistics.measure import Floats, Job, Statistics

SWEEPS = 10


def bounds(table: pl.DataFrame, job: Job, sampler: Sampler) -> tuple[float, float] | None:
    """Lowest and highest end over all assignments of the unknown renderings; None where none is unknown. What is no
    rendering at all stays unknown: no reader could give it a gender. Where the data carry no interval, the bare bounds.
    None too for measures that are no counts of verdicts."""
    extremes = extreme_assignments(table, job)
    if extremes is None:
        return None
    lowest, highest = (one.point() for one in extremes)
    ends = [sampler.estimate(one).interval for one in extremes]
    if not all(np.isfinite(e.low) for e in ends):
        return lowest, highest
    error = max(e.high - e.low for e in ends) / (2 * float(normal_quantile(tails(sampler.level)[1])))
    level = imbens_manski((highest - lowest) / error, sampler.level) if error > 0 else sampler.level
    low, high = (replace(sampler, level=level).estimate(one).interval for one in extremes)
    return low.low, high.high


def extreme_assignments(table: pl.DataFrame, job: Job) -> tuple[Job, Job] | None:
    """The job with its unknown renderings decided so that its value is lowest, and highest; None as in `bounds`."""
    measure = job.measure
    if not isinstance(measure, Counted) or "gender" not in measure.needs or job.statistics.decided == job.statistics.n:
        return None
    text = pl.col("gender").cast(pl.String)
    valid = pl.col("valid").fill_null(value=True) if "valid" in table.columns else pl.lit(value=True)
    unknown = (text.is_null() | (text == Gender.UNKNOWN.value)) & valid
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


def imbens_manski(distance: float, level: float) -> float:
    """The two-sided level at which either bound's own interval must be taken, `distance` in standard errors apart."""

    def missed(quantile: float) -> float:
        return float(normal_below(quantile + distance) - normal_below(-quantile)) - level

    return max(2 * float(normal_below(scipy.optimize.brentq(missed, 0.0, 10.0))) - 1, 0.5)


class Options:
    """The unknown renderings by kind: which cells each gender would put them in, and how many there are by cluster."""

    def __init__(self, measure: Counted, unknown: pl.DataFrame, codes: tuple[str, ...]) -> None:
        self._measure = measure
        flags = measure.flags_by_gender(unknown)
        first, number = kinds_of(flags)
        self._kinds: Floats = flags[first]
        numbered = unknown.drop("gender").with_columns(pl.Series("_kind", number))
        self._counts = count_by_cluster(numbered, codes, {f"_{k}": pl.col("_kind") == k for k in range(len(first))})

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
                cells = self._picked(chosen) * counts[:, None]
                rest = known + (cells.sum(axis=0) - cells[kind])
                values = sign * self._measure.formula(rest + self._kinds[kind] * counts[kind])
                values = np.where(np.isfinite(values), values, -np.inf)
                if values.max() > value + 1e-12:
                    value, chosen[kind] = float(values.max()), int(values.argmax())
            if chosen == before:
                break
        return value, chosen

    def _picked(self, chosen: list[int]) -> Floats:
        """The cells of each kind under the gender chosen for it."""
        return np.asarray(self._kinds[np.arange(len(chosen)), chosen])

    def decided(self, known: Statistics, chosen: list[int], n: int) -> Statistics:
        """The statistics of the part with every unknown rendering of a kind given the gender chosen for it."""
        added = self._counts.cells @ self._picked(chosen)
        codes, index = np.unique(np.concatenate([known.codes, self._counts.codes]), axis=0, return_inverse=True)
        cells = np.zeros((len(codes), added.shape[1]))
        np.add.at(cells, index.reshape(-1), np.concatenate([known.cells, added]))
        return Statistics(codes, cells, known.names, n, n)
