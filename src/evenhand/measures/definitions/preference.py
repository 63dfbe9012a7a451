"""What a scorer prefers of two renderings: of models by log-probability, of metrics by score.

Every measure looks at pairs with `score_feminine` and `score_masculine` (higher is better). ratio_mean, diff_mean,
error_rate_fem, error_rate_male, error_rate_ratio, error_rate_total and ties have the names and definitions of the
tables that DeepSPIN published for quality metrics (2025); contrastive_accuracy is that of Sennrich 2017.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from evenhand.level import tails
from evenhand.measures.definitions.counts import (
    GENDER,
    Counted,
    Proportion,
    Rate,
    by_gender,
    count_by_cluster,
    is_gender,
    ratio,
    right_or_wrong,
)
from evenhand.measures.definitions.gendered import GOLD, PAIR
from evenhand.statistics.intervals import Interval, student_quantile
from evenhand.statistics.measure import Better, Floats, Measure, Statistics
from evenhand.statistics.variation import ENOUGH

SCORES = ("score_feminine", "score_masculine")
F, M = pl.col(SCORES[0]), pl.col(SCORES[1])
LOG_ODDS = F - M
P_FEMININE = 1 / (1 + (-LOG_ODDS).exp())
WOMEN, MEN, STATED = GOLD == "female", GOLD == "male", GOLD.is_in(list(PAIR))
RIGHT = (WOMEN & (F > M)) | (MEN & (M > F))  # of two halves with the same score none is
OUTPUT = pl.col("output")
ANYTHING, NOT_NEGATIVE = (-math.inf, math.inf), (0.0, math.inf)
BINS = 64


def _pairs(name: str, cells: Mapping[str, pl.Expr], better: Better, neutral: float, *needs: str) -> Proportion:
    return Proportion(name, cells, better, neutral, needs=(*needs, *SCORES), unit="pairs")


def _errors(name: str, about: pl.Expr) -> Proportion:
    """Sources with a stated gender whose half of the other gender scores at least as high."""
    return _pairs(name, {"wrong": about & ~RIGHT, "right": about & RIGHT}, "lower", 0.0, "gold")


class PairMean(Measure):
    """The mean of a value over pairs; pairs without one are left out."""

    additive = True
    unit = "pairs"

    def __init__(
        self, name: str, value: pl.Expr, better: Better, neutral: float, bounds: tuple[float, float], *needs: str
    ) -> None:
        self.name, self.better, self.neutral, self.bounds, self.needs = name, better, neutral, bounds, (*SCORES, *needs)
        self._value = value

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        return count_by_cluster(table, clusters, {"sum": self._value, "pairs": self._value.is_not_null()})

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        sums = statistics.totals(weights)
        return ratio(sums[..., 0], sums[..., 1])


class RatioMean(PairMean):
    """Mean ratio of scores, feminine over masculine: 1 where the metric treats both alike. Where sources state a
    gender, each half's score under the source that asks for it, over pairs of sources (column `pair`); otherwise both
    halves under one source. Pairs whose masculine score is not above 0 are left out."""

    def __init__(self) -> None:
        super().__init__("ratio_mean", pl.when(M > 0).then(F / M), "nearer", 1.0, NOT_NEGATIVE)

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        if {"gold", "pair"} <= set(table.columns) and table["pair"].count():
            firsts = [pl.col(c).first() for c in (*clusters, "gender", "valid") if c in table.columns]
            scores = (F.filter(WOMEN).first().alias(SCORES[0]), M.filter(MEN).first().alias(SCORES[1]))
            table = table.group_by("pair", maintain_order=True).agg(*firsts, *scores)
        return super().statistics(table, clusters)


class ErrorRateRatio(Counted):
    """error_rate_fem over error_rate_male: 1 where the scorer errs as often about women as about men; NaN where it
    never errs about men."""

    name, unit, spans = "error_rate_ratio", "pairs", "gold"
    better: Better = "nearer"
    neutral = 1.0
    bounds = NOT_NEGATIVE
    needs = ("gold", *SCORES)

    def cells(self) -> dict[str, pl.Expr]:
        sides = {"wrong": ~RIGHT, "right": RIGHT}
        genders = {"female": WOMEN, "male": MEN}
        return {f"{side}_{name}": about & met for name, about in genders.items() for side, met in sides.items()}

    def formula(self, totals: Floats) -> Floats:
        wrong_f, right_f, wrong_m, right_m = np.moveaxis(totals, -1, 0)
        return ratio(ratio(wrong_f, wrong_f + right_f), ratio(wrong_m, wrong_m + right_m))


class Auc(Rate):
    """Chance that a pair with a feminine output has higher log-odds than one with a masculine output: 0.5 where the
    preference says nothing about the output, 1 where it decides it. Log-odds are counted in 64 bins of equal size.
    Source: the area under the curve of Hanley & McNeil 1982."""

    name, unit, spans = "AUC", "pairs", "output"
    needs = ("output", *SCORES)
    edges: tuple[float, ...] = ()

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> Self:
        values = table.select(LOG_ODDS.alias("v"))["v"].drop_nulls().to_numpy()
        bound = type(self)()
        bound.edges = tuple(np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1]))) if len(values) else ()
        return bound

    def cells(self) -> dict[str, pl.Expr]:
        return self._bins

    @cached_property  # asked for once per group
    def _bins(self) -> dict[str, pl.Expr]:
        bins = list(zip((-math.inf, *self.edges), (*self.edges, math.inf), strict=True))
        return {
            f"{gender}_{n}": OUTPUT.eq(gender) & LOG_ODDS.is_between(low, high, closed="right")
            for gender in PAIR
            for n, (low, high) in enumerate(bins)
        }

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        counted = super().statistics(table, clusters)
        # as counts of 128 cells, most of them empty, it would have too wide an interval: multiplied they are none
        return replace(counted, cells=counted.cells * (counted.n + 1))

    def formula(self, totals: Floats) -> Floats:
        female, male = np.split(totals, 2, axis=-1)
        below = np.cumsum(male, axis=-1) - male / 2
        return ratio((female * below).sum(axis=-1), female.sum(axis=-1) * male.sum(axis=-1))


class Line(Measure):
    """A line through the means of the first clusters (occupations): the slope of y on x, or with `r` the correlation.
    Clusters count alike. Undefined where x (for r, y too) does not vary."""

    whole = True
    unit = "pairs"
    better: Better = "none"
    neutral = math.nan

    def __init__(self, name: str, x: pl.Expr, y: pl.Expr, needs: Sequence[str], *, r: bool = False) -> None:
        self.name, self.needs = name, (*SCORES, *needs)
        self.bounds = (-1.0, 1.0) if r else ANYTHING
        self._x, self._y, self._r = x, y, r

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        kept = table.filter(self._x.is_not_null() & self._y.is_not_null())
        counted = count_by_cluster(kept, clusters[:1], {"n": self._x.is_not_null(), "x": self._x, "y": self._y})
        n, x, y = np.moveaxis(counted.cells, -1, 0)
        x, y = x / n, y / n
        cells = np.stack([np.ones(len(n)), x, y, x * y, x * x, y * y], axis=-1)
        names = ("1", "x", "y", "xy", "xx", "yy")
        return Statistics(counted.codes, cells, names, table.height, kept.height, counted.valid)

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        n, x, y, xy, xx, yy = np.moveaxis(statistics.totals(weights), -1, 0)
        together, across, along = n * xy - x * y, n * xx - x * x, n * yy - y * y
        if not self._r:
            return np.where(across > 1e-12, together / np.maximum(across, 1e-12), np.nan)
        spread = np.sqrt(np.maximum(across * along, 0.0))
        return np.where(spread > 1e-12, np.clip(together / np.maximum(spread, 1e-12), -1, 1), np.nan)

    def interval(self, statistics: Statistics, level: float) -> Interval | None:
        """Of r: Fisher's z with the jackknife over clusters; of a slope the usual one."""
        rows = len(statistics.codes)
        if not self._r or rows <= ENOUGH:
            return None
        value = float(self.value(statistics, np.ones((1, rows)))[0])
        without = np.arctanh(np.clip(self.value(statistics, 1.0 - np.eye(rows)), -0.999999, 0.999999))
        error = math.sqrt((rows - 1) / rows * float(((without - without.mean()) ** 2).sum()))
        middle = math.atanh(max(-0.999999, min(0.999999, value)))
        reach = student_quantile(tails(level)[1], rows - 2) * error
        method = f"Fisher's z over {rows} clusters (jackknife)"
        return Interval(value, math.tanh(middle - reach), math.tanh(middle + reach), rows, method)


