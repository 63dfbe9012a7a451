"""Repeated answers of a sampling system: how much of the variance is the system's own dice.

Each sentence is asked k times. The variance of a female rendering (among female and male) is split by the analysis of
variance into what lies between sentences and what lies within them, the second being the system's own sampling (Searle,
Casella & McCulloch 1992, Variance Components, chapter 3). Intervals need no more than their clusters for it: the k
answers to a sentence are in its cluster, so that the variance over clusters holds both (validated with k of 1, 3, 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import encode, is_gender
from evenhand.measures.definitions.gendered import FeminineShare
from evenhand.statistics.linearised import ENOUGH, Linearised
from evenhand.statistics.measure import Job
from evenhand.statistics.variation import variation
from evenhand.storage.tables import first_answers


@dataclass(frozen=True)
class Repeated:
    """The variance of female against male, split. `between` and `within` are variances (at least 0).

    `sentences` are those that take a gender in two answers or more, `changing` those of them that take both genders.
    `of_error` is the share of TFG's squared standard error that comes from the sampling, 0 to 1; NaN where fewer than
    three clusters cannot tell.
    """

    samples: int
    between: float
    within: float
    sentences: int
    changing: int
    of_error: float

    @property
    def note(self) -> str:
        """What a reader must know, in one line."""
        head = f"{self.samples} answers a sentence:"
        if not self.sentences:
            return f"{head} no sentence takes a gender twice, so that nothing is known about the system's sampling"
        if not self.changing:
            return f"{head} no sentence takes both genders; asking once would have told as much about gender"
        total = self.between + self.within
        told = (
            f"{head} {self.changing:,} of {self.sentences:,} sentences take both genders; of the variance of female "
            f"against male {self.between / total:.0%} lies between sentences and {self.within / total:.0%} within them "
            "(the system's own sampling)"
        )
        if not np.isfinite(self.of_error):
            return told
        narrower = 1 - np.sqrt(1 - self.of_error)
        return f"{told}; asking still more often could narrow the interval of TFG by {narrower:.0%} at most"


def repeated(table: pl.DataFrame, *, clusters: Sequence[str] = ()) -> Repeated | None:
    """The split of a run (probes joined with verdicts, column sample); None where every sentence was asked once."""
    answers = first_answers(table)
    if "sample" not in answers.columns or answers["sample"].n_unique() < 2:
        return None
    by_sentence = (
        answers.filter(is_gender("female", "male"))
        .group_by("id")
        .agg(n=pl.len().cast(pl.Float64), female=is_gender("female").sum().cast(pl.Float64))
    )
    n, female = by_sentence["n"].to_numpy(), by_sentence["female"].to_numpy()
    twice = n > 1
    changing = int(((female > 0) & (female < n)).sum())
    total, sentences = float(n.sum()), len(n)
    if not twice.any():
        return Repeated(answers["sample"].n_unique(), 0.0, 0.0, 0, 0, float("nan"))
    within = float((female * (1 - female / n)).sum() / (total - sentences))
    between = 0.0
    if sentences > 1:
        mean = float(female.sum() / total)
        square = float((n * (female / n - mean) ** 2).sum() / (sentences - 1))
        size = float((total - (n**2).sum() / total) / (sentences - 1))
        between = max(square - within, 0.0) / size
    return Repeated(
        samples=answers["sample"].n_unique(),
        between=between,
        within=within,
        sentences=int(twice.sum()),
        changing=changing,
        of_error=_of_error(answers, clusters, within / total),
    )


def _of_error(answers: pl.DataFrame, clusters: Sequence[str], sampling: float) -> float:
    """The share of TFG's squared standard error over clusters that this variance makes up."""
    measure = FeminineShare()
    coded, axes = encode(answers, clusters)
    linearised = Linearised.of(Job(measure, measure.statistics(coded, axes)))
    if len(linearised.clusters(0)) < ENOUGH:
        return float("nan")
    whole = variation(linearised).variance
    return float(np.clip(sampling / whole, 0.0, 1.0)) if whole > 0 else float("nan")
