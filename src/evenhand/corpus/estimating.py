"""Estimates over parallel text: shares of the genders with intervals over clusters, all, by file, sector and word.

The intervals are those of every run (measures/sampling.py): persons of one document or block are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.corpus.collect import TIMES
from evenhand.corpus.steps import SAYS
from evenhand.gender import DECIDED, GENDERS, Gender
from evenhand.measures.calibration import Calibration
from evenhand.measures.corrected import Corrected
from evenhand.measures.counts import Counted
from evenhand.measures.gendered import FeminineShare
from evenhand.measures.rows import Row, columns
from evenhand.measures.sampling import Sampler
from evenhand.measures.shares import Share
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.tables import ALL

WOMEN = FeminineShare()
WOMEN_AND_MEN = tuple(WOMEN.cells())
MEASURES: tuple[Counted, ...] = (WOMEN, *(Share(Gender(gender)) for gender in DECIDED))
CLUSTER = "document or block of lines"


@dataclass(frozen=True)
class Estimator:
    """How counts become estimates: the seed, the level and, where there is one, the detector's error rates."""

    seed: int
    level: float
    calibration: Calibration | None = None
    resamples: int = RESAMPLES

    def rows(self, counts: pl.DataFrame, group: str, level: str, measures: Sequence[Counted] = MEASURES) -> list[Row]:
        """Estimates of one part (a column a gender, `times` clusters a row), raw and, with a calibration, corrected."""
        n, decided = (_persons(counts, some) for some in (GENDERS, DECIDED))
        variants = ("raw", "corrected") if self.calibration is not None else ("raw",)
        return [
            {"measure": measure.name, "group": group, "level": level, "variant": variant}
            | columns(self.interval(counts, measure, corrected=variant == "corrected"))
            | {"n": n, "n_decided": decided, "n_clusters": int(counts[TIMES].sum())}
            for measure in measures
            for variant in variants
        ]

    def interval(self, counts: pl.DataFrame, measure: Counted, *, corrected: bool = False) -> Interval:
        """The value of a measure on counts by cluster, with its interval."""
        names, sampled, drawn = tuple(measure.cells()), measure, None
        cells, times = _alike(counts, names)
        if corrected and self.calibration is not None:
            sampled = _mended(measure, self.calibration)
            decided, times = _alike(counts, DECIDED)
            cells = np.hstack([decided, np.zeros((len(decided), len(names)))])
            drawn = self.calibration.drawn_matrices(None, seed=self.seed, count=self.resamples)
        sampler = Sampler(("cluster",), [int(times.sum())], (CLUSTER,), self.seed, self.resamples, self.level, drawn)
        codes = np.arange(len(cells), dtype=np.int64).reshape(-1, 1)
        n = int((times @ cells).sum())
        return sampler.estimate(Job(sampled, Statistics(codes, cells, names, n, n, times=times))).interval


def _persons(counts: pl.DataFrame, genders: Sequence[str]) -> int:
    return int(counts.select((pl.sum_horizontal(genders) * pl.col(TIMES)).sum()).item())


def _alike(counts: pl.DataFrame, cells: Sequence[str]) -> tuple[Floats, Floats]:
    """The distinct numbers of these cells in an order of their own, and how many clusters have them."""
    merged = counts.group_by(cells).agg(pl.col(TIMES).sum()).sort(cells)
    return merged.select(cells).to_numpy().astype(np.float64), merged[TIMES].to_numpy().astype(np.float64)


def _mended(measure: Counted, calibration: Calibration) -> Corrected:
    """The measure on counts of the decided genders, corrected by the matrix of all labels."""
    patterns: Floats = np.array([[[float(gender == cell) for cell in measure.cells()] for gender in DECIDED]])
    return Corrected(measure, calibration.matrices(), patterns, np.zeros(1, dtype=np.int64))


def overall(clusters: Mapping[str, pl.DataFrame], files: Sequence[str], estimator: Estimator) -> list[Row]:
    """All persons, then by what the source says, then open ones by file (where there is more than one)."""
    rows = estimator.rows(clusters[ALL], ALL, "")
    for says in SAYS:
        part = clusters["source"].filter(level=says)
        if part.height:
            rows += estimator.rows(part, "source", says)
    for number, name in enumerate(files) if len(files) > 1 else ():
        part = clusters["file"].filter(level=number)
        if part.height:
            rows += estimator.rows(part, "file", name)
    return rows


def by_word(clusters: Mapping[str, pl.DataFrame], estimator: Estimator) -> list[Row]:
    """The share of women among the gendered, for every concept that has some, the most frequent first."""
    rows: list[Row] = []
    parts = clusters["concept"].partition_by("level", as_dict=True, maintain_order=True)
    often = {key: _persons(part, WOMEN_AND_MEN) for key, part in parts.items()}
    for key in sorted((key for key in parts if often[key]), key=lambda key: (-often[key], key)):
        rows += estimator.rows(parts[key], "concept", str(key[0]), (WOMEN,))
    return rows


def by_sector(clusters: Mapping[str, pl.DataFrame], estimator: Estimator) -> list[Row]:
    """The same by sector of the occupations lexicon."""
    rows: list[Row] = []
    for (sector,), part in clusters["sector"].partition_by("level", as_dict=True, maintain_order=True).items():
        rows += estimator.rows(part, "sector", str(sector), (WOMEN,))
    return rows
