"""Intervals for averages over occupations, where a few may carry half of the sum.

A percentile bootstrap or a t interval of such an average is far too short: the sample that misses the heavy occupations
is also the one that looks least variable. But what makes an occupation heavy is known beforehand. B of an occupation is
its stake (fixed by the share of women) times the share of wrong pronouns (between 0 and 1, observed), so the mean of B
is the mean stake times the share of wrong pronouns weighted by stake. The weighted share has the interval of a
proportion with the effective number of occupations (sum a)^2 / sum a^2 (Kish 1965; Korn & Graubard 1998); the mean
stake varies with the choice of occupations; on the log scale the two are put together (Donner & Zou 2012, Statistical
Methods in Medical Research 21: the method of variance estimates recovery).
"""

from __future__ import annotations

import numpy as np

from evenhand.level import tails
from evenhand.statistics.design_effect import Seen
from evenhand.statistics.effective import PSEUDO
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats
from evenhand.statistics.quantiles import student_quantile

DRAWS = 4_000
FEWEST = 3


def none(value: float, n: int, why: str) -> Interval:
    """A value that gets no interval, and why."""
    return Interval(value, np.nan, np.nan, n, f"none: {why}")


def weighted_share(shares: Floats, weights: Floats, *, level: float) -> tuple[float, float]:
    """Interval of a weighted mean of shares between 0 and 1, one a cluster, some of which may weigh as much as many."""
    total = float(weights.sum())
    share = float(shares @ weights) / total
    units = total**2 / float((weights**2).sum())  # clusters of one weight that say as much
    moves = weights * (shares - share) / total
    spread, most = float((moves**2).sum()), share * (1 - share) / units
    held = float((moves**4).sum())
    k = spread**2 / held if held > 0 else 0.0
    count = int((weights > 0).sum())
    # 1 when every cluster is all right or all wrong, less where clusters are in between
    effect = spread * count / (count - 1) / most if most > 0 else 0.0
    seen = Seen(effect, min(k / max(1 - k / count, 1e-9), count - 1.0), 1.0, units * share * (1 - share))
    rng = np.random.default_rng(0)  # the same for all: an average has no other randomness
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
        return none(value, count, "no occupation has anything at stake")
    low, high = weighted_share(shares, heavy, level=level)
    share = value / mean_stake
    moves = weights * (stakes - mean_stake) / weights.sum()
    error = np.sqrt(float((moves**2).sum()) * count / (count - 1)) / mean_stake
    choice = student_quantile(tails(level)[1], count - 1) * float(error)
    units = float(heavy.sum()) ** 2 / float((heavy**2).sum())
    method = f"stake-weighted share of wrong pronouns, worth {units:.0f} of {count} occupations"
    if share <= 0:
        return Interval(value, 0.0, high * mean_stake * np.exp(choice), count, method)
    bottom = 0.0 if low <= 0 else value * np.exp(-np.hypot(np.log(share / low), choice))
    return Interval(value, float(bottom), value * float(np.exp(np.hypot(np.log(high / share), choice))), count, method)


def mean(values: Floats, weights: Floats, *, level: float, bounds: tuple[float, float]) -> Interval:
    """Weighted mean of light-tailed values (errors between 0 and 1/2): Student's t over occupations, within bounds."""
    count = int((weights > 0).sum())
    value = float(values @ weights / weights.sum())
    share = weights / weights.sum()
    error = np.sqrt(float((share**2 * (values - value) ** 2 / np.maximum(1 - share, 1e-9)).sum()))
    reach = student_quantile(tails(level)[1], count - 1) * float(error)
    low, high = max(value - reach, bounds[0]), min(value + reach, bounds[1])
    return Interval(value, low, high, count, f"t over {count} occupations")


def trimmed(values: Floats, value: float, *, trim: float, level: float) -> Interval:
    """A trimmed mean with Yuen's interval (1974, Biometrika 61): the variance of the winsorised values."""
    ordered, n = np.sort(values), len(values)
    cut = int(trim * n)
    kept = n - 2 * cut
    pulled_in = np.clip(ordered, ordered[cut], ordered[n - 1 - cut])
    error = float(np.sqrt(((pulled_in - pulled_in.mean()) ** 2).sum() / (kept * (kept - 1))))
    reach = student_quantile(tails(level)[1], kept - 1) * error
    return Interval(value, max(value - reach, 0.0), value + reach, n, f"Yuen's t over {kept} of {n} occupations")


def median(values: Floats, value: float, *, level: float) -> Interval:
    """The median with the order statistics that hold it with at least this chance, whatever the distribution."""
    from scipy.stats import binom

    ordered, n = np.sort(values), len(values)
    rank = int(binom.ppf(tails(level)[0], n, 0.5))  # the largest number of values that may lie outside either end
    while rank > 0 and binom.cdf(rank - 1, n, 0.5) > tails(level)[0] + 1e-12:
        rank -= 1
    if rank < 1:
        return none(value, n, f"{n} occupations are too few for the median's interval")
    return Interval(
        value, float(ordered[rank - 1]), float(ordered[n - rank]), n, f"order statistics of {n} occupations"
    )
