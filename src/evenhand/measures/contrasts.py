"""Differences between groups of one run, tested with and without regard to clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.measures.bounds import extreme_assignments
from evenhand.measures.corrected import Corrected
from evenhand.measures.definitions.counts import Counted, is_gender
from evenhand.measures.rows import EstimateRow, columns
from evenhand.measures.sampling import Difference, Estimated, Sampler
from evenhand.statistics.classical import Test, adjust, cohens_h, cramers_v, independence
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.storage.tables import ALL

NamedEstimate = tuple[str, Estimated]  # what a group is called, and its estimate
NamedJob = tuple[str, Job, pl.DataFrame]  # the same, its job and its rows
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


@dataclass(frozen=True)
class Contrast:
    """A tested row that waits for the correction over all tests of its page."""

    row: EstimateRow
    parts: tuple[NamedEstimate, NamedEstimate]
    gap: Difference


def tested_rows(measured: Sequence[Measured], sampler: Sampler) -> list[EstimateRow]:
    """Each group against the whole run (SBias) and against each other group; all tests of a page are one family."""
    contrasts = [*_base_rates(measured, sampler), *_contrasts(measured, sampler)]
    p = np.array([contrast.gap.p for contrast in contrasts])
    adjusted = sampler.corrected(p, [(one, two) for (_, one), (_, two) in (c.parts for c in contrasts)])
    count = int(np.isfinite(p).sum())
    family = f"groups of this run ({count} {'test' if count == 1 else 'tests'}, max-T)"
    return [
        scarce(contrast.row | {"p_adjusted": float(value), "family": family}, contrast, sampler)
        for contrast, value in zip(contrasts, adjusted, strict=True)
    ]


def _base_rates(measured: Sequence[Measured], sampler: Sampler) -> Iterator[Contrast]:
    """Groups minus the whole run. Tested is the group against the rest: it is part of the whole and moves it."""
    chosen = [m for m in measured if m.job.measure.against_base]
    whole = {m.job.measure.name: m for m in chosen if m.part.group == ALL}
    for m in (m for m in chosen if m.part.group != ALL):
        base = whole[m.job.measure.name]
        rest = sampler.estimate(Job(m.job.measure, without(base.job.statistics, m.job.statistics)))
        gap = sampler.difference(m.estimated, rest)
        row = _row(m, m.part.level, base.estimated.interval.n)
        row |= columns(_from_base(m.estimated, rest, base.estimated, gap)) | {"p": gap.p}
        yield Contrast(row, ((m.part.level, m.estimated), ("the rest", rest)), gap)


def without(whole: Statistics, part: Statistics) -> Statistics:
    """The statistics of all rows but those of a part."""
    together = np.concatenate([whole.codes, part.codes])
    codes, index = np.unique(together, axis=0, return_inverse=True)
    cells = np.zeros((len(codes), whole.cells.shape[1]))
    np.add.at(cells, index.reshape(-1), np.concatenate([whole.cells, -part.cells]))
    kept = cells.sum(axis=1) > 1e-9
    valid = None if whole.valid is None or part.valid is None else whole.valid - part.valid
    return Statistics(codes[kept], cells[kept], whole.names, whole.n - part.n, whole.decided - part.decided, valid)


def _from_base(group: Estimated, rest: Estimated, base: Estimated, gap: Difference) -> Interval:
    """A group minus the whole run: its difference from the rest, times the rest's share of the renderings."""
    value, ends = group.interval.value - base.interval.value, gap.interval()
    if not np.isfinite(ends.low) or group.linearised is None or rest.linearised is None:
        return Interval(value, np.nan, np.nan, ends.n, ends.method)
    share = rest.linearised.n / (group.linearised.n + rest.linearised.n)
    return Interval(value, share * ends.low, share * ends.high, ends.n, ends.method)


