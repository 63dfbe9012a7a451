"""Differences between groups of one run, tested with and without regard to clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import polars as pl

from evenhand.level import ALPHA
from evenhand.measures.rows import Row, columns
from evenhand.measures.sampling import Estimated, Sampler
from evenhand.measures.scarce import scarce
from evenhand.measures.sensitivity import sensitivity
from evenhand.statistics.classical import Test, adjust, cohens_h, cramers_v, independence
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Job, Statistics
from evenhand.storage.tables import ALL

MOST_LEVELS = 4  # a grouping with more levels than this has too many pairs to be worth reading


@dataclass(frozen=True)
class Part:
    """One level of one grouping and the rows in it."""

    group: str
    level: str
    table: pl.DataFrame


@dataclass(frozen=True)
class Measured:
    """A measure on one part, with its interval."""

    part: Part
    estimated: Estimated

    @property
    def job(self) -> Job:
        return self.estimated.job


def base_rate_rows(measured: Sequence[Measured], sampler: Sampler) -> list[Row]:
    """Each group against the whole run (SBias), the tests corrected over the groups of a grouping.

    What is tested and drawn is the group against the rest of the run: the group is part of the whole and moves it.
    """
    chosen = [m for m in measured if m.job.measure.against_base]
    whole = {m.job.measure.name: m for m in chosen if m.part.group == ALL}
    families: dict[str, list[tuple[Measured, Estimated]]] = {}
    for m in chosen:
        if m.part.group != ALL:
            job = Job(m.job.measure, without(whole[m.job.measure.name].job.statistics, m.job.statistics))
            family = f"{m.job.measure.name} by {m.part.group}"
            families.setdefault(family, []).append((m, sampler.estimate(job)))
    rows = []
    for family, members in families.items():
        base = whole[members[0][0].job.measure.name].estimated
        p, adjusted = sampler.against_rest(base, [(m.estimated, rest) for m, rest in members])
        for (m, rest), one, other in zip(members, p, adjusted, strict=True):
            row = _row(m, m.part.level, base.interval.n, family) | columns(_from_base(m.estimated, rest, base, sampler))
            row |= {"p": float(one), "p_adjusted": float(other)}
            parts = ((m.part.level, m.estimated), ("the rest", rest))
            rows.append(scarce(row, parts, sampler.cluster_name, 1 - sampler.level))
    return [told_apart(row, 1 - sampler.level) for row in rows]


def without(whole: Statistics, part: Statistics) -> Statistics:
    """The statistics of all rows but those of a part."""
    together = np.concatenate([whole.codes, part.codes])
    codes, index = np.unique(together, axis=0, return_inverse=True)
    cells = np.zeros((len(codes), whole.cells.shape[1]))
    np.add.at(cells, index.reshape(-1), np.concatenate([whole.cells, -part.cells]))
    kept = cells.sum(axis=1) > 1e-9
    valid = None if whole.valid is None or part.valid is None else whole.valid - part.valid
    return Statistics(codes[kept], cells[kept], whole.names, whole.n - part.n, whole.decided - part.decided, valid)


def _from_base(group: Estimated, rest: Estimated, base: Estimated, sampler: Sampler) -> Interval:
    """A group minus the whole run: its difference from the rest, times the rest's share of the renderings."""
    value = group.interval.value - base.interval.value
    gap = sampler.difference(group, rest)
    if not np.isfinite(gap.low) or group.linearised is None or rest.linearised is None:
        return Interval(value, np.nan, np.nan, gap.n, gap.method)
    share = rest.linearised.n / (group.linearised.n + rest.linearised.n)
    low, high = value + share * (gap.low - gap.value), value + share * (gap.high - gap.value)
    return Interval(value, low, high, gap.n, gap.method)


