"""How likely a comparison of two systems reports a difference, before anything is sent.

Two systems on one suite are compared by a share (female among female and male, accuracy). Sentences of one cluster
correlate (`icc`), and so do two systems' chances by cluster (`correlation`), which a paired test takes out. The power
is the rejection rate of the test that `compare` makes (equality.py) on simulated answers, because no formula is right
for few clusters or rare outcomes (Feiveson 2002, The Stata Journal 2; Arnold et al. 2011, BMC Medical Research
Methodology 11). Clusters' chances are beta distributed and joined by a Gaussian copula. With many clusters, and as a
first guess, the noncentral t distribution with a design effect serves (Donner & Klar 2000). Effects of a second axis
(verbs) are ignored.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import scipy

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.level import ALPHA
from evenhand.statistics.equality import difference as tested_difference
from evenhand.statistics.equality import influences
from evenhand.statistics.intervals import normal_below, normal_quantile, student_quantile
from evenhand.statistics.measure import Floats, Job, Measure, Statistics
from evenhand.statistics.variation import Codes, Linearised, satterthwaite

DRAWS = 1_000  # simulated comparisons: a standard error of at most .016
MANY = 200  # clusters from which the noncentral t is as good as a simulation
FAMILIES = 20  # simulated comparisons that estimate the correction of a family
ROUNDS = 8
NEAR = 0.03  # precision of the number of clusters
MOST = 200_000
WANTED = 0.8  # the power that is planned for


@dataclass(frozen=True)
class Design:
    """Assumptions about two systems on a suite, all between 0 and 1. `share`: the first system's share; `icc`:
    correlation of two sentences of one cluster; `correlation`: of the two systems' chances by cluster; `sentence`: of
    their answers to one sentence beyond what the cluster explains; `counted`: share of the renderings that the measure
    counts (those that have a gender)."""

    share: float
    icc: float = 0.3
    correlation: float = 0.5
    sentence: float = 0.0
    counted: float = 1.0

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"{name} must be between 0 and 1, not {getattr(self, name):g}")

    def other(self, difference: float) -> float:
        """The second system's share."""
        other = self.share + difference
        if not 0 <= other <= 1:
            total = f"a share of {self.share:g} and a difference of {difference:g} make {other:g}, which is not a share"
            raise BadInput(f"{total}; give another difference (it may be negative)")
        return other

    def chances(self, difference: float) -> "JointChances":
        """The two systems' chances by cluster."""
        return JointChances.of(self.share, self.other(difference), icc=self.icc, correlation=self.correlation)

    def variances(self, difference: float) -> tuple[float, float]:
        """Variance of a paired difference between clusters, and within them for one sentence."""
        one, two = (p * (1 - p) for p in (self.share, self.other(difference)))
        together = math.sqrt(one * two)
        between = self.icc * (one + two - 2 * self.correlation * together)
        return between, (1 - self.icc) * (one + two - 2 * self.sentence * together)


@dataclass(frozen=True)
class Needed:
    """How many clusters and probes reach the wanted power."""

    clusters: int
    probes: int
    power: float