def _contrasts(measured: Sequence[Measured], sampler: Sampler) -> Iterator[Contrast]:
    """Every pair of levels in groupings of two to four levels."""
    for first, second in pairs(measured):
        gap = sampler.difference(first.estimated, second.estimated)
        ends = gap.interval()
        row = _row(first, f"{first.part.level} - {second.part.level}", ends.n, second) | columns(ends) | {"p": gap.p}
        row |= _independent(first, second, gap.p, 1 - sampler.level)
        one, two = ((m.part.level, m.job, m.part.table) for m in (first, second))
        undecided = undecided_tipping((one[:2], two[:2]), ends)
        row |= bounds_of_difference((first, second), ends) | {"tipping_undecided": undecided.share}
        row |= {"condition": undecided.note or None}
        notes = (str(row.get("note") or ""), sensitivity(one, two, ends), undecided.note)
        named = ((first.part.level, first.estimated), (second.part.level, second.estimated))
        yield Contrast(row | {"note": "; ".join(note for note in notes if note) or None}, named, gap)


def pairs(measured: Sequence[Measured]) -> Iterator[tuple[Measured, Measured]]:
    """Pairs of levels worth comparing: same measure, same grouping."""
    usable = [m for m in measured if m.part.group != ALL and not m.job.measure.against_base]

    def key(m: Measured) -> tuple[str, str]:
        return m.part.group, m.job.measure.name

    for _, members in groupby(sorted(usable, key=key), key=key):
        levels = list(members)
        if len(levels) <= MOST_LEVELS:
            yield from combinations(levels, 2)


def _row(first: Measured, label: str, clusters: int, second: Measured | None = None) -> EstimateRow:
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
    }


def _independent(first: Measured, second: Measured, p: float, alpha: float) -> EstimateRow:
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
        "note": compare_tests(test, p, cramers_v(table), alpha),
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