def contrast_rows(measured: Sequence[Measured], sampler: Sampler) -> list[Row]:
    """Every pair of levels in groupings of two to four levels, the tests corrected within measure and grouping."""
    rows, parts = [], []
    for first, second in pairs(measured):
        p = sampler.p_value(first.estimated, second.estimated)
        gap = sampler.difference(first.estimated, second.estimated)
        label, family = f"{first.part.level} - {second.part.level}", f"{first.job.measure.name} by {first.part.group}"
        row = _row(first, label, gap.n, family, second) | columns(gap) | {"p": p}
        row |= _independent(first, second, p)
        one, two = ((m.part.level, m.job, m.part.table) for m in (first, second))
        notes = (str(row.get("note") or ""), sensitivity(one, two, gap, p))
        rows.append(row | {"note": "; ".join(note for note in notes if note) or None})
        parts.append([(m.part.level, m.estimated) for m in (first, second)])
    alpha = 1 - sampler.level
    told = [scarce(row, both, sampler.cluster_name, alpha) for row, both in zip(corrected(rows), parts, strict=True)]
    return [told_apart(row, alpha) for row in told]


def told_apart(row: Row, alpha: float) -> Row:
    """A row with a remark where its interval and its corrected test do not say the same.

    They are different methods, each of which holds its own rate of error (docs/validation.md): the interval draws the
    composition of each group, the test arranges clusters or flips their signs. Near the limit they may part.
    """
    numbers = [row[name] for name in ("low", "high", "p_adjusted")]
    low, high, p = (number if isinstance(number, float) else math.nan for number in numbers)
    holds = low <= 0 <= high
    if math.isnan(low + high + p) or holds == (p >= alpha):
        return row
    only = "the test finds a difference, the interval holds 0"
    which = only if holds else "the interval leaves 0 out, the test finds no difference"
    remark = (
        f"interval and corrected p are of different methods and part here: {which}; near the limit, no firm finding"
    )
    return row | {"note": "; ".join(filter(None, (str(row.get("note") or ""), remark)))}


def pairs(measured: Sequence[Measured]) -> Iterator[tuple[Measured, Measured]]:
    """Pairs of levels worth comparing: same measure, same grouping."""
    usable = [m for m in measured if m.part.group != ALL and not m.job.measure.against_base]

    def key(m: Measured) -> tuple[str, str]:
        return m.part.group, m.job.measure.name

    for _, members in groupby(sorted(usable, key=key), key=key):
        levels = list(members)
        if len(levels) <= MOST_LEVELS:
            yield from combinations(levels, 2)


def _row(first: Measured, label: str, clusters: int, family: str, second: Measured | None = None) -> Row:
    parts = [m.job.statistics for m in (first, second) if m is not None]
    valid = [s.valid for s in parts]
    return {
        "measure": first.job.measure.name,
        "group": first.part.group,
        "level": label,
        "variant": "raw",
        "n": sum(s.n for s in parts),
        "n_decided": sum(s.decided for s in parts),
        "n_valid": None if None in valid else sum(v for v in valid if v is not None),
        "n_clusters": clusters,
        "family": family,
    }


def _independent(first: Measured, second: Measured, p: float) -> Row:
    """The test that takes sentences for independent, beside the cluster-robust p."""
    table = counts(first, second)
    if table is None:
        return {}
    test = independence(table)
    shares = table[:, 0] / table.sum(axis=1)
    return {
        "independent_test": test.name,
        "independent_statistic": test.statistic,
        "independent_p": test.p,
        "effect": cohens_h(float(shares[0]), float(shares[1])),
        "note": compare_tests(test, p, cramers_v(table)),
    }


def counts(first: Measured, second: Measured) -> np.ndarray | None:
    """The 2 x 2 table [this cell, the others] x [first, second] of a measure that is a share; else None."""
    column = first.job.measure.proportion
    if column is None:
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
    robust = f"cluster-robust p {p:.2g}" if np.isfinite(p) else "no cluster-robust p: too few clusters"
    strength = f", Cramer's V {association:.3f}" if np.isfinite(association) else ""
    text = f"{test.name}{value} p {test.p:.2g}, {robust}{strength}"
    if np.isfinite(p) and (test.p < ALPHA) != (p < ALPHA):
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
