"""Differences between groups of one run, tested with and without regard to clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import polars as pl

from evenhand.level import ALPHA
from evenhand.measures.rows import Row, lead
from evenhand.measures.sampling import Sampler
from evenhand.statistics.bootstrap import Job
from evenhand.statistics.classical import Test, adjust, cohens_h, cramers_v, independence
from evenhand.statistics.cluster_intervals import Sampled
from evenhand.tables import ALL

MOST_LEVELS = 4  # a grouping with more levels than this has too many pairs to be worth reading


@dataclass(frozen=True)
class Part:
    """One level of one grouping and the rows in it."""

    group: str
    level: str
    table: pl.DataFrame


@dataclass(frozen=True)
class Measured:
    """A measure on one part, sampled over the first cluster axis and, where clusters cross, over all of them."""

    part: Part
    job: Job
    sampled: list[Sampled]


def base_rate_rows(measured: Sequence[Measured], sampler: Sampler) -> list[Row]:
    """Each group against the whole run (SBias), the tests corrected over the groups of a grouping (Holm)."""
    chosen = [m for m in measured if m.job.measure.against_base]
    whole = {m.job.measure.name: m for m in chosen if m.part.group == ALL}
    rows = []
    for m in chosen:
        if m.part.group != ALL:
            rows.append(_difference(m, whole[m.job.measure.name], m.part.level, sampler))
    return corrected(rows)


def contrast_rows(measured: Sequence[Measured], sampler: Sampler) -> list[Row]:
    """Every pair of levels in groupings of two to four levels, the tests corrected within measure and grouping."""
    rows = []
    for first, second in pairs(measured):
        rows.append(_difference(first, second, f"{first.part.level} - {second.part.level}", sampler))
    return corrected(rows)


def pairs(measured: Sequence[Measured]) -> Iterator[tuple[Measured, Measured]]:
    """Pairs of levels worth comparing: same measure, same grouping."""
    usable = [m for m in measured if m.part.group != ALL and not m.job.measure.against_base]

    def key(m: Measured) -> tuple[str, str]:
        return m.part.group, m.job.measure.name

    for _, members in groupby(sorted(usable, key=key), key=key):
        levels = list(members)
        if len(levels) <= MOST_LEVELS:
            yield from combinations(levels, 2)


def _difference(first: Measured, second: Measured, label: str, sampler: Sampler) -> Row:
    by_axes = sampler.differences(first.sampled, second.sampled)
    columns, words = lead([interval for interval, _ in by_axes])
    p = robust_p([p for _, p in by_axes])
    row: Row = {
        "measure": first.job.measure.name,
        "group": first.part.group,
        "level": label,
        "variant": "raw",
        "n": first.job.statistics.n if second.part.group == ALL else first.job.statistics.n + second.job.statistics.n,
        "n_decided": first.job.statistics.decided + (0 if second.part.group == ALL else second.job.statistics.decided),
        "n_valid": _valid(first, second),
        "n_clusters": len(first.sampled[0].clusters(0) | second.sampled[0].clusters(0)),
        "p": p,
        "family": f"{first.job.measure.name} by {first.part.group}",
    }
    notes = [words]
    table = counts(first, second)
    if table is not None:
        test = independence(table)
        shares = table[:, 0] / table.sum(axis=1)
        row |= {"independent_test": test.name, "independent_statistic": test.statistic, "independent_p": test.p}
        row["effect"] = cohens_h(float(shares[0]), float(shares[1]))
        notes.append(compare_tests(test, p, cramers_v(table)))
    return row | columns | {"note": "; ".join(n for n in notes if n) or None}


def _valid(first: Measured, second: Measured) -> int | None:
    """Valid renderings of both parts, of the first where the second holds it; None where nobody looked."""
    one, other = first.job.statistics.valid, second.job.statistics.valid
    if one is None or second.part.group == ALL:
        return one
    return None if other is None else one + other


def robust_p(p_values: Sequence[float]) -> float:
    """The most cautious of the tests over one axis and over all."""
    finite = [p for p in p_values if np.isfinite(p)]
    return max(finite) if finite else float("nan")


def counts(first: Measured, second: Measured) -> np.ndarray | None:
    """The 2 x 2 table [this cell, the others] x [first, second] of a measure that is a share; else None.

    None too where the second part contains the first (a group against the whole run): they are not two samples.
    """
    column = first.job.measure.proportion
    if column is None or second.part.group == ALL:
        return None
    totals = np.array([m.job.statistics.cells.sum(axis=0) for m in (first, second)])
    hits = totals[:, column]
    table = np.column_stack([hits, totals.sum(axis=1) - hits])
    return table if (table.sum(axis=1) > 0).all() else None


def compare_tests(test: Test, p: float, association: float) -> str:
    """Both tests in words, and whether they agree at ALPHA."""
    if not np.isfinite(test.p):
        return "no test: one of the groups has nothing to compare, or all renderings are alike"
    value = "" if test.statistic is None else f" {test.statistic:.2f}"
    text = f"{test.name}{value} p {test.p:.2g}, cluster-robust p {p:.2g}, Cramer's V {association:.3f}"
    if np.isfinite(p) and np.isfinite(test.p) and (test.p < ALPHA) != (p < ALPHA):
        finding = (
            "only the test that takes sentences for independent" if test.p < ALPHA else "only the cluster-robust test"
        )
        return f"{text}: the tests disagree, {finding} finds a difference"
    return text


def corrected(rows: list[Row]) -> list[Row]:
    """Rows with `p_adjusted` (Holm) within each family."""
    for family in dict.fromkeys(r["family"] for r in rows):
        members = [r for r in rows if r["family"] == family]
        p = [float(r["p"]) if isinstance(r["p"], float) else float("nan") for r in members]
        for row, value in zip(members, adjust(p, "holm"), strict=True):
            row["p_adjusted"] = float(value)
    return rows
