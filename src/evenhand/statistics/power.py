"""How likely a comparison of two systems reports a difference, before anything is sent.

Two systems on the same suite, compared by a share (female among female and male, accuracy). Sentences of one cluster
share their fate (`icc`), and two systems lean alike on the same clusters (`correlation`), which a paired test takes
out. The power is the rejection rate of `equality`, the very test that `compare` makes, on simulated answers: with few
clusters or rare outcomes no formula knows it (Feiveson 2002, The Stata Journal 2; Arnold et al. 2011, BMC Medical
Research Methodology 11). Clusters' chances are beta distributed and joined by a Gaussian copula. With many clusters,
and as a first guess, the noncentral t distribution with a design effect serves (Donner & Klar 2000). A second axis that
crosses the first (verbs) is left out: nothing is taken to lean by it.
benchmarks/validate/power.py checks both against answers of another kind, compared by the public `compare`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.level import ALPHA
from evenhand.statistics.equality import difference as tested_difference
from evenhand.statistics.families import influences
from evenhand.statistics.linearised import Codes, Linearised
from evenhand.statistics.measure import Floats, Job, Measure, Statistics
from evenhand.statistics.quantiles import normal_below, normal_quantile, student_quantile
from evenhand.statistics.variation import satterthwaite

DRAWS = 1_000  # simulated comparisons: a standard error of at most .016
MANY = 200  # clusters from which on the noncentral t is as good as a simulation
FAMILIES = 20  # simulated comparisons from which the correction of a family is learnt
ROUNDS = 8
NEAR = 0.03  # of the clusters: near enough
MOST = 200_000


@dataclass(frozen=True)
class Design:
    """What two systems do on a suite. All between 0 and 1.

    `share`: the first system's share; `icc`: correlation of two sentences of one cluster (0 independent, 1 all alike);
    `correlation`: of the two systems' chances, cluster by cluster; `sentence`: of their answers to one sentence beyond
    what the cluster explains; `counted`: share of the renderings that the measure counts (those that take a gender).
    """

    share: float
    icc: float = 0.3
    correlation: float = 0.5
    sentence: float = 0.0
    counted: float = 1.0

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise BadInput(f"{name} must lie between 0 and 1, not {value:g}")

    def other(self, difference: float) -> float:
        """The second system's share."""
        other = self.share + difference
        if not 0 <= other <= 1:
            raise BadInput(
                f"a share of {self.share:g} and a difference of {difference:g} make {other:g}, which is no share; "
                "give another difference (it may be negative)"
            )
        return other

    def variances(self, difference: float) -> tuple[float, float]:
        """Variance of a paired difference between clusters, and within them for one sentence."""
        one, two = (p * (1 - p) for p in (self.share, self.other(difference)))
        together = math.sqrt(one * two)
        between = self.icc * (one + two - 2 * self.correlation * together)
        return between, (1 - self.icc) * (one + two - 2 * self.sentence * together)


