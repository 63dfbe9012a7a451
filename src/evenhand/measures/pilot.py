"""What a pilot run says about a comparison to come: share, correlation within clusters, correlation of two systems.

The correlations are analysis-of-variance estimates (Donner 1986, International Statistical Review 54): mean squares,
and for two runs mean products, between and within the clusters of the first axis. Their intervals come from the
jackknife over clusters on Fisher's scale, with Student's t.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import LEVEL, tails
from evenhand.measures.definitions.counts import encode, is_gender
from evenhand.measures.definitions.gendered import TFG
from evenhand.measures.sampling import Sampler
from evenhand.statistics.intervals import Interval, none, student_quantile
from evenhand.statistics.measure import Floats
from evenhand.statistics.variation import ENOUGH, variation
from evenhand.storage.tables import first_answers

ALONE = "one sentence per cluster: the cluster is the sentence"


@dataclass(frozen=True)
class Pilot:
    """Estimates from one run or two of the same suite, each with its interval. `share`: female among female and male,
    of the first run; `icc`: two sentences of one cluster, the mean of both runs; `correlation`: the systems' chances
    cluster by cluster, None for one run; `sentence`: their answers to one sentence beyond that (0 for one run);
    `counted`: the share of renderings that take a gender, in both runs."""

    share: Interval
    icc: Interval
    correlation: Interval | None
    sentence: float
    counted: float
    clusters: int


def pilot_of(
    first: pl.DataFrame, second: pl.DataFrame | None = None, *, clusters: tuple[str, ...] = (), level: float = LEVEL
) -> Pilot:
    """What one or two runs (joined tables of probes and verdicts) say; clusters by the first column named. Only
    sentences that take a gender in both count. A run without any, or with fewer than three clusters, is refused."""
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
        icc = none(1.0, ALONE, len(sums))
    coded, sampler = Sampler.over(first, clusters, level=level)
    share, counted = sampler.measured(TFG, coded).interval, gendered.height / paired.height
    if second is None:
        return Pilot(share, icc, None, 0.0, counted, len(sums))
    return Pilot(share, icc, correlation, float(everything[2]), counted, len(sums))


def _paired(first: pl.DataFrame, second: pl.DataFrame | None) -> pl.DataFrame:
    """One row per rendering that both have: id, and whether each is female (null where it takes no gender)."""

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
    """One row per cluster of the first axis: what the mean squares and products are made of (see `_correlations`)."""
    coded, axes = encode(first_answers(table), clusters[:1])
    owner = coded.select("id", cluster=axes[0]).unique("id")
    both = (pl.col("female") * pl.col("other")).sum().alias("both")
    by_cluster = gendered.join(owner, on="id").group_by("cluster").agg(pl.len(), pl.col("female", "other").sum(), both)
    n, first, second, agreeing = by_cluster.sort("cluster").drop("cluster").cast(pl.Float64).to_numpy().T
    products = (first**2 / n, second**2 / n, first * second / n)
    return np.column_stack([n, first, second, *products, n**2, agreeing])


def _correlations(sums: Floats, clusters: Floats) -> Floats:
    """For each row of sums: icc (mean of both), correlation of the cluster effects, correlation beyond them."""
    n, first, second, first2, second2, product, n2, both = sums.T
    alone = n <= clusters  # one sentence per cluster: nothing lies within
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
    return np.asarray(np.clip(np.column_stack([(iccs[0] + iccs[1]) / 2, correlation, sentence]), 0.0, 1.0))


def _jackknifed(value: float, without: Floats, *, level: float, clusters: int) -> Interval:
    scale = np.arctanh(np.clip(np.append(without, value), 0.0, 0.999))
    spread = np.sqrt((clusters - 1) / clusters * ((scale[:-1] - scale[:-1].mean()) ** 2).sum())
    reach = student_quantile(tails(level)[1], clusters - 1) * spread
    low, high = np.tanh(scale[-1] + np.array([-reach, reach]))
    return Interval(float(value), max(float(low), 0.0), max(float(high), float(value)), clusters, "jackknife, t")


# Repeated answers of a sampling system: how much of the variance is its sampling. The variance of female against
# male is split by analysis of variance into variance between and within sentences (Searle, Casella & McCulloch 1992,
# Variance Components, chapter 3). All answers to a sentence are in one cluster, so that intervals allow for both.


@dataclass(frozen=True)
class Repeated:
    """The variance of female against male, split. `between` and `within` are variances (at least 0). `sentences` are
    those that take a gender in two answers or more, `changing` those of them that take both genders. `of_error` is the
    share of TFG's squared standard error that comes from the sampling, 0 to 1; NaN where fewer than three clusters
    cannot tell."""

    samples: int
    between: float
    within: float
    sentences: int
    changing: int
    of_error: float

    @property
    def note(self) -> str:
        """What a reader must know, in one line."""
        head = f"{self.samples} answers per sentence:"
        if not self.sentences:
            return f"{head} no sentence takes a gender twice, so the system's sampling cannot be estimated"
        if not self.changing:
            return f"{head} no sentence takes both genders; one sample per sentence would give the same shares"
        total = self.between + self.within
        split = (
            f"{head} {self.changing:,} of {self.sentences:,} sentences take both genders; of the variance of female "
            f"against male {self.between / total:.0%} is between sentences and {self.within / total:.0%} within them "
            "(the system's own sampling)"
        )
        if not np.isfinite(self.of_error):
            return split
        narrower = 1 - np.sqrt(1 - self.of_error)
        return f"{split}; asking still more often could narrow the interval of TFG by {narrower:.0%} at most"


def repeated(table: pl.DataFrame, *, clusters: Sequence[str] = ()) -> Repeated | None:
    """The split of a run (probes joined with verdicts, column sample); None where every sentence was asked once."""
    answers = first_answers(table)
    if "sample" not in answers.columns or answers["sample"].n_unique() < 2:
        return None
    by_sentence = answers.filter(is_gender("female", "male")).group_by("id")
    counted = by_sentence.agg(pl.len().alias("n"), is_gender("female").sum().alias("female"))
    n, female = counted.select("n", "female").cast(pl.Float64).to_numpy().T
    samples, twice = answers["sample"].n_unique(), int((n > 1).sum())
    if not twice:
        return Repeated(samples, 0.0, 0.0, 0, 0, np.nan)
    changing, total, sentences = int(((female > 0) & (female < n)).sum()), float(n.sum()), len(n)
    within = float((female * (1 - female / n)).sum() / (total - sentences))
    between = 0.0
    if sentences > 1:
        mean = float(female.sum() / total)
        square = float((n * (female / n - mean) ** 2).sum() / (sentences - 1))
        size = float((total - (n**2).sum() / total) / (sentences - 1))
        between = max(square - within, 0.0) / size
    # the share of TFG's squared standard error over clusters that the sampling makes up
    coded, sampler = Sampler.over(answers, clusters)
    linearised = sampler.measured(TFG, coded).linearised
    whole = variation(linearised).variance if linearised is not None else 0.0
    of_error = float(np.clip(within / total / whole, 0.0, 1.0)) if whole > 0 else np.nan
    return Repeated(samples, between, within, twice, changing, of_error)
