"""How far a translator is from an optimal one that knows the share of women in each occupation (Farkas & Nemeth 2022).

For an occupation with share of women p, rendered female with share q among its she and he renderings:

    E_t = q (1 - p) + (1 - q) p      the translator's error: the share of people its pronoun does not mean
    E_o = min(p, 1 - p)              the error of the optimal deterministic translator (majority gender)
    B   = (E_t - E_o) / E_o          0 when it picks the majority, or at a tie

E_o = 0 leaves B undefined: such occupations are counted and left out, never infinity or zero. The optimal probabilistic
translator errs 2 p (1 - p). A neutral rendering excludes nobody: it is counted apart and never as she or he.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.gender import GENDERS
from evenhand.measures.counts import is_gender, ratio
from evenhand.statistics.measure import Better, Floats, Measure, Statistics

SHARE, EMPLOYED = "share_women", "employed"
TIE = 1e-12


def by_occupation(table: pl.DataFrame, occupation: str = "concept") -> pl.DataFrame:
    """One row an occupation: n, female, male, neutral, share_women, employed, rendered_female, E_o, E_t, B, dominance.

    `table` has one row a rendering with `gender`, the occupation and its `share_women` (null where the reference has
    none: those rows keep null errors). dominance is female, male or tie; wrong says that the majority's pronoun was
    not the one used (null without a share, at a tie, or without a she or he).
    """
    carried = [c for c in ("english", "isco08", "sector", EMPLOYED) if c in table.columns]
    counted = table.group_by(occupation, maintain_order=True).agg(
        pl.len().alias("n"),
        *[is_gender(g).sum().alias(g) for g in GENDERS],
        pl.col(SHARE).first(),
        *[pl.col(c).first() for c in carried],
    )
    p, q = pl.col(SHARE), pl.col("rendered_female")
    gendered = pl.col("female") + pl.col("male")
    counted = counted.with_columns(
        rendered_female=pl.when(gendered > 0).then(pl.col("female") / gendered),
        E_o=pl.min_horizontal(p, 1 - p),
        E_o_probabilistic=2 * p * (1 - p),
        dominance=pl.when((p - 0.5).abs() <= TIE)
        .then(pl.lit("tie"))
        .when(p > 0.5)
        .then(pl.lit("female"))
        .when(p < 0.5)
        .then(pl.lit("male")),
    ).with_columns(E_t=q * (1 - p) + (1 - q) * p)
    bias = (pl.col("E_t") - pl.col("E_o")) / pl.col("E_o")
    tie = pl.col("dominance") == "tie"
    return counted.with_columns(
        B=pl.when(q.is_null()).then(None).when(tie).then(0.0).when(pl.col("E_o") > 0).then(bias.clip(0.0, None)),
        wrong=pl.when(tie | q.is_null())
        .then(None)
        .when(pl.col("dominance") == "female")
        .then(1 - q)
        .when(pl.col("dominance") == "male")
        .then(q),
    )


@dataclass(frozen=True)
class Kind:
    """One aggregate over occupations: which are in it, what is averaged, with which weights."""

    name: str
    column: str
    dominance: str | None = None
    weight: str | None = None  # women or men of the occupation
    median: bool = False  # the median of the biased occupations (B > 0), as the study reports it
    bounds: tuple[float, float] = (0.0, float("inf"))


KINDS = (
    Kind("B_mean", "B"),
    Kind("B_median_biased", "B", median=True),
    Kind("B_female_dominated", "B", dominance="female", weight="women"),
    Kind("B_male_dominated", "B", dominance="male", weight="men"),
    Kind("wrong_female_dominated", "wrong", dominance="female", bounds=(0.0, 1.0)),
    Kind("wrong_male_dominated", "wrong", dominance="male", bounds=(0.0, 1.0)),
    Kind("error", "E_t", bounds=(0.0, 1.0)),
    Kind("error_optimal", "E_o", bounds=(0.0, 0.5)),
    Kind("error_optimal_probabilistic", "E_o_probabilistic", bounds=(0.0, 0.5)),
)


class OptimalBias(Measure):
    """An aggregate of B, of wrong pronouns or of errors over occupations, against one reference.

    B is 0 or more, lower is better, 0 is the optimal deterministic translator. Means are over occupations; the two
    dominated ones are weighted by the women of female-dominated and the men of male-dominated occupations (by
    occupation where the reference has no numbers of people), and are never mixed. Occupations without a share, without
    a she or he, or with E_o = 0 are left out. Source: Farkas & Nemeth 2022, "Measuring Gender Bias".
    """

    better: Better = "lower"
    neutral = 0.0
    needs = ("gender", SHARE)
    resampled_only = True  # averages of occupations, not counts of renderings: Wilson's interval has no meaning here

    def __init__(self, kind: Kind, occupation: str = "concept") -> None:
        self.name = kind.name
        self.bounds = kind.bounds
        self._kind = kind
        self._occupation = occupation

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        """One row a cluster: value and weight; occupations that are left out have weight 0."""
        code = clusters[0]
        keyed = table.with_columns(pl.col(code).alias("_code"))
        errors = by_occupation(keyed, self._occupation)
        codes = keyed.group_by(self._occupation, maintain_order=True).agg(pl.col("_code").first())
        joined = errors.join(codes, on=self._occupation, how="left", maintain_order="left")
        value = joined[self._kind.column].cast(pl.Float64)
        used = value.is_not_null() & value.is_finite()
        if self._kind.median:
            used = used & (value > 0)
        if self._kind.dominance is not None:
            used = used & (joined["dominance"] == self._kind.dominance).fill_null(value=False)
        weight = self._weights(joined)
        cells = np.column_stack(
            [value.fill_null(0.0).to_numpy(), np.where(used.to_numpy(), weight, 0.0)],
        )
        decided = int((errors["female"] + errors["male"]).sum())
        return Statistics(
            codes=joined["_code"].to_numpy().astype(np.int64).reshape(-1, 1).repeat(len(clusters), axis=1),
            cells=cells,
            names=("value", "weight"),
            n=table.height,
            decided=decided,
        )

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        values, people = statistics.cells.T
        mass = weights * people
        if not self._kind.median:
            return ratio(mass @ values, mass.sum(axis=1))
        return weighted_median(values, mass)

    def _weights(self, errors: pl.DataFrame) -> Floats:
        if self._kind.weight is None or EMPLOYED not in errors.columns:
            return np.ones(errors.height)
        share = pl.col(SHARE) if self._kind.weight == "women" else 1 - pl.col(SHARE)
        people: Floats = errors.select((pl.col(EMPLOYED) * share).fill_null(0.0)).to_series().to_numpy()
        return people


def weighted_median(values: Floats, weights: Floats) -> Floats:
    """The value at which half of each row's weight is reached (the mean of two where it is reached exactly between).

    NaN for a row without weight.
    """
    if not len(values):
        return np.full(len(weights), np.nan)
    order = np.argsort(values, kind="stable")
    ordered, mass = values[order], weights[:, order]
    total = mass.sum(axis=1, keepdims=True)
    running = np.cumsum(mass, axis=1)
    low = np.argmax(running >= total / 2 - 1e-12, axis=1)
    high = np.argmax(running > total / 2 + 1e-12, axis=1)
    middle = (ordered[low] + ordered[high]) / 2
    return np.where(total[:, 0] > 0, middle, np.nan)


def optimal_measures(occupation: str = "concept") -> Sequence[OptimalBias]:
    """Every aggregate, in the order a report shows them."""
    return [OptimalBias(kind, occupation) for kind in KINDS]