@dataclass(frozen=True)
class Clustered:
    """A suite's number of sentences in each cluster of its first axis."""

    sizes: Floats

    @classmethod
    def equal(cls, clusters: int, each: int) -> Clustered:
        return cls(np.full(clusters, float(each)))

    @property
    def clusters(self) -> int:
        return len(self.sizes)

    @property
    def probes(self) -> int:
        return round(float(self.sizes.sum()))

    def of(self, clusters: int) -> Clustered:
        """The same kind of suite with another number of clusters: some of its own, or all of them over and over."""
        numbers = np.arange(clusters)
        fewer = clusters < self.clusters
        return Clustered(self.sizes[numbers * self.clusters // clusters if fewer else numbers % self.clusters])


@dataclass(frozen=True)
class Needed:
    """How many clusters and probes reach the wanted power."""

    clusters: int
    probes: int
    power: float


def power(
    design: Design, difference: float, layout: Clustered, *, measure: Measure, alpha: float = ALPHA, seed: int = 0
) -> float:
    """Chance that the comparison of two systems reports this difference at `alpha`.

    `measure` is a share of two cells, the first of them counted. Below three clusters no test is made: 0.
    """
    if layout.clusters < 3:
        return 0.0
    if layout.clusters > MANY:
        return approximate(design, difference, layout, alpha=alpha)
    return sum(_reports(design, difference, layout, measure=measure, alpha=alpha, seed=seed)) / DRAWS


def reaches(
    design: Design, difference: float, layout: Clustered, *, measure: Measure, wanted: float, alpha: float = ALPHA
) -> bool:
    """Whether `power` is at least `wanted`; simulation stops when the rest of it can no longer change that."""
    if not 3 <= layout.clusters <= MANY:
        return power(design, difference, layout, measure=measure, alpha=alpha) >= wanted
    reported = 0
    reports = _reports(design, difference, layout, measure=measure, alpha=alpha, seed=0)
    for number, report in enumerate(reports, start=1):
        reported += report
        if reported / DRAWS >= wanted or (reported + DRAWS - number) / DRAWS < wanted:
            break
    return reported / DRAWS >= wanted


def _reports(
    design: Design, difference: float, layout: Clustered, *, measure: Measure, alpha: float, seed: int
) -> Iterator[bool]:
    """Simulated comparisons: whether each reports a difference."""
    rng = np.random.default_rng([seed, 0x90])
    chances = JointChances.of(design.share, design.other(difference), icc=design.icc, correlation=design.correlation)
    most = chances.most_alike(rng) if design.sentence else 0.0
    lucky = min(design.sentence / most, 1.0) if most else 0.0
    for _ in range(DRAWS):
        n = layout.sizes.astype(np.int64)
        n = rng.binomial(n, design.counted) if design.counted < 1 else n
        first, second = (_linearised(hits, n, measure) for hits in _answers(rng, chances, n, lucky))
        tested = tested_difference(first, second, seed=seed, draws=DRAWS)
        yield tested is not None and tested.p < alpha


def family_alpha(
    design: Design, difference: float, layout: Clustered, *, measures: Sequence[Measure], alpha: float = ALPHA
) -> float:
    """The plain p at which the p corrected over these measures of the two systems is `alpha` (max-T, as `compare`).

    Measures of the same renderings say nearly the same, so that it is mostly near `alpha` itself. Those that count
    something else than genders are taken for tests of their own.
    """
    rng = np.random.default_rng([0, 0x91])
    chances = JointChances.of(design.share, design.other(difference), icc=design.icc, correlation=design.correlation)
    known = [m for m in measures if {"female", "male"} & set(_names(m)) and set(_names(m)) <= set(DECIDED)]
    sizes = layout.sizes.astype(np.int64)
    drawn = (_two_runs(rng, chances, sizes, design.counted) for _ in range(FAMILIES if known else 0))
    edges = [edge for runs in drawn if (edge := _largest(rng, runs, known, alpha)) is not None]
    plain = 2 * float(normal_below(-float(np.mean(edges)))) if edges else alpha
    return min(plain, alpha) / (1 + len(measures) - len(known) if known else max(len(measures), 1))


def _two_runs(
    rng: np.random.Generator, chances: JointChances, sizes: Codes, counted: float
) -> tuple[dict[str, Codes], dict[str, Codes]]:
    """Counts by gender and cluster of two systems on the same sentences."""

    def one(chance: Floats) -> dict[str, Codes]:
        n = rng.binomial(sizes, counted) if counted < 1 else sizes
        hits = rng.binomial(n, chance)
        return {"female": hits, "male": n - hits, "neutral": sizes - n}

    first, second = chances.draw(rng, len(sizes))
    return one(first), one(second)


def _largest(
    rng: np.random.Generator,
    runs: tuple[Mapping[str, Codes], Mapping[str, Codes]],
    measures: Sequence[Measure],
    alpha: float,
) -> float | None:
    """The edge of the largest of the measures' standardised differences; None where none of them varies."""
    tests = [(_on_genders(runs[0], measure), _on_genders(runs[1], measure)) for measure in measures]
    moves = influences(tests, [len(runs[0]["female"])])
    spread = np.sqrt((moves**2).sum(axis=0))
    moves = moves[:, spread > 0] / spread[spread > 0]
    if not moves.shape[1]:
        return None
    largest = np.abs(rng.standard_normal((DRAWS, len(moves))) @ moves).max(axis=1)
    return float(np.quantile(largest, 1 - alpha))


def _names(measure: Measure) -> tuple[str, ...]:
    cells = getattr(measure, "cells", None)
    return tuple(cells()) if callable(cells) else ()


def _on_genders(counts: Mapping[str, Codes], measure: Measure) -> Linearised:
    """A measure of counts by gender and cluster; genders that are not counted are 0."""
    clusters = len(counts["female"])
    names = _names(measure)
    cells = np.column_stack([counts.get(name, np.zeros(clusters)) for name in names]).astype(np.float64)
    total = int(cells.sum())
    codes = np.arange(clusters, dtype=np.int64)[:, None]
    return Linearised.of(Job(measure, Statistics(codes, cells, names, total, total)))


def _answers(rng: np.random.Generator, chances: JointChances, n: Codes, lucky: float) -> tuple[Floats, Floats]:
    """How many of a cluster's n sentences two systems count each; on the `lucky` ones both have the same luck."""
    one, two = chances.draw(rng, len(n))
    alike = rng.binomial(n, lucky)
    low, high = np.minimum(one, two), np.maximum(one, two)
    both = rng.binomial(alike, low)
    more = rng.binomial(alike - both, np.divide(high - low, 1 - low, out=np.zeros_like(low), where=low < 1))
    first = both + np.where(one >= two, more, 0) + rng.binomial(n - alike, one)
    second = both + np.where(two > one, more, 0) + rng.binomial(n - alike, two)
    return first.astype(np.float64), second.astype(np.float64)


def _linearised(hits: Floats, n: Codes, measure: Measure) -> Linearised:
    """Counts by cluster as those of a run are."""
    codes, total = np.arange(len(n), dtype=np.int64)[:, None], int(n.sum())
    cells = np.column_stack([hits, n - hits])
    return Linearised.of(Job(measure, Statistics(codes, cells, ("counted", "other"), total, total)))


def approximate(design: Design, difference: float, layout: Clustered, *, alpha: float = ALPHA) -> float:
    """The same by the noncentral t distribution: exact for normal clusters of one size, good for many of any kind."""
    between, within = design.variances(difference)
    sizes = np.maximum(layout.sizes * design.counted, 1e-9)
    n = float(sizes.sum())
    error = math.sqrt(float((sizes**2).sum()) * between + n * within) / n
    if error == 0:
        return 1.0
    freedom = max(satterthwaite(sizes, design.icc), 1.0)
    from scipy.stats import nct

    edge, shift = student_quantile(1 - alpha / 2, freedom), abs(difference) / error
    # SciPy has no value of some tails far out: beyond the edge nearly everything, on the other side next to nothing.
    beyond = np.nan_to_num(nct.sf(edge, freedom, shift), nan=float(shift > edge))
    return float(np.clip(beyond + np.nan_to_num(nct.cdf(-edge, freedom, shift)), 0.0, 1.0))


def needed(
    design: Design,
    difference: float,
    layout: Clustered,
    *,
    measure: Measure,
    wanted: float = 0.8,
    alpha: float = ALPHA,
    tests: int = 1,
) -> Needed:
    """Clusters like the layout's that report a difference with the wanted chance; `tests` corrects alpha (Bonferroni).

    At least three: with fewer no comparison is tested.
    """
    if difference == 0:
        raise BadInput("no number of probes detects a difference of 0")
    if not 0 < wanted < 1:
        raise BadInput(f"power lies between 0 and 1, not {wanted:g}")
    corrected = alpha / max(tests, 1)
    clusters = _guessed(design, difference, layout, wanted=wanted, alpha=corrected)
    low, best = 2, None
    for _ in range(ROUNDS):
        reached = power(design, difference, layout.of(clusters), measure=measure, alpha=corrected)
        if reached >= wanted:
            best = Needed(clusters, layout.of(clusters).probes, reached)
        else:
            low = clusters
        high = best.clusters if best else 2 * clusters
        if best and (high - low <= max(1, high * NEAR) or clusters > MANY):
            return best
        step = ((edge_of(wanted, corrected)) / edge_of(reached, corrected)) ** 2  # the error falls with their root
        clusters = min(max(round(clusters * step), low + 1), high - 1)
    return best or Needed(high, layout.of(high).probes, power(design, difference, layout.of(high), measure=measure))


def _guessed(design: Design, difference: float, layout: Clustered, *, wanted: float, alpha: float) -> int:
    """Clusters that reach the wanted power by the noncentral t distribution."""
    low, high = 2, 3
    while approximate(design, difference, layout.of(high), alpha=alpha) < wanted:
        low, high = high, 2 * high
        if high > MOST:
            raise BadInput(f"more than {MOST:,} clusters would be needed for a difference of {difference:g}")
    while high - low > 1:
        middle = (low + high) // 2
        enough = approximate(design, difference, layout.of(middle), alpha=alpha) >= wanted
        low, high = (low, middle) if enough else (middle, high)
    return high


def edge_of(power: float, alpha: float) -> float:
    """Standard errors that a difference lies from 0 where it is reported with this chance (kept from 0 and 1)."""
    return float(normal_quantile(1 - alpha / 2)) + float(normal_quantile(min(max(power, 0.05), 0.995)))


def detectable(
    design: Design, layout: Clustered, *, measure: Measure, wanted: float = 0.8, alpha: float = ALPHA
) -> float | None:
    """The smallest rise of the share that is reported with the wanted chance; None where no rise is."""
    if layout.clusters < 3:
        return None
    low, high = 0.0, 1 - design.share
    if not reaches(design, high, layout, measure=measure, wanted=wanted, alpha=alpha):
        return None
    for _ in range(7):
        middle = (low + high) / 2
        enough = reaches(design, middle, layout, measure=measure, wanted=wanted, alpha=alpha)
        low, high = (low, middle) if enough else (middle, high)
    return high


# Chances of clusters under two systems that lean alike: beta distributed, joined by a Gaussian copula.
# The correlation is that of the chances themselves. The copula's own parameter is larger, much so for rare outcomes
# whose chances are skewed, and is worked out by quadrature.

GRID = np.linspace(-8, 8, 2_001)  # normal deviates at which quantiles are worked out; between them they are read off
LARGEST = 1e4  # concentration of a beta distribution that counts as no spread at all
SMALLEST = 1e-3


@dataclass(frozen=True)
class JointChances:
    """Quantiles of the two systems' chances on GRID, and the copula's parameter."""

    first: Floats
    second: Floats
    latent: float

    @classmethod
    def of(cls, one: float, two: float, *, icc: float, correlation: float) -> JointChances:
        """`one`, `two`: the means; where so high a correlation cannot be, the highest there is."""
        first, second = _quantiles(one, icc), _quantiles(two, icc)
        return cls(first, second, _latent(first, second, correlation))

    def draw(self, rng: np.random.Generator, clusters: int) -> tuple[Floats, Floats]:
        """One chance a cluster for each system."""
        z, other = rng.standard_normal((2, clusters))
        joined = self.latent * z + np.sqrt(1 - self.latent**2) * other
        return np.interp(z, GRID, self.first), np.interp(joined, GRID, self.second)

    def most_alike(self, rng: np.random.Generator) -> float:
        """The correlation of two answers to one sentence, beyond the cluster's, if both systems had the same luck.

        1 where the chances are the same, less where they differ; 0 where there is no luck.
        """
        one, two = self.draw(rng, 10_000)
        left = np.sqrt((one * (1 - one)).mean() * (two * (1 - two)).mean())
        return float((np.minimum(one, two) - one * two).mean() / left) if left > 0 else 0.0


def _quantiles(mean: float, icc: float) -> Floats:
    if icc <= 1 / LARGEST or mean in (0.0, 1.0):
        return np.full_like(GRID, mean)
    from scipy.stats import beta

    scale = max((1 - icc) / icc, SMALLEST)
    # upper quantiles from the upper tail: 1 - ndtr(8) has no digits left
    lower = beta.ppf(normal_below(GRID), mean * scale, (1 - mean) * scale)
    upper = beta.isf(normal_below(-GRID), mean * scale, (1 - mean) * scale)
    return np.clip(np.where(GRID < 0, lower, upper), 0.0, 1.0)


def _latent(first: Floats, second: Floats, correlation: float) -> float:
    if correlation < 1e-6 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    x = np.interp(points, GRID, first)
    apart, pairs = (x - weights @ x)[:, None], weights[:, None] * weights

    def reached(latent: float) -> float:
        y = np.interp(latent * points[:, None] + np.sqrt(1 - latent**2) * points, GRID, second)
        spread = np.sqrt((pairs * apart**2).sum() * (pairs * (y - (pairs * y).sum()) ** 2).sum())
        return float((pairs * apart * y).sum() / spread)

    if reached(1.0) <= correlation:
        return 1.0
    from scipy.optimize import brentq

    return float(brentq(lambda latent: reached(latent) - correlation, 0.0, 1.0, xtol=1e-4))