def reference_slope(share: str, *, metric: bool) -> Line:
    """What P(feminine) (of a metric: its score difference) gains from an occupation without women to one without
    men."""
    return Line("reference_slope", pl.col(share), LOG_ODDS if metric else P_FEMININE, (share,))


DECIDED_OUTPUT = OUTPUT.is_in(list(PAIR))
OUTPUT_FEMALE = pl.when(DECIDED_OUTPUT).then((OUTPUT == "female").cast(pl.Float64))
SAME = right_or_wrong(is_gender(*PAIR) & DECIDED_OUTPUT, GENDER == OUTPUT, ("same", "other"))
MEASURES: tuple[Measure, ...] = (
    # pairs in which the feminine half scores higher; ties are left out
    _pairs("prefers_feminine", by_gender(*PAIR), "nearer", 0.5, "gender"),
    # the probability of the feminine half among the two, and its logarithm of odds
    PairMean("P_feminine", P_FEMININE, "nearer", 0.5, (0.0, 1.0)),
    PairMean("log_odds", LOG_ODDS, "nearer", 0.0, ANYTHING),
    # pairs whose source states a gender in which the half with that gender scores higher; ties are wrong
    _pairs("contrastive_accuracy", right_or_wrong(STATED, RIGHT), "higher", 1.0, "gender", "gold"),
    RatioMean(),
    # the score of the feminine half minus that of the masculine one
    PairMean("diff_mean", LOG_ODDS, "nearer", 0.0, ANYTHING),
    # what a wrong gender costs: the score of the half with the gender the source states minus that of the other
    PairMean("penalty", pl.when(WOMEN).then(F - M).when(MEN).then(M - F), "higher", 0.0, ANYTHING, "gold"),
    _errors("error_rate_fem", WOMEN),
    _errors("error_rate_male", MEN),
    ErrorRateRatio(),
    _errors("error_rate_total", STATED),
    _pairs("ties", {"ties": F == M, "other": F != M}, "lower", 0.0),
    # pairs whose preferred half has the gender of the system's own output (column `output`), where both are decided
    _pairs("agreement", SAME, "higher", 1.0, "gender", "output"),
    Auc(),
    # over occupations: mean P(feminine) with the share of feminine among decided outputs
    Line("output_correlation", OUTPUT_FEMALE, P_FEMININE, ("output",), r=True),
)