def compare_tests(test: Test, p: float, association: float, alpha: float) -> str:
    """Both tests in words, and whether they agree at `alpha`."""
    if not np.isfinite(test.p):
        return "no test: one of the groups has nothing to compare, or all renderings are alike"
    value = "" if test.statistic is None else f" {test.statistic:.2f}"
    robust = f"cluster-robust p {p:.2g}" if np.isfinite(p) else "no cluster-robust p: too few clusters"
    strength = f", Cramer's V {association:.3f}" if np.isfinite(association) else ""
    text = f"{test.name}{value} p {test.p:.2g}, {robust}{strength}"
    if np.isfinite(p) and (test.p < alpha) != (p < alpha):
        finding = (
            "only the test that takes sentences for independent" if test.p < alpha else "only the cluster-robust test"
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


# On what a difference between two groups depends. In a group in which hardly any occupation shows a woman, nothing says
# how far the sentences of one occupation go together; where they do so much more than in the other group, such
# differences come up by chance more often than the p says (docs/validation.md). A difference that is shown then says
# from which correlation on it would not be; one that only a test without regard to clusters finds, that the data are
# too few.

SILENT = 3.0  # effective renderings that move a measure, below which a group says nothing about its correlation


def scarce(row: EstimateRow, contrast: Contrast, sampler: Sampler) -> EstimateRow:
    """A tested row with a remark, and `tipping_icc`, where it depends on how alike the sentences of a cluster are."""
    alpha, clusters, parts = 1 - sampler.level, sampler.cluster_name, contrast.parts
    corrected, independent = _first_number(row, "p_adjusted", "p"), _first_number(row, "independent_p")
    remark, turned = "", None
    if corrected < alpha:
        turned = contrast.gap.tipping()
        if turned is not None:
            name = parts[turned[0]][0]
            remark = f"holds while sentences of one {clusters} in {name} correlate below {turned[1]:.2f}"
    elif independent < alpha and _apart(parts):
        few = [_told(name, one, clusters) for name, one in parts if one.seen is not None and one.seen.movers < SILENT]
        if few:
            remark = (
                f"too few to tell: {' and '.join(few)}, which does not show how far the sentences of one go together"
            )
    told = {name: "; ".join(filter(None, (str(row.get(name) or ""), remark))) or None for name in ("note", "condition")}
    return row | told | {"tipping_icc": None if turned is None else turned[1]}


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


# What the undecided renderings could change. Those of one group may be women more often than the decided ones (a form
# the detector does not know): the row has bounds over all assignments, and the difference from the decided ones at
# which a finding ends.


@dataclass(frozen=True)
class Undecided:
    """How much more often the undecided would have to be women, also in words; nothing where it cannot matter."""

    share: float | None = None
    note: str = ""

    def joined(self, more: str) -> Undecided:
        """With another condition in its note."""
        return Undecided(self.share, "; ".join(filter(None, (self.note, more))))


def undecided_tipping(
    parts: Sequence[tuple[str, Job]], gap: Interval, undecided: Sequence[int] | None = None
) -> Undecided:
    """From which share on a difference of shares would no longer be shown; none where no assignment changes it.

    `undecided` counts the renderings of each part that matter (of two systems those that only one leaves open).
    """
    if not np.isfinite(gap.low) or gap.low <= 0 <= gap.high:
        return Undecided()
    counts = undecided or [job.statistics.n - job.statistics.decided for _, job in parts]
    options = []
    for (name, job), open_, sign in zip(parts, counts, (1.0, -1.0), strict=True):
        measure, statistics = job.measure, job.statistics
        if measure.proportion is None or statistics.names[0] != "female" or not open_:
            continue
        totals = statistics.summed
        share = float(totals[0] / totals.sum())
        weight = open_ / (open_ + float(totals.sum()))
        # the measure counts women (or men): the side towards which this group has to move
        towards = -np.sign(gap.low) * sign * (1.0 if measure.proportion == 0 else -1.0)
        room = 1 - share if towards > 0 else share
        needed = (gap.low if gap.low > 0 else -gap.high) / weight
        if needed <= room:
            options.append((needed, name, "more" if towards > 0 else "less"))
    if not options:
        return Undecided()
    needed, name, way = min(options)
    words = f"not significant if the undecided of {name} were women {100 * needed:.0f} points {way} often"
    return Undecided(needed, f"{words} than its decided ones")


def bounds_of_difference(parts: tuple[Measured, Measured], gap: Interval) -> EstimateRow:
    """Bounds of first minus second over all assignments of the undecided; empty where nothing is undecided."""
    found = [extreme_assignments(m.part.table, m.job) for m in parts]
    if not np.isfinite(gap.low) or not any(found):
        return {}
    values = [m.job.point() for m in parts]
    lowest, highest = (
        [ends[side].point() if ends else value for ends, value in zip(found, values, strict=True)] for side in (0, 1)
    )
    bottom, top = parts[0].job.measure.bounds
    return {
        "bounds_low": max(gap.low - (values[0] - lowest[0]) - (highest[1] - values[1]), bottom - top),
        "bounds_high": min(gap.high + (highest[0] - values[0]) + (values[1] - lowest[1]), top - bottom),
    }


# How wrong the detector would have to be for a conclusion about two groups to change.
# A detector that misses more of the women in one group than in the other (and takes them for men) makes, or hides, a
# difference. The line says how many more it would have to miss until the interval of the difference reaches 0 or
# leaves it: a conclusion that hangs on one or two percent needs labels, one that hangs on thirty does not.

SHARES: Floats = np.linspace(0.0, 0.9, 181)  # of the women missed: what is tried


def sensitivity(first: NamedJob, second: NamedJob, gap: Interval) -> str:
    """One line about first minus second (level, job, rows); empty where there is no interval, and where a group has no
    woman: how many were missed there does not follow from those that were found."""
    if not np.isfinite(gap.low):
        return ""
    shown = not gap.low <= 0 <= gap.high
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
