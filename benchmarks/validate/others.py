"""The methods ours are measured against: what a careful analyst would try. Each takes cluster sums, gives two ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from benchmarks.validate.layouts import Floats
from scipy import stats

Ends = tuple[float, float]


def linear(hits: Floats, n: Floats) -> tuple[float, float, float]:
    """A share over clusters: estimate, cluster-robust standard error (CR1), degrees of freedom."""
    clusters = len(n)
    share = float(hits.sum() / n.sum())
    error = np.sqrt(((hits - n * share) ** 2).sum() * clusters / (clusters - 1)) / n.sum()
    return share, float(error), clusters - 1


def t_interval(hits: Floats, n: Floats) -> Ends:
    """Cluster-robust t."""
    share, error, freedom = linear(hits, n)
    reach = stats.t.ppf(0.975, freedom) * error
    return max(share - reach, 0.0), min(share + reach, 1.0)


def logit_t(hits: Floats, n: Floats) -> Ends:
    """The same on the log-odds, as survey packages do."""
    share, error, freedom = linear(hits, n)
    if not 0 < share < 1 or error == 0:
        return share, share
    reach = stats.t.ppf(0.975, freedom) * error / (share * (1 - share))
    middle = np.log(share / (1 - share))
    return float(1 / (1 + np.exp(reach - middle))), float(1 / (1 + np.exp(-reach - middle)))


def korn_graubard(hits: Floats, n: Floats) -> Ends:
    """Clopper & Pearson on the effective sample size with the t correction (1998)."""
    share, error, freedom = linear(hits, n)
    total = float(n.sum())
    size = share * (1 - share) / error**2 if error > 0 else total
    size = min(size * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, freedom)) ** 2, total)
    low = stats.beta.ppf(0.025, size * share, size * (1 - share) + 1) if share > 0 else 0.0
    high = stats.beta.ppf(0.975, size * share + 1, size * (1 - share)) if share < 1 else 1.0
    return float(low), float(high)


def wilson(hits: Floats, n: Floats) -> Ends:
    """Wilson's interval on the probes, as if they were independent."""
    ends = stats.binomtest(round(float(hits.sum())), int(n.sum())).proportion_ci(method="wilson")
    return float(ends.low), float(ends.high)


def beta_binomial(hits: Floats, n: Floats) -> Ends:
    """One correlation within clusters of all sizes, by moments (Kleinman 1973), and a t interval on the log-odds."""
    share, total, clusters = float(hits.sum() / n.sum()), float(n.sum()), len(n)
    if not 0 < share < 1:
        return share, share
    weight = float((n * (1 - n / total)).sum())
    between = float((n * (hits / n - share) ** 2).sum())
    spread = share * (1 - share)
    room = spread * (weight - float((1 - n / total).sum()))
    icc = (between - spread * float((1 - n / total).sum())) / room if room > 0 else 0.0
    effect = 1 + (float((n**2).sum()) / total - 1) * float(np.clip(icc, 0.0, 1.0))
    reach = stats.t.ppf(0.975, clusters - 1) * np.sqrt(effect / (total * spread))
    middle = np.log(share / (1 - share))
    return float(1 / (1 + np.exp(reach - middle))), float(1 / (1 + np.exp(-reach - middle)))


def percentile(hits: Floats, n: Floats, rng: np.random.Generator) -> Ends:
    """Percentiles of the cluster bootstrap."""
    drawn = rng.multinomial(len(n), np.full(len(n), 1 / len(n)), size=500)
    low, high = np.quantile(drawn @ hits / (drawn @ n), [0.025, 0.975])
    return float(low), float(high)


def shares(hits: Floats, n: Floats, rng: np.random.Generator) -> dict[str, Ends]:
    """Every method for a share."""
    return {
        "t": t_interval(hits, n),
        "logit t": logit_t(hits, n),
        "Korn-Graubard": korn_graubard(hits, n),
        "bootstrap": percentile(hits, n, rng),
        "Wilson": wilson(hits, n),
        "beta-binomial": beta_binomial(hits, n),
    }


def jackknife_t(cells: Floats, formula: Callable[[Floats], Floats]) -> Ends:
    """Any formula of sums: leave out one cluster at a time."""
    clusters, totals = len(cells), cells.sum(axis=0)
    value = float(formula(totals[None, :])[0])
    left_out = formula(totals - cells)
    error = np.sqrt((clusters - 1) / clusters * ((left_out - left_out.mean()) ** 2).sum())
    reach = float(stats.t.ppf(0.975, clusters - 1)) * float(error)
    return value - reach, value + reach


def paired_t(differences: Floats) -> Ends:
    """Differences of equally large clusters: the paired t interval."""
    reach = float(stats.t.ppf(0.975, len(differences) - 1)) * float(stats.sem(differences))
    return float(differences.mean()) - reach, float(differences.mean()) + reach


def welch(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Ends:
    """Two groups of clusters: Welch's t with cluster-robust errors."""
    (a, u, f), (b, v, g) = linear(*first), linear(*second)
    variance = u**2 + v**2
    freedom = variance**2 / (u**4 / f + v**4 / g) if variance > 0 else 1.0
    reach = float(stats.t.ppf(0.975, freedom) * np.sqrt(variance))
    return a - b - reach, a - b + reach


def means(values: Floats, rng: np.random.Generator) -> dict[str, Ends]:
    """A mean of heavy-tailed values: t, t on the log scale, percentile bootstrap, bootstrap-t."""
    n, mean, error = len(values), float(values.mean()), float(stats.sem(values))
    t = float(stats.t.ppf(0.975, n - 1))
    drawn = values[rng.integers(0, n, (500, n))]
    low, high = np.quantile(drawn.mean(axis=1), [0.025, 0.975])
    studentised = (drawn.mean(axis=1) - mean) / np.maximum(drawn.std(axis=1, ddof=1) / np.sqrt(n), 1e-12)
    below, above = np.quantile(studentised, [0.025, 0.975])
    ends = {"t": (max(mean - t * error, 0.0), mean + t * error), "bootstrap": (float(low), float(high))}
    ends["bootstrap-t"] = (max(mean - above * error, 0.0), mean - below * error)
    if mean > 0:
        factor = float(np.exp(min(t * error / mean, 50.0)))
        ends["log t"] = (mean / factor, mean * factor)
    return ends
