"""Differences between groups of one run, tested with and without regard to clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.level import ALPHA
from evenhand.measures.corrected import Corrected
from evenhand.measures.definitions.counts import Counted, is_gender
from evenhand.measures.rows import EstimateRow, columns
from evenhand.measures.sampling import Estimated, Sampler
from evenhand.statistics.between import SILENT
from evenhand.statistics.classical import Test, adjust, cohens_h, cramers_v, independence
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.storage.tables import ALL

MOST_LEVELS = 4  # a grouping with more levels than this has too many pairs to be worth reading


@dataclass(frozen=True)
class GroupPart:
    """One level of one grouping and the rows in it."""

    group: str
    level: str
    table: pl.DataFrame


@dataclass(frozen=True)
class Measured:
    """A measure on one part, with its interval."""

    part: GroupPart
    estimated: Estimated

    @property
    def job(self) -> Job:
        return self.estimated.job


def base_rate_rows(measured: Sequence[Measured], sampler: Sampler) -> list[EstimateRow]:
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


def contrast_rows(measured: Sequence[Measured], sampler: Sampler) -> list[EstimateRow]:
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


def told_apart(row: EstimateRow, alpha: float) -> EstimateRow:
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


def _row(first: Measured, label: str, clusters: int, family: str, second: Measured | None = None) -> EstimateRow:
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


def _independent(first: Measured, second: Measured, p: float) -> EstimateRow:
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


def corrected(rows: list[EstimateRow]) -> list[EstimateRow]:
    """Rows with `p_adjusted` (Holm) within each family."""
    for family in dict.fromkeys(r["family"] for r in rows):
        members = [r for r in rows if r["family"] == family]
        p = [float(r["p"]) if isinstance(r["p"], float) else float("nan") for r in members]
        for row, value in zip(members, adjust(p, "holm"), strict=True):
            row["p_adjusted"] = float(value)
    return rows


# Says where a difference between two groups hangs on so few occupations that its test cannot be sure.
# In a group in which one or two occupations show a woman, nothing tells how far the sentences of one occupation go
# together; where they do so much more than in the other group, such differences come up by chance more often than the
# p says (docs/validation.md). Two sayings: a difference with a small p is no firm finding; one that only a test
# without regard to clusters finds is too few to tell, not none.

NamedEstimate = tuple[str, Estimated]  # what a group is called, and its estimate


def scarce(row: EstimateRow, parts: Sequence[NamedEstimate], clusters: str, alpha: float) -> EstimateRow:
    """A tested row with a remark where a part has too few renderings that move the measure; else as it is.

    `clusters` names what the first axis counts. Parts that share clusters, or in which several axes cross, are tested
    otherwise and have no remark. Neither has a part in which at most one rendering moves and the p is small: such a p
    already takes the sentences of an occupation to go together (statistics/between.py).
    """
    corrected, independent = _first_number(row, "p_adjusted", "p"), _first_number(row, "independent_p")
    if not np.isfinite(corrected) or not _apart(parts):
        return row
    shown = corrected < alpha
    few = [
        _told(name, one, clusters)
        for name, one in parts
        if one.seen is not None and one.seen.movers < SILENT and (not shown or _other(one).sum() > 1)
    ]
    if not few or not (shown or independent < alpha):
        return row
    words = "no firm finding" if shown else "too few to tell"
    remark = f"{words}: {' and '.join(few)}, which does not show how far the sentences of one go together"
    return row | {"note": "; ".join(filter(None, (str(row.get("note") or ""), remark)))}


def _first_number(row: EstimateRow, *names: str) -> float:
    """The first of these that is a number; NaN where none is."""
    return next((value for name in names if isinstance(value := row.get(name), float)), np.nan)


def _apart(parts: Sequence[NamedEstimate]) -> bool:
    """The parts share no cluster, and only one axis is sampled."""
    linearised = [one.linearised for _, one in parts if one.linearised is not None]
    if len(linearised) < len(parts) or any(len(one.axes()) > 1 for one in linearised):
        return False
    owned = np.concatenate([one.clusters(0) for one in linearised])
    return len(np.unique(owned)) == len(owned)


def _other(one: Estimated) -> Floats:
    """Renderings that are not what most of the part are, by row of its statistics."""
    statistics = one.job.statistics
    other: Floats = statistics.cells.sum(axis=1) - statistics.cells[:, np.argmax(statistics.summed)]
    return other


def _told(name: str, one: Estimated, clusters: str) -> str:
    """How many clusters of a part show anything but what most of its renderings are."""
    statistics = one.job.statistics
    usual = statistics.names[int(np.argmax(statistics.summed))]
    shown, present = (
        len(np.unique(statistics.codes[rows, 0])) for rows in (_other(one) > 0, statistics.cells.sum(axis=1) > 0)
    )
    return f"in {name} {shown} of {present} clusters ({clusters}) have any rendering other than {usual}"


# How wrong the detector would have to be for a conclusion about two groups to change.
# A detector that misses more of the women in one group than in the other (and takes them for men) makes, or hides, a
# difference. The line says how many more it would have to miss until the interval of the difference reaches 0 or
# leaves it: a conclusion that hangs on one or two percent needs labels, one that hangs on thirty does not.

SHARES: Floats = np.linspace(0.0, 0.9, 181)  # of the women missed: what is tried


def sensitivity(
    first: tuple[str, Job, pl.DataFrame], second: tuple[str, Job, pl.DataFrame], gap: Interval, p: float
) -> str:
    """One line about first minus second (level, job, rows); empty where interval and test disagree or are none, and
    where a group has no woman: how many were missed there cannot be told from those that were found."""
    if not np.isfinite(gap.low) or not np.isfinite(p) or (p < ALPHA) == (gap.low <= 0 <= gap.high):
        return ""
    shown = p < ALPHA
    # how far the difference has to rise (or, negative, fall) until its interval no longer says the same
    wanted = [-gap.low if gap.low > 0 else -gap.high] if shown else [-gap.low, -gap.high]
    options = []
    for (level, job, rows), (other, *_), sign in ((first, second, 1.0), (second, first, -1.0)):
        values = missing(job, rows)
        if values is None:
            return ""
        options += [(share, level, other) for rise in wanted if (share := _enough(values, sign * rise)) is not None]
    what = "would not be shown" if shown else "a difference would be shown"
    if not options:
        still = "would be shown" if shown else "no difference would be shown"
        return f"{still} even if the detector missed {_percent(SHARES[-1])} of the women in one group"
    share, level, other = min(options)
    return f"{what} if the detector missed {_percent(share)} more of the women in {level} than in {other}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def _enough(values: Floats, rise: float) -> float | None:
    """The smallest share of SHARES at which the value has risen this much (negative: fallen); None: none does.

    Values need not go one way only: P_S rises until women and men are as many, then falls.
    """
    risen = (values - values[0] - rise) * np.sign(rise)
    reached = np.flatnonzero(np.isfinite(risen) & (risen >= 0))
    if not len(reached) or not reached[0]:
        return None
    last = int(reached[0])
    return float(np.interp(0.0, risen[last - 1 : last + 1], SHARES[last - 1 : last + 1]))


def missing(job: Job, rows: pl.DataFrame) -> Floats | None:
    """The values if SHARES of the women had been taken for men; None where no verdicts or no women are counted."""
    measure = job.measure
    if not isinstance(measure, Counted) or "gender" not in measure.needs:
        return None
    totals = job.statistics.cells.sum(axis=0)
    if isinstance(measure, Corrected):
        repeated = np.broadcast_to(totals, (len(SHARES), len(totals)))
        return measure.formula_with(repeated, _worse(measure.matrices))
    moves, women, men = _contexts(measure, rows)
    if not women.any():
        return None
    taken = np.minimum(women * (SHARES / (1 - SHARES))[:, None], men)
    return measure.formula(totals + taken @ moves)


def _worse(matrices: Floats) -> Floats:
    """Confusion matrices of detectors that take SHARES of the women, besides, for men (shares x matrices x ...)."""
    female, male = DECIDED.index("female"), DECIDED.index("male")
    changed = np.repeat(matrices[None], len(SHARES), axis=0)
    changed[..., female, :] *= (1 - SHARES)[:, None, None]
    changed[..., female, male] += SHARES[:, None]
    return changed


def _contexts(measure: Counted, rows: pl.DataFrame) -> tuple[Floats, Floats, Floats]:
    """For each kind of probe what one man taken for a woman changes in the cells, and how many of both there are."""
    cells = measure.cells()
    parts = [
        rows.with_columns(gender=pl.lit(gender)).select(
            [e.fill_null(value=False).cast(pl.Int8).alias(f"{gender}:{name}") for name, e in cells.items()]
        )
        for gender in ("female", "male")
    ]
    counted = rows.select(
        women=is_gender("female").fill_null(value=False), men=is_gender("male").fill_null(value=False)
    )
    both = pl.concat([*parts, counted], how="horizontal")
    kinds = both.group_by([c for part in parts for c in part.columns]).agg(pl.col("women", "men").sum())
    as_woman, as_man = (kinds.select(part.columns).to_numpy().astype(np.float64) for part in parts)
    women, men = (kinds[c].to_numpy().astype(np.float64) for c in ("women", "men"))
    return as_woman - as_man, women, men
