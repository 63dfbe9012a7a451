"""How far a translator is from an optimal one that knows the share of women in each occupation (Farkas & Nemeth 2022).

For an occupation with share of women p, rendered female with share q among its she and he renderings:

    E_t = q (1 - p) + (1 - q) p      the translator's error: the share of people its pronoun does not mean
    E_o = min(p, 1 - p)              the error of the optimal deterministic translator (majority gender)
    B   = (E_t - E_o) / E_o          0 when it picks the majority, or at a tie

E_o = 0 leaves B undefined: such occupations are counted and left out, never infinity or zero. The optimal probabilistic
translator errs 2 p (1 - p). A neutral rendering excludes nobody: it is counted separately and never as she or he.

B has no upper end (99 % women, he: B 98), so that a few occupations can carry its mean. Its companions do not let them:
the median, the mean without the lowest and the highest tenth, and the mean of log B = ln(E_t / E_o) = ln(1 + B).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
import scipy

from evenhand.gender import GENDERS
from evenhand.level import tails
from evenhand.measures.definitions.counts import is_gender, ratio
from evenhand.statistics.effective import PSEUDO, DesignEffect
from evenhand.statistics.intervals import Interval, none, student, student_quantile
from evenhand.statistics.measure import Better, Floats, Measure, Statistics

SHARE, EMPLOYED = "share_women", "employed"
REFERENCE_KEY = "reference_key"  # the row of the reference that an occupation's share comes from
CODE = "_code"  # the cluster of an occupation
TIE = 1e-12
TRIM = 0.1  # of the occupations, at either end


def by_occupation(table: pl.DataFrame, occupation: str = "concept") -> pl.DataFrame:
    """One row per occupation: n, female, male, neutral, share_women, employed, and what `with_errors` adds. `table` has
    one row per rendering with `gender`, the occupation and its `share_women` (null where the reference has none: those
    rows keep null errors)."""
    carried = [c for c in ("english", "isco08", "sector", EMPLOYED, REFERENCE_KEY, CODE) if c in table.columns]
    counted = table.group_by(occupation, maintain_order=True).agg(
        pl.len().alias("n"),
        *[is_gender(g).sum().alias(g) for g in GENDERS],
        pl.col(SHARE).first(),
        *[pl.col(c).first() for c in carried],
    )
    return with_errors(counted)


def with_errors(counted: pl.DataFrame) -> pl.DataFrame:
    """Counts by occupation with rendered_female, E_o, E_t, B, log_B, dominance and wrong. dominance is female, male or
    tie; wrong says that the majority's pronoun was not the one used (null without a share, at a tie, or without a she
    or he). log_B is null where B is."""
    p, q = pl.col(SHARE), pl.col("rendered_female")
    tie, women, men = (p - 0.5).abs() <= TIE, p > 0.5, p < 0.5
    dominance = pl.when(tie).then(pl.lit("tie")).when(women).then(pl.lit("female")).when(men).then(pl.lit("male"))
    gendered = pl.col("female") + pl.col("male")
    counted = counted.with_columns(
        rendered_female=pl.when(gendered > 0).then(pl.col("female") / gendered),
        E_o=pl.min_horizontal(p, 1 - p),
        E_o_probabilistic=2 * p * (1 - p),
        dominance=dominance,
    ).with_columns(E_t=q * (1 - p) + (1 - q) * p)
    bias = (pl.col("E_t") - pl.col("E_o")) / pl.col("E_o")
    known = pl.when(q.is_null()).then(None).when(tie).then(0.0)
    wrong = pl.when(tie | q.is_null()).then(None).when(women).then(1 - q).when(men).then(q)
    counted = counted.with_columns(B=known.when(pl.col("E_o") > 0).then(bias.clip(0.0, None)), wrong=wrong)
    return counted.with_columns(log_B=pl.col("B").log1p())


Average = Literal["mean", "median", "trimmed"]


@dataclass(frozen=True)
class ErrorKind:
    """One aggregate over occupations: which are in it, what is averaged and how, with which weights."""

    name: str
    column: str
    average: Average = "mean"
    biased: bool = False  # only occupations with B > 0, as the study reports its median
    dominance: str | None = None
    weight: str | None = None  # women or men of the occupation
    bounds: tuple[float, float] = (0.0, math.inf)


KINDS = (
    ErrorKind("B_mean", "B"),
    ErrorKind("B_median", "B", average="median"),
    ErrorKind("B_trimmed", "B", average="trimmed"),
    ErrorKind("B_log", "log_B"),
    ErrorKind("B_median_biased", "B", average="median", biased=True),
    ErrorKind("B_female_dominated", "B", dominance="female", weight="women"),
    ErrorKind("B_male_dominated", "B", dominance="male", weight="men"),
    ErrorKind("wrong_female_dominated", "wrong", dominance="female", bounds=(0.0, 1.0)),
    ErrorKind("wrong_male_dominated", "wrong", dominance="male", bounds=(0.0, 1.0)),
    ErrorKind("error", "E_t", bounds=(0.0, 1.0)),
    ErrorKind("error_optimal", "E_o", bounds=(0.0, 0.5)),
    ErrorKind("error_optimal_probabilistic", "E_o_probabilistic", bounds=(0.0, 0.5)),
)


class OptimalBias(Measure):
    """An aggregate of B, of wrong pronouns or of errors over occupations, against one reference.

    All are 0 or more, lower is better; for B, log B and wrong pronouns 0 is the optimal deterministic translator. One
    occupation with few men (or women) can decide B_mean. B_trimmed leaves out TRIM of the weight at either end, parts
    of an occupation included; exp(B_log) is the factor by which the error exceeds the optimal one, as a geometric mean.
    B_female_dominated and B_male_dominated are weighted by the women and by the men; where the reference has no number
    of people for any of these occupations, all weigh the same, and where it has some, those without are left out.

    Occupations without a share, without a she or he, or (for B) with E_o = 0 are left out: `n` counts those with a
    share for which the value could be defined, `decided` those it rests on. Source: Farkas & Nemeth 2022, "Measuring
    Gender Bias"; the robust companions are ours.
    """

    better: Better = "lower"
    neutral = 0.0
    needs = ("gender", SHARE)
    unit = "occupations"

    def __init__(self, kind: ErrorKind, occupation: str = "concept") -> None:
        self.name = kind.name
        self.bounds = kind.bounds
        self._kind = kind
        self._occupation = occupation

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        """One row per occupation that counts: value, weight, and stake (B if every pronoun were wrong). Where none
        counts, all of them, with weight 0."""
        errors = by_occupation(table.with_columns(pl.col(clusters[0]).alias(CODE)), self._occupation)
        values, weights = self.cells(errors)
        least = errors["E_o"].fill_null(0.0).to_numpy()
        possible = errors.select(self._asked().sum()).item()
        counted = weights > 0
        decided = int(counted.sum())
        rows = counted if decided else np.ones(len(values), dtype=np.bool_)
        codes_of = errors[CODE].to_numpy().astype(np.int64).reshape(-1, 1).repeat(len(clusters), axis=1)
        return Statistics(
            codes=codes_of[rows],
            cells=np.column_stack([values, weights, np.nan_to_num(ratio(1 - 2 * least, least))])[rows],
            names=("value", "weight", "stake"),
            n=decided if self._kind.biased else int(possible or 0),
            decided=decided,
        )

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        values, people, _ = statistics.cells.T
        return self.average(values, weights * people)

    def interval(self, statistics: Statistics, level: float) -> Interval:
        """Over the occupations that count, in the way that suits the average."""
        values, people, stakes = statistics.cells[statistics.cells[:, 1] > 0].T
        count = len(values)
        value = float(self.average(values, people[None, :])[0])
        if count < FEWEST:
            return none(value, f"none: {count} occupations cannot carry an interval", count)
        if self._kind.average == "median":
            return median(values, value, level=level)
        if self._kind.average == "trimmed":
            return trimmed(values, value, level=level)
        if self._kind.column == "B":
            shares = np.clip(np.nan_to_num(ratio(values, stakes)), 0.0, 1.0)
            return staked_mean(shares, stakes, people, level=level)
        if self._kind.column == "wrong":
            return staked_mean(values, np.ones(count), people, level=level)
        share = people / people.sum()
        error = np.sqrt(float((share**2 * (values - value) ** 2 / np.maximum(1 - share, 1e-9)).sum()))
        method = f"t over {count} occupations"
        return student(value, float(error), count - 1, count, method, level=level, bounds=self.bounds)

    def cells(self, errors: pl.DataFrame) -> tuple[Floats, Floats]:
        """Of each occupation the value that is averaged and its weight; 0 where it is left out."""
        column = errors[self._kind.column].cast(pl.Float64)
        known = errors.select(self._asked()).to_series() & column.is_not_null() & column.is_finite()
        used = (known & (column > 0) if self._kind.biased else known).fill_null(value=False)
        return column.fill_null(0.0).to_numpy(), np.where(used.to_numpy(), self._people(errors, used), 0.0)

    def average(self, values: Floats, mass: Floats) -> Floats:
        """One average for each row of weights (resamples x occupations)."""
        if self._kind.average == "median":
            return weighted_median(values, mass)
        if self._kind.average == "trimmed":
            return trimmed_mean(values, mass)
        return ratio(mass @ values, mass.sum(axis=1))

    def _asked(self) -> pl.Expr:
        """Occupations with a share for which the value is defined once a she or he is there."""
        possible = pl.col(SHARE).is_not_null()
        if self._kind.dominance is not None:
            possible &= pl.col("dominance") == self._kind.dominance
        return possible & (pl.col("E_o") > 0) if self._kind.column in ("B", "log_B") else possible

    def _people(self, errors: pl.DataFrame, used: pl.Series) -> Floats:
        known = self._kind.weight is not None and EMPLOYED in errors.columns
        if not known or not (errors[EMPLOYED].is_not_null() & used).any():
            return np.ones(errors.height)
        share = pl.col(SHARE) if self._kind.weight == "women" else 1 - pl.col(SHARE)
        return errors.select((pl.col(EMPLOYED) * share).fill_null(0.0)).to_series().to_numpy()


def trimmed_mean(values: Floats, weights: Floats) -> Floats:
    """The mean of each row without the share TRIM of its weight at either end; NaN for a row without weight."""
    order = np.argsort(values, kind="stable")
    ordered, mass = values[order], weights[:, order]
    total = mass.sum(axis=1, keepdims=True)
    above = np.cumsum(mass, axis=1)
    kept = np.clip(np.minimum(above, (1 - TRIM) * total) - np.maximum(above - mass, TRIM * total), 0.0, None)
    return ratio(kept @ ordered, kept.sum(axis=1))


def weighted_median(values: Floats, weights: Floats) -> Floats:
    """The value at which half of each row's weight is reached (the mean of two where it is reached exactly between).
    NaN for a row without weight."""
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


# Which occupations carry the sum of B: one with few men among its people can weigh more than a hundred others.

LARGEST = 5  # occupations that are named
FEW = 0.05  # of the occupations; half of the sum on fewer than that is a warning


@dataclass(frozen=True)
class Influence:
    """The largest summands of B, each with its share of the sum; how many carry half of it, of how many."""

    largest: tuple[tuple[str, float], ...]
    half: int
    n: int

    @property
    def few(self) -> bool:
        """Half of the sum rests on fewer than five occupations, or than a twentieth of those there are."""
        return self.half < max(LARGEST, FEW * self.n)

    def __str__(self) -> str:
        share = sum(part for _, part in self.largest)
        named = ", ".join(f"{name} {100 * part:.0f} %" for name, part in self.largest)
        head = f"the {len(self.largest)} largest of {self.n} summands"
        text = f"{head} make {100 * share:.0f} % of the sum of B ({named})"
        if self.few:
            text += f", warning: half of it depends on {self.half}, so also read B_median, B_trimmed and B_log"
        return text


def influence(errors: pl.DataFrame, occupation: str = "concept") -> Influence | None:
    """Of a table by occupation with B (see `optimal.by_occupation`); None where no occupation is biased."""
    name = "english" if "english" in errors.columns else occupation
    known = errors.filter(pl.col("B").is_not_null()).sort("B", descending=True, maintain_order=True)
    total = known["B"].sum()
    if not total > 0:
        return None
    shares = known["B"] / total
    half = int((shares.cum_sum() < 0.5 - 1e-12).sum()) + 1
    top = known.select(pl.coalesce(pl.col(name), pl.col(occupation).cast(pl.String))).to_series().head(LARGEST)
    largest = tuple(zip(map(str, top), shares.head(LARGEST).to_list(), strict=True))
    return Influence(tuple((word, part) for word, part in largest if part > 0), half, known.height)


# How far the sampling error of a reference alone moves a measure against it: the renderings stay as they are.


def reference_intervals(
    errors: pl.DataFrame, drawn: Mapping[str, Floats], measures: Sequence[OptimalBias], level: float
) -> dict[str, tuple[float, float]]:
    """For each measure the quantiles of its value over the draws; left out where it is undefined. `errors` is a table
    by occupation (see `optimal.by_occupation`) with `reference_key`; `drawn` gives values of the share of women by that
    key. Occupations of one key move together; a key that was not drawn keeps its share."""
    draws = len(next(iter(drawn.values())))
    fixed = np.full(draws, np.nan)
    shares = np.array(
        [
            drawn.get(key, fixed if share is None else np.full(draws, share))
            for key, share in errors.select(REFERENCE_KEY, SHARE).iter_rows()
        ]
    ).T
    stacked = pl.concat([errors] * draws).with_columns(pl.Series(SHARE, shares.ravel()).fill_nan(None))
    redone = with_errors(stacked)
    intervals = {}
    for measure in measures:
        values, weights = (cells.reshape(shares.shape) for cells in measure.cells(redone))
        results = np.array([measure.average(v, w[None, :])[0] for v, w in zip(values, weights, strict=True)])
        if np.isfinite(results).any():
            low, high = np.nanquantile(results, tails(level))
            intervals[measure.name] = (float(low), float(high))
    return intervals


# Intervals of averages over occupations of which a few may carry half of the sum. A bootstrap or t is too narrow:
# samples without the heavy occupations look least variable. But the weight of an occupation is known: B is its stake
# (fixed by the share of women) times the observed share of wrong pronouns, so the mean of B is the mean stake times the
# share of wrong pronouns weighted by stake. The weighted share has the interval of a proportion with
# (sum a)^2 / sum a^2 effective occupations (Kish 1965; Korn & Graubard 1998); the mean stake varies with the choice of
# occupations; both are combined on the log scale (Donner & Zou 2012, Statistical Methods in Medical Research 21).

DRAWS = 4_000
FEWEST = 3


def weighted_share(shares: Floats, weights: Floats, *, level: float) -> tuple[float, float]:
    """Interval of a weighted mean of shares between 0 and 1, one per cluster, of very unequal weights."""
    total = float(weights.sum())
    share = float(shares @ weights) / total
    units = total**2 / float((weights**2).sum())  # effective number of clusters
    moves = weights * (shares - share) / total
    spread, most = float((moves**2).sum()), share * (1 - share) / units
    held = float((moves**4).sum())
    k = spread**2 / held if held > 0 else 0.0
    count = int((weights > 0).sum())
    # 1 when every cluster is all right or all wrong, less where clusters are in between
    effect = spread * count / (count - 1) / most if most > 0 else 0.0
    seen = DesignEffect(effect, min(k / max(1 - k / count, 1e-9), count - 1.0), 1.0, units * share * (1 - share))
    rng = np.random.default_rng(0)  # an average has no other randomness
    worth = units / seen.quantiles((rng.permutation(DRAWS) + 0.5) / DRAWS)
    right = rng.standard_gamma(np.maximum(worth * (1 - share), 1e-12))
    wrong = rng.standard_gamma(np.maximum(worth * share, 1e-12))
    further = rng.standard_gamma(PSEUDO, size=DRAWS)
    below, above = tails(level)
    low = 0.0 if share <= 0 else float(np.quantile(wrong / (wrong + right + further), below))
    high = 1.0 if share >= 1 else float(np.quantile((wrong + further) / (wrong + right + further), above))
    return low, high


def staked_mean(shares: Floats, stakes: Floats, weights: Floats, *, level: float) -> Interval:
    """Interval of sum(weights * stakes * shares) / sum(weights): shares in [0, 1] observed, stakes known."""
    heavy = weights * stakes
    count = int((weights > 0).sum())
    mean_stake = float(heavy.sum() / weights.sum())
    value = float(heavy @ shares) / float(weights.sum())
    if mean_stake <= 0:
        return none(value, "none: no occupation has anything at stake", count)
    low, high = weighted_share(shares, heavy, level=level)
    share = value / mean_stake
    moves = weights * (stakes - mean_stake) / weights.sum()
    error = np.sqrt(float((moves**2).sum()) * count / (count - 1)) / mean_stake
    choice = student_quantile(tails(level)[1], count - 1) * float(error)
    units = float(heavy.sum()) ** 2 / float((heavy**2).sum())
    method = f"stake-weighted share of wrong pronouns, {units:.0f} effective of {count} occupations"
    if share <= 0:
        return Interval(value, 0.0, high * mean_stake * np.exp(choice), count, method)
    bottom = 0.0 if low <= 0 else value * np.exp(-np.hypot(np.log(share / low), choice))
    return Interval(value, float(bottom), value * float(np.exp(np.hypot(np.log(high / share), choice))), count, method)


def trimmed(values: Floats, value: float, *, level: float) -> Interval:
    """A trimmed mean with Yuen's interval (1974, Biometrika 61): the variance of the winsorised values."""
    ordered, n = np.sort(values), len(values)
    cut = int(TRIM * n)
    kept = n - 2 * cut
    pulled_in = np.clip(ordered, ordered[cut], ordered[n - 1 - cut])
    error = float(np.sqrt(((pulled_in - pulled_in.mean()) ** 2).sum() / (kept * (kept - 1))))
    method = f"Yuen's t over {kept} of {n} occupations"
    return student(value, error, kept - 1, n, method, level=level, bounds=(0.0, math.inf))


def median(values: Floats, value: float, *, level: float) -> Interval:
    """The median with the order statistics that hold it with at least this chance, whatever the distribution."""
    ordered, n = np.sort(values), len(values)
    # the largest number of values that may lie outside either end
    rank = int(scipy.stats.binom.ppf(tails(level)[0], n, 0.5))
    if rank < 1:
        return none(value, f"none: {n} occupations are too few for the median's interval", n)
    low, high = float(ordered[rank - 1]), float(ordered[n - rank])
    return Interval(value, low, high, n, f"order statistics of {n} occupations")
