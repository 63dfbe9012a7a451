"""Classical tests, corrections for many tests, effect sizes. The cluster-aware tests are in equality.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import scipy

from evenhand.errors import BadInput, Unknown
from evenhand.statistics.measure import Floats

Correction = Literal["bonferroni", "holm", "bh", "none"]


@dataclass(frozen=True)
class Test:
    """A test's name, its statistic (None where it has none) and its p-value."""

    name: str
    statistic: float | None
    p: float


def _counts(table: npt.ArrayLike) -> Floats:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or (counts < 0).any() or not np.isfinite(counts).all():
        raise BadInput("a contingency table needs two dimensions and counts of 0 or more")
    return counts


def chi_square(table: npt.ArrayLike, *, yates: bool = True) -> Test:
    """Pearson's chi-square test of independence on a table of counts, rows by columns. `yates` applies the continuity
    correction to 2 x 2 tables (as Troles & Schmid 2021 did). Every sentence counts as independent. NaN where a row or
    column has no counts."""
    counts = _counts(table)
    name = "chi-square (Yates)" if yates and counts.shape == (2, 2) else "chi-square"
    if not (counts.any(axis=0).all() and counts.any(axis=1).all()):
        return Test(name, np.nan, np.nan)
    expected = _expected(counts)
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if yates and freedom == 1:
        away = expected - counts
        counts = counts + np.sign(away) * np.minimum(0.5, np.abs(away))
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return Test(name, statistic, float(scipy.special.chdtrc(freedom, statistic)) if freedom else 1.0)


def _expected(counts: Floats) -> Floats:
    return np.asarray(counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / counts.sum())


def fisher_exact(table: npt.ArrayLike) -> Test:
    """Fisher's exact test (two-sided) on a 2 x 2 table, for cells too small for chi-square; 1 where a margin is empty.
    Computed from the hypergeometric distribution, because loading SciPy's `stats` takes a second."""
    counts = _counts(table)
    if counts.shape != (2, 2):
        raise BadInput(f"Fisher's exact test here takes a 2 x 2 table, not {counts.shape[0]} x {counts.shape[1]}")
    (a, b), (c, d) = np.floor(counts)
    first = np.arange(max(0.0, a - d), a + min(b, c) + 1)  # possible values of the first cell
    logs = -scipy.special.gammaln(np.stack([first, a + b - first, a + c - first, d - a + first]) + 1).sum(axis=0)
    chances = np.exp(logs - logs.max())
    as_unlikely = chances <= chances[int(a - first[0])] * (1 + 1e-7)  # equal ones differ in their last digits
    return Test("Fisher exact", None, min(1.0, float(chances[as_unlikely].sum() / chances.sum())))


def independence(table: npt.ArrayLike) -> Test:
    """Chi-square with Yates' correction, or Fisher's exact test when a 2 x 2 table expects fewer than 5 in a cell."""
    counts = _counts(table)
    small = counts.shape == (2, 2) and counts.sum() > 0 and _expected(counts).min() < 5
    return fisher_exact(counts) if small else chi_square(counts)


def adjust(p_values: Sequence[float] | Floats, method: Correction = "holm") -> Floats:
    """P-values corrected for their number. NaN (no test was possible) stays NaN and does not count. bonferroni: p times
    the number of tests; holm: its step-down form, never weaker; bh: Benjamini and Hochberg 1995, for the share of false
    discoveries instead of the chance of any."""
    p = np.asarray(p_values, dtype=np.float64)
    if method not in get_args(Correction):
        raise Unknown("correction", method, get_args(Correction))
    tested = np.isfinite(p)
    if ((p[tested] < 0) | (p[tested] > 1)).any():
        raise BadInput("p-values must be between 0 and 1")
    if not tested.any() or method == "none":
        return p.copy()
    count, result = int(tested.sum()), p.copy()
    order = np.argsort(p[tested], kind="stable")
    ranked = p[tested][order]
    if method == "bonferroni":
        ranked = ranked * count
    elif method == "holm":
        ranked = np.maximum.accumulate(ranked * (count - np.arange(count)))
    else:
        ranked = np.minimum.accumulate((ranked * count / (np.arange(count) + 1))[::-1])[::-1]
    result[np.flatnonzero(tested)[order]] = np.minimum(ranked, 1.0)
    return result


def cohens_h(first: float, second: float) -> float:
    """Cohen's h, 2 asin(sqrt(p1)) - 2 asin(sqrt(p2)): between -pi and pi; .2 small, .5 medium, .8 large."""
    return float(2 * np.arcsin(np.sqrt(first)) - 2 * np.arcsin(np.sqrt(second)))