@dataclass(frozen=True)
class Planned:
    """A planned comparison of two systems: assumptions, clusters, measure, and the plain p that reports a difference.
    `sizes` are the suite's numbers of sentences in each cluster of its first axis; `measure` is a share of two cells,
    the first of them counted."""

    design: Design
    sizes: Floats
    measure: Measure
    alpha: float = ALPHA

    @property
    def clusters(self) -> int:
        return len(self.sizes)

    @property
    def probes(self) -> int:
        return round(float(self.sizes.sum()))

    def of(self, clusters: int) -> Self:
        """The same kind of suite with another number of clusters: some of these, or all of them repeatedly."""
        numbers = np.arange(clusters)
        chosen = numbers * self.clusters // clusters if clusters < self.clusters else numbers % self.clusters
        return replace(self, sizes=self.sizes[chosen])

    def power(self, difference: float, *, seed: int = 0) -> float:
        """Chance that the comparison reports this difference. Below three clusters no test is made: 0."""
        if self.clusters < 3:
            return 0.0
        if self.clusters > MANY:
            return self.approximate(difference)
        return sum(self._reports(difference, seed)) / DRAWS

    def reaches(self, difference: float, wanted: float = WANTED) -> bool:
        """Whether `power` is at least `wanted`; the simulation stops as soon as that is certain."""
        if not 3 <= self.clusters <= MANY:
            return self.power(difference) >= wanted
        reported = 0
        for number, report in enumerate(self._reports(difference, 0), start=1):
            reported += report
            if reported / DRAWS >= wanted or (reported + DRAWS - number) / DRAWS < wanted:
                break
        return reported / DRAWS >= wanted

    def _reports(self, difference: float, seed: int) -> Iterator[bool]:
        """Simulated comparisons: whether each reports a difference."""
        rng = np.random.default_rng([seed, 0x90])
        design, chances = self.design, self.design.chances(difference)
        most = chances.most_alike(rng) if design.sentence else 0.0
        lucky = min(design.sentence / most, 1.0) if most else 0.0
        for _ in range(DRAWS):
            n = self.sizes.astype(np.int64)
            n = rng.binomial(n, design.counted) if design.counted < 1 else n
            first, second = (
                _linearised(self.measure, ("counted", "other"), [hits, n - hits])
                for hits in _answers(rng, chances, n, lucky)
            )
            tested = tested_difference(first, second, seed=seed, draws=DRAWS)
            yield tested is not None and tested.p < self.alpha

    def approximate(self, difference: float) -> float:
        """The power by the noncentral t distribution: exact for normal clusters of one size, good for many of any."""
        between, within = self.design.variances(difference)
        sizes = np.maximum(self.sizes * self.design.counted, 1e-9)
        n = float(sizes.sum())
        error = math.sqrt(float((sizes**2).sum()) * between + n * within) / n
        if error == 0:
            return 1.0
        freedom = max(satterthwaite(sizes, self.design.icc), 1.0)
        edge, shift = student_quantile(1 - self.alpha / 2, freedom), abs(difference) / error
        # SciPy returns NaN far out in the tails
        beyond = np.nan_to_num(scipy.stats.nct.sf(edge, freedom, shift), nan=float(shift > edge))
        return float(np.clip(beyond + np.nan_to_num(scipy.stats.nct.cdf(-edge, freedom, shift)), 0.0, 1.0))

    def needed(self, difference: float) -> Needed:
        """Clusters like the suite's that report a difference with the wanted chance. At least three: with fewer no
        comparison is tested."""
        if difference == 0:
            raise BadInput("no number of probes detects a difference of 0")

        def edge(reached: float) -> float:
            """Standard errors from 0 at which a difference is reported with this chance (kept from 0 and 1)."""
            return float(normal_quantile(1 - self.alpha / 2)) + float(normal_quantile(min(max(reached, 0.05), 0.995)))

        clusters = self._guessed(difference)
        low, best = 2, None
        for _ in range(ROUNDS):
            reached = self.of(clusters).power(difference)
            if reached >= WANTED:
                best = Needed(clusters, self.of(clusters).probes, reached)
            else:
                low = clusters
            high = best.clusters if best else 2 * clusters
            if best and (high - low <= max(1, high * NEAR) or clusters > MANY):
                return best
            step = (edge(WANTED) / edge(reached)) ** 2  # the error falls with the root of the clusters
            clusters = min(max(round(clusters * step), low + 1), high - 1)
        return best or Needed(high, self.of(high).probes, self.of(high).power(difference))

    def _guessed(self, difference: float) -> int:
        """Clusters that reach the wanted power by the noncentral t distribution."""
        low, high = 2, 3
        while self.of(high).approximate(difference) < WANTED:
            low, high = high, 2 * high
            if high > MOST:
                raise BadInput(f"more than {MOST:,} clusters would be needed for a difference of {difference:g}")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.of(middle).approximate(difference) >= WANTED else (middle, high)
        return high

    def detectable(self, wanted: float = WANTED) -> float | None:
        """The smallest rise of the share that is reported with the wanted chance; None where no rise is."""
        low, high = 0.0, 1 - self.design.share
        if self.clusters < 3 or not self.reaches(high, wanted):
            return None
        for _ in range(7):
            middle = (low + high) / 2
            low, high = (low, middle) if self.reaches(middle, wanted) else (middle, high)
        return high

    def corrected(self, difference: float, measures: Sequence[Measure]) -> Self:
        """The same with the plain p at which the p corrected over these measures is `alpha` (max-T, as `compare`).
        Measures of the same renderings are highly correlated, so that it is mostly near `alpha` itself. Measures that
        count something else than genders are treated as independent tests."""
        rng = np.random.default_rng([0, 0x91])
        chances = self.design.chances(difference)
        known = [m for m in measures if {"female", "male"} & set(_names(m)) and set(_names(m)) <= set(DECIDED)]
        sizes = self.sizes.astype(np.int64)
        drawn = (_two_runs(rng, chances, sizes, self.design.counted) for _ in range(FAMILIES if known else 0))
        edges = [edge for runs in drawn if (edge := _largest(rng, runs, known, self.alpha)) is not None]
        plain = 2 * float(normal_below(-float(np.mean(edges)))) if edges else self.alpha
        tests = 1 + len(measures) - len(known) if known else max(len(measures), 1)
        return replace(self, alpha=min(plain, self.alpha) / tests)


