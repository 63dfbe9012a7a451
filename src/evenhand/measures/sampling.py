"""Resampling all measures of a table together: the same clusters drawn for every measure, part and system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.corrected import sample_corrected
from evenhand.measures.counts import encode
from evenhand.statistics.bootstrap import Job, resample
from evenhand.statistics.cluster_intervals import Interval, Regions, Sampled, interval, interval_of_difference
from evenhand.statistics.measure import Floats
from evenhand.tables import first_answers


def prepare(table: pl.DataFrame, clusters: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...], list[int]]:
    """First answers only, with cluster numbers: the table, its code columns, the number of clusters on each axis."""
    table = first_answers(table)
    if not table.height:
        raise BadInput("there is nothing to measure: the table of verdicts has no rows")
    coded, axes = encode(table, clusters)
    return coded, axes, [coded[a].n_unique() for a in axes]


@dataclass(frozen=True)
class Sampler:
    """How jobs are resampled: the code columns, their sizes and names, and the confusion matrices of a calibration."""

    axes: tuple[str, ...]
    sizes: list[int]
    clusters: tuple[str, ...]
    seed: int
    resamples: int
    level: float
    confusions: Floats | None = None

    @property
    def over(self) -> list[str]:
        """What each interval is over: the first cluster column, then (where several cross) all of them."""
        names = self.clusters or ("probe",)
        count = f"({self.resamples:,} resamples)" + (" and calibration sample" if self.confusions is not None else "")
        return [f"{names[0]} {count}"] + ([f"{' x '.join(names)} {count}"] if len(names) > 1 else [])

    def sample(self, jobs: Sequence[Job]) -> list[list[Sampled]]:
        """For each job its resamples and interval over the first axis and, where clusters cross, over all axes."""
        by_job: list[list[Sampled]] = [[] for _ in jobs]
        regions: Regions = {}
        for over, axes in zip(self.over, ((0,), tuple(range(len(self.sizes)))), strict=False):
            if self.confusions is None:
                drawn = resample(jobs, self.sizes, seed=self.seed, resamples=self.resamples, axes=axes)
                intervals = [
                    interval(job, values, axes, self.sizes, over=over, level=self.level, known=regions)
                    for job, values in zip(jobs, drawn, strict=True)
                ]
                sampled = [Sampled(*one, axes) for one in zip(jobs, drawn, intervals, strict=True)]
            else:
                sampled = sample_corrected(
                    jobs, self.sizes, self.confusions, seed=self.seed, axes=axes, over=over, level=self.level
                )
            for into, one in zip(by_job, sampled, strict=True):
                into.append(one)
        return by_job

    def differences(self, first: Sequence[Sampled], second: Sequence[Sampled]) -> list[tuple[Interval, float]]:
        """First minus second with the p of no difference, over the first axis and, where clusters cross, over all."""
        return [
            interval_of_difference(a, b, self.sizes, over=over, level=self.level)
            for a, b, over in zip(first, second, self.over, strict=True)
        ]
