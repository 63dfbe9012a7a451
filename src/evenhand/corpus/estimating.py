"""Estimates over parallel text: shares of the genders with intervals over clusters, all, by file, sector and word.

The intervals are those of every run (measures/sampling.py): persons of one document or block are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.corpus.steps import OPEN
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
        """Estimates of one part (one row a cluster, a column a gender), raw and, with a calibration, corrected."""
        n, decided = (int(counts.select(pl.col(some).sum()).sum_horizontal()[0]) for some in (GENDERS, DECIDED))
        variants = ("raw", "corrected") if self.calibration is not None else ("raw",)
        return [
            {"measure": measure.name, "group": group, "level": level, "variant": variant}
            | columns(self.interval(counts, measure, corrected=variant == "corrected"))
            | {"n": n, "n_decided": decided, "n_clusters": counts.height}
            for measure in measures
            for variant in variants
        ]

    def interval(self, counts: pl.DataFrame, measure: Counted, *, corrected: bool = False) -> Interval:
        """The value of a measure on counts by cluster, with its interval."""
        cells, sampled, drawn = counts.select(list(measure.cells())).to_numpy().astype(np.float64), measure, None
        if corrected and self.calibration is not None:
            sampled = _mended(measure, self.calibration)
            decided = counts.select(DECIDED).to_numpy().astype(np.float64)
            cells = np.hstack([decided, np.zeros((len(decided), len(measure.cells())))])
            drawn = self.calibration.drawn_matrices(None, seed=self.seed, count=self.resamples)
        sampler = Sampler(("cluster",), [len(cells)], (CLUSTER,), self.seed, self.resamples, self.level, drawn)
        codes = np.arange(len(cells), dtype=np.int64).reshape(-1, 1)
        statistics = Statistics(codes, cells, tuple(measure.cells()), int(cells.sum()), int(cells.sum()))
        return sampler.estimate(Job(sampled, statistics)).interval


def _mended(measure: Counted, calibration: Calibration) -> Corrected:
    """The measure on counts of the decided genders, corrected by the matrix of all labels."""
    patterns: Floats = np.array([[[float(gender == cell) for cell in measure.cells()] for gender in DECIDED]])
    return Corrected(measure, calibration.matrices(), patterns, np.zeros(1, dtype=np.int64))


def overall(clusters: pl.DataFrame, files: Sequence[str], estimator: Estimator) -> list[Row]:
    """All persons, then by what the source says, then open ones by file (where there is more than one)."""
    genders = pl.col(GENDERS).sum()
    rows = estimator.rows(clusters.group_by("cluster", maintain_order=True).agg(genders), ALL, "")
    for says in ("open", "female", "male", "unclear"):
        part = clusters.filter(pl.col("says") == says)
        if part.height:
            rows += estimator.rows(part, "source", says)
    for number, name in enumerate(files) if len(files) > 1 else ():
        part = clusters.filter((pl.col("file") == number) & (pl.col("says") == OPEN))
        if part.height:
            rows += estimator.rows(part, "file", name)
    return rows


def by_word(words: pl.DataFrame, estimator: Estimator) -> list[Row]:
    """The share of women among the gendered, for every concept that has some, the most frequent first."""
    rows: list[Row] = []
    parts = words.partition_by("concept", as_dict=True, maintain_order=True)
    often = {key: int(part["female"].sum()) + int(part["male"].sum()) for key, part in parts.items()}
    for key in sorted((key for key in parts if often[key]), key=lambda key: (-often[key], key)):
        rows += estimator.rows(parts[key], "concept", str(key[0]), (WOMEN,))
    return rows


def by_sector(words: pl.DataFrame, facts: pl.DataFrame, estimator: Estimator) -> list[Row]:
    """The same by sector of the occupations lexicon."""
    placed = words.join(facts.drop_nulls("sector"), on="concept")
    rows: list[Row] = []
    for (sector,), part in sorted(placed.partition_by("sector", as_dict=True).items()):
        merged = part.group_by("cluster", maintain_order=True).agg(pl.col(GENDERS).sum())
        rows += estimator.rows(merged, "sector", str(sector), (WOMEN,))
    return rows