def _two_runs(
    rng: np.random.Generator, chances: "JointChances", sizes: Codes, counted: float
) -> Sequence[Mapping[str, Codes]]:
    """Counts by gender and cluster of two systems on the same sentences."""
    runs = []
    for chance in chances.draw(rng, len(sizes)):
        n = rng.binomial(sizes, counted) if counted < 1 else sizes
        hits = rng.binomial(n, chance)
        runs.append({"female": hits, "male": n - hits, "neutral": sizes - n})
    return runs


def _largest(
    rng: np.random.Generator, runs: Sequence[Mapping[str, Codes]], measures: Sequence[Measure], alpha: float
) -> float | None:
    """The edge of the largest of the measures' standardised differences; None where none of them varies."""
    none = np.zeros(len(runs[0]["female"]))
    tests = []
    for measure in measures:
        names = _names(measure)
        first, second = (_linearised(measure, names, [run.get(name, none) for name in names]) for run in runs)
        tests.append((first, second))
    moves = influences(tests, [len(none)])
    spread = np.sqrt((moves**2).sum(axis=0))
    moves = moves[:, spread > 0] / spread[spread > 0]
    if not moves.shape[1]:
        return None
    largest = np.abs(rng.standard_normal((DRAWS, len(moves))) @ moves).max(axis=1)
    return float(np.quantile(largest, 1 - alpha))


def _names(measure: Measure) -> tuple[str, ...]:
    cells = getattr(measure, "cells", None)
    return tuple(cells()) if callable(cells) else ()


def _linearised(measure: Measure, names: tuple[str, ...], counts: Sequence[Floats | Codes]) -> Linearised:
    """A measure of counts by cluster, one array per cell."""
    cells = np.column_stack(counts).astype(np.float64)
    codes, total = np.arange(len(cells), dtype=np.int64)[:, None], int(cells.sum())
    return Linearised.of(Job(measure, Statistics(codes, cells, names, total, total)))


def _answers(rng: np.random.Generator, chances: "JointChances", n: Codes, lucky: float) -> tuple[Codes, Codes]:
    """How many of a cluster's n sentences two systems count each; on the `lucky` ones both have the same luck."""
    one, two = chances.draw(rng, len(n))
    alike = rng.binomial(n, lucky)
    low, high = np.minimum(one, two), np.maximum(one, two)
    both = rng.binomial(alike, low)
    more = rng.binomial(alike - both, np.divide(high - low, 1 - low, out=np.zeros_like(low), where=low < 1))
    first = both + np.where(one >= two, more, 0) + rng.binomial(n - alike, one)
    return first, both + np.where(two > one, more, 0) + rng.binomial(n - alike, two)


# Chances of clusters under two systems: beta distributed, joined by a Gaussian copula. The correlation is that of the
# chances themselves. The copula's parameter is larger, much so for rare outcomes whose chances are skewed, and is
# computed by quadrature.

GRID = np.linspace(-8, 8, 2_001)  # normal deviates at which quantiles are computed, with interpolation between them
LARGEST = 1e4  # concentration of a beta distribution that counts as no spread at all
SMALLEST = 1e-3


@dataclass(frozen=True)
class JointChances:
    """Quantiles of the two systems' chances on GRID, and the copula's parameter."""

    first: Floats
    second: Floats
    latent: float

    @classmethod
    def of(cls, one: float, two: float, *, icc: float, correlation: float) -> Self:
        """`one`, `two`: the means. Where the correlation is impossible, the highest possible one."""
        first, second = _quantiles(one, icc), _quantiles(two, icc)
        return cls(first, second, _latent(first, second, correlation))

    def draw(self, rng: np.random.Generator, clusters: int) -> tuple[Floats, Floats]:
        """One chance per cluster for each system."""
        z, other = rng.standard_normal((2, clusters))
        joined = self.latent * z + np.sqrt(1 - self.latent**2) * other
        return np.interp(z, GRID, self.first), np.interp(joined, GRID, self.second)

    def most_alike(self, rng: np.random.Generator) -> float:
        """The correlation of two answers to one sentence, beyond the cluster's, if both systems had the same luck. 1
        where the chances are the same, less where they differ; 0 where there is no luck."""
        one, two = self.draw(rng, 10_000)
        left = np.sqrt((one * (1 - one)).mean() * (two * (1 - two)).mean())
        return float((np.minimum(one, two) - one * two).mean() / left) if left > 0 else 0.0


def _quantiles(mean: float, icc: float) -> Floats:
    if icc <= 1 / LARGEST or mean in (0.0, 1.0):
        return np.full_like(GRID, mean)
    scale, beta = max((1 - icc) / icc, SMALLEST), scipy.stats.beta
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
    return float(scipy.optimize.brentq(lambda latent: reached(latent) - correlation, 0.0, 1.0, xtol=1e-4))
