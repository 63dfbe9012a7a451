"""What a pilot run says about a comparison to come: share, correlation within clusters, correlation of two systems.

The correlations are analysis-of-variance estimates (Donner 1986, International Statistical Review 54): mean squares,
and for two runs mean products, between and within the clusters of the first axis. Their intervals come from the
jackknife over clusters on Fisher's scale, with Student's t.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import LEVEL, tails
from evenhand.measures.definitions.counts import encode, is_gender
from evenhand.measures.definitions.gendered import FeminineShare
from evenhand.measures.sampling import Sampler
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.intervals import Interval
from evenhand.statistics.linearised import ENOUGH
from evenhand.statistics.measure import Floats, Job
from evenhand.statistics.quantiles import student_quantile
from evenhand.storage.tables import first_answers

ALONE = "one sentence a cluster: the cluster is the sentence"
SUMS = ("n", "first", "second", "first2", "second2", "product", "n2", "both")


@dataclass(frozen=True)
class Pilot:
    """Estimates from one run or two of the same suite, each with its interval.

    `share`: female among female and male, of the first run; `icc`: two sentences of one cluster, the mean of both runs;
    `correlation`: the systems' chances cluster by cluster, None for one run; `sentence`: their answers to one sentence
    beyond that (0 for one run); `counted`: the share of renderings that take a gender, in both runs.
    """

    share: Interval
    icc: Interval
    correlation: Interval | None
    sentence: float
    counted: float
    clusters: int


def pilot_of(
    first: pl.DataFrame, second: pl.DataFrame | None = None, *, clusters: tuple[str, ...] = (), level: float = LEVEL
) -> Pilot:
    """What one or two runs (joined tables of probes and verdicts) say; clusters by the first column named.

    Only sentences that take a gender in both count. A run without any, or with fewer than three clusters, is refused.
    """
    paired = _paired(first, second)
    gendered = paired.filter(pl.col("female").is_not_null() & pl.col("other").is_not_null())
    if not gendered.height:
        raise BadInput("no rendering of this run takes a gender: there is no share to plan with")
    sums = _sums(gendered, first, clusters)
    if len(sums) < ENOUGH:
        raise BadInput(f"a pilot needs at least {ENOUGH} clusters with gendered renderings, this one has {len(sums)}")
    everything = _correlations(sums.sum(axis=0, keepdims=True), np.array([len(sums)]))[0]
    without = _correlations(sums.sum(axis=0) - sums, np.full(len(sums), len(sums) - 1))
    icc, correlation = (
        _jackknifed(everything[number], without[:, number], level=level, clusters=len(sums)) for number in (0, 1)
    )
    if gendered.height == len(sums):
        icc = Interval(1.0, np.nan, np.nan, len(sums), ALONE)
    return Pilot(
        share=_share(first, clusters, level),
        icc=icc,
        correlation=None if second is None else correlation,
        sentence=0.0 if second is None else float(everything[2]),
        counted=gendered.height / paired.height,
        clusters=len(sums),
    )


def _share(table: pl.DataFrame, clusters: tuple[str, ...], level: float) -> Interval:
    measure = FeminineShare()
    coded, axes = encode(first_answers(table), clusters)
    sizes = [coded[axis].n_unique() for axis in axes]
    sampler = Sampler(axes, sizes, clusters, 0, RESAMPLES, level)
    return sampler.estimate(Job(measure, measure.statistics(coded, axes))).interval


def _paired(first: pl.DataFrame, second: pl.DataFrame | None) -> pl.DataFrame:
    """One row a rendering that both have: id, and whether each is female (null where it takes no gender)."""

    def answers(table: pl.DataFrame, name: str) -> pl.DataFrame:
        only = first_answers(table)
        sample = pl.col("sample") if "sample" in only.columns else pl.lit(0)
        female = pl.when(is_gender("female", "male")).then(is_gender("female").cast(pl.Float64)).alias(name)
        return only.select("id", sample.cast(pl.Int64).alias("sample"), female)

    one = answers(first, "female")
    joined = one.join(answers(first if second is None else second, "other"), on=["id", "sample"], maintain_order="left")
    if not joined.height:
        raise BadInput("the two pilot runs have no sentence in common: are they runs of the same suite?")
    return joined


def _sums(gendered: pl.DataFrame, table: pl.DataFrame, clusters: tuple[str, ...]) -> Floats:
    """One row a cluster of the first axis: what the mean squares and products are made of."""
    coded, axes = encode(first_answers(table), clusters[:1])
    owner = coded.select("id", cluster=axes[0]).unique("id")
    counts = (
        gendered.join(owner, on="id")
        .group_by("cluster")
        .agg(
            n=pl.len().cast(pl.Float64),
            first=pl.col("female").sum(),
            second=pl.col("other").sum(),
            both=(pl.col("female") * pl.col("other")).sum(),
        )
        .with_columns(
            first2=pl.col("first") ** 2 / pl.col("n"),
            second2=pl.col("second") ** 2 / pl.col("n"),
            product=pl.col("first") * pl.col("second") / pl.col("n"),
            n2=pl.col("n") ** 2,
        )
    )
    values: Floats = counts.sort("cluster").select(SUMS).to_numpy()
    return values


def _correlations(sums: Floats, clusters: Floats) -> Floats:
    """For each row of sums: icc (mean of both), correlation of the cluster effects, correlation beyond them."""
    n, first, second, first2, second2, product, n2, both = sums.T
    alone = n <= clusters  # one sentence a cluster: the cluster is the sentence, and nothing lies within
    inside = np.where(alone, 1.0, n - clusters)
    size = (n - n2 / n) / (clusters - 1)
    between = [
        (squares - total * other / n) / (clusters - 1)
        for squares, total, other in ((first2, first, first), (second2, second, second), (product, first, second))
    ]
    within = [np.where(alone, 0.0, left) / inside for left in (first - first2, second - second2, both - product)]
    effects = [np.maximum(b - w, 0.0) / size for b, w in zip(between, within, strict=True)]
    with np.errstate(divide="ignore", invalid="ignore"):
        iccs = [np.nan_to_num(e / (e + w)) for e, w in zip(effects[:2], within[:2], strict=True)]
        correlation = np.nan_to_num(effects[2] / np.sqrt(effects[0] * effects[1]), posinf=0.0)
        sentence = np.nan_to_num(within[2] / np.sqrt(within[0] * within[1]), posinf=0.0)
    columns: Floats = np.clip(np.column_stack([(iccs[0] + iccs[1]) / 2, correlation, sentence]), 0.0, 1.0)
    return columns


def _jackknifed(value: float, without: Floats, *, level: float, clusters: int) -> Interval:
    scale = np.arctanh(np.clip(np.append(without, value), 0.0, 0.999))
    spread = np.sqrt((clusters - 1) / clusters * ((scale[:-1] - scale[:-1].mean()) ** 2).sum())
    reach = student_quantile(tails(level)[1], clusters - 1) * spread
    low, high = np.tanh(scale[-1] + np.array([-reach, reach]))
    return Interval(float(value), max(float(low), 0.0), max(float(high), float(value)), clusters, "jackknife, t")
