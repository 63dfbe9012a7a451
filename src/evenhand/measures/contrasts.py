"""Differences between groups of one run, tested with and without regard to clusters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.level import alpha_of
from evenhand.measures.bounds import extreme_assignments
from evenhand.measures.corrected import Corrected
from evenhand.measures.definitions.counts import Counted, is_gender, kinds_of
from evenhand.measures.rows import EstimateRow, estimate_row, joined
from evenhand.measures.sampling import Difference, Estimated, Sampler
from evenhand.statistics.classical import Test, cohens_h, independence
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.storage.tables import ALL

NamedEstimate = tuple[str, Estimated]  # what a group is called, and its estimate
MOST_LEVELS = 4  # a grouping with more levels than this has too many pairs to be worth reading


@dataclass(frozen=True)
class Measured:
    """A measure on one level of one grouping and the rows in it, with its interval."""

    group: str
    level: str
    table: pl.DataFrame
    estimated: Estimated

    @property
    def job(self) -> Job:
        return self.estimated.job

    @property
    def named(self) -> NamedEstimate:
        return self.level, self.estimated


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
    whole = {m.job.measure.name: m for m in chosen if m.group == ALL}
    for m in (m for m in chosen if m.group != ALL):
        base = whole[m.job.measure.name]
        rest = sampler.estimate(Job(m.job.measure, without(base.job.statistics, m.job.statistics)))
        gap = sampler.difference(m.estimated, rest)
        # a group minus the whole run: its difference from the rest, times the rest's share of the renderings
        sizes = [part.linearised.n if part.linearised else np.nan for part in (m.estimated, rest)]
        ends, share = gap.interval(), sizes[1] / sum(sizes)
        value = m.estimated.interval.value - base.estimated.interval.value
        interval = replace(ends, value=value, low=share * ends.low, high=share * ends.high)
        row = estimate_row(m.job.measure.name, m.group, m.level, interval, m.job.statistics, p=gap.p)
        row["n_clusters"] = base.estimated.interval.n
        yield Contrast(row, (m.named, ("the rest", rest)), gap)


def without(whole: Statistics, part: Statistics) -> Statistics:
    """The statistics of all rows but those of a part."""
    together = np.concatenate([whole.codes, part.codes])
    codes, index = np.unique(together, axis=0, return_inverse=True)
    cells = np.zeros((len(codes), whole.cells.shape[1]))
    np.add.at(cells, index.reshape(-1), np.concatenate([whole.cells, -part.cells]))
    kept = cells.sum(axis=1) > 1e-9
    valid = None if whole.valid is None or part.valid is None else whole.valid - part.valid
    return Statistics(codes[kept], cells[kept], whole.names, whole.n - part.n, whole.decided - part.decided, valid)


def _contrasts(measured: Sequence[Measured], sampler: Sampler) -> Iterator[Contrast]:
    """Every pair of levels in groupings of two to four levels."""
    for first, second in pairs(measured):
        gap = sampler.difference(first.estimated, second.estimated)
        ends, level = gap.interval(), f"{first.level} - {second.level}"
        measure, statistics = first.job.measure.name, (first.job.statistics, second.job.statistics)
        row = estimate_row(measure, first.group, level, ends, *statistics, p=gap.p)
        row |= _independent(first, second, gap.p, alpha_of(sampler.level)) | bounds_of_difference((first, second), ends)
        undecided = undecided_tipping((first.named, second.named), ends)
        row |= {"tipping_undecided": undecided.share, "condition": undecided.note or None}
        row["note"] = joined(row.get("note"), sensitivity(first, second, ends), undecided.note)
        yield Contrast(row, (first.named, second.named), gap)


def pairs(measured: Sequence[Measured]) -> Iterator[tuple[Measured, Measured]]:
    """Pairs of levels worth comparing: same measure, same grouping."""
    usable = [m for m in measured if m.group != ALL and not m.job.measure.against_base]

    def key(m: Measured) -> tuple[str, str]:
        return m.group, m.job.measure.name

    for _, members in groupby(sorted(usable, key=key), key=key):
        levels = list(members)
        if len(levels) <= MOST_LEVELS:
            yield from combinations(levels, 2)


def _independent(first: Measured, second: Measured, p: float, alpha: float) -> EstimateRow:
    """The test that treats sentences as independent, beside the cluster-robust p."""
    table = counts(first, second)
    if table is None:
        return {}
    test = independence(table)
    shares = table[:, 0] / table.sum(axis=1)
    row: EstimateRow = {"independent_test": test.name, "independent_statistic": test.statistic, "independent_p": test.p}
    return row | {"effect": cohens_h(float(shares[0]), float(shares[1])), "note": compare_tests(test, p, alpha)}


def counts(first: Measured, second: Measured) -> np.ndarray | None:
    """The 2 x 2 table [this cell, the others] x [first, second] of a measure that is a share; else None."""
    column = first.job.measure.proportion
    if column is None:
        return None
    totals = np.array([m.job.statistics.cells.sum(axis=0) for m in (first, second)])
    hits = totals[:, column]
    table = np.column_stack([hits, totals.sum(axis=1) - hits])
    return table if (table.sum(axis=1) > 0).all() else None


def compare_tests(test: Test, p: float, alpha: float) -> str:
    """Both tests in one remark, and whether they agree at `alpha`."""
    if not np.isfinite(test.p):
        return "no test: one of the groups has nothing to compare, or all renderings are alike"
    value = "" if test.statistic is None else f" {test.statistic:.2f}"
    robust = f"cluster-robust p {p:.2g}" if np.isfinite(p) else "no cluster-robust p: too few clusters"
    text = f"{test.name}{value} p {test.p:.2g}, {robust}"
    if not np.isfinite(p) or (test.p < alpha) == (p < alpha):
        return text
    only = "test that treats sentences as independent" if test.p < alpha else "cluster-robust test"
    return f"{text}: the tests disagree, only the {only} finds a difference"


# On what a difference between two groups depends. In a group in which hardly any occupation shows a woman, nothing says
# how alike the sentences of one occupation are; where they are much more alike than in the other group, such
# differences come up by chance more often than the p says (docs/validation.md). A significant difference then names the
# correlation from which it would not be; one that only a test without regard to clusters finds, that the data are too
# few.

SILENT = 3.0  # effective renderings that move a measure, below which a group says nothing about its correlation


def scarce(row: EstimateRow, contrast: Contrast, sampler: Sampler) -> EstimateRow:
    """A tested row with a remark, and `tipping_icc`, where it depends on how alike the sentences of a cluster are."""
    alpha, clusters, parts = alpha_of(sampler.level), sampler.cluster_name, contrast.parts
    corrected, independent = _first_number(row, "p_adjusted", "p"), _first_number(row, "independent_p")
    remark, tipping = "", None
    if corrected < alpha:
        tipping = contrast.gap.tipping()
        if tipping is not None:
            name = parts[tipping[0]][0]
            remark = f"holds while sentences of one {clusters} in {name} correlate below {tipping[1]:.2f}"
    elif independent < alpha and _apart(parts):
        few = [_varied(name, one, clusters) for name, one in parts if one.seen and one.seen.movers < SILENT]
        if few:
            remark = f"too few to say: {' and '.join(few)}, which is too few to estimate the correlation of sentences"
    notes = {name: joined(row.get(name), remark) for name in ("note", "condition")}
    return row | notes | {"tipping_icc": None if tipping is None else tipping[1]}


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


def _varied(name: str, one: Estimated, clusters: str) -> str:
    """How many clusters of a part show anything but what most of its renderings are."""
    statistics = one.job.statistics
    usual, sizes = int(np.argmax(statistics.summed)), statistics.cells.sum(axis=1)
    varied, present = (
        len(np.unique(statistics.codes[rows, 0])) for rows in (sizes > statistics.cells[:, usual], sizes > 0)
    )
    of = f"{varied} of {present} clusters ({clusters})"
    return f"in {name} {of} have any rendering other than {statistics.names[usual]}"


# What the undecided renderings could change. Those of one group may be women more often than the decided ones (a form
# the detector does not know): the row has bounds over all assignments, and the difference from the decided ones at
# which a finding ends.


STEPS, TIE = 1_001, 1e-12  # shares of women that are tried, and what counts as no distance


@dataclass(frozen=True)
class Undecided:
    """How much more often the undecided would have to be women, and a note; nothing where it cannot matter."""

    share: float | None = None
    note: str = ""


def undecided_tipping(
    parts: Sequence[NamedEstimate], gap: Interval, undecided: Sequence[int] | None = None
) -> Undecided:
    """From which share on a difference is no longer significant; none where no assignment changes it. `undecided`
    counts the renderings of each part that matter (of two systems those that only one leaves open)."""
    if not np.isfinite(gap.low) or gap.low <= 0 <= gap.high:
        return Undecided()
    counts = undecided or [one.job.statistics.n - one.job.statistics.decided for _, one in parts]
    options = []
    for (name, one), open_, sign in zip(parts, counts, (1.0, -1.0), strict=True):
        if open_ and one.job.measure.additive and one.job.statistics.names[0] == "female":
            # how far the value of this group has to rise (or, negative, fall)
            away = -sign * (gap.low if gap.low > 0 else gap.high)
            options += [(abs(more), name, more > 0) for more in _women_needed(one.job, open_, away)]
    if not options:
        return Undecided()
    needed, name, more = min(options)
    way = "more" if more else "less"
    words = f"not significant if the undecided of {name} were women {100 * needed:.0f} points {way} often"
    return Undecided(needed, f"{words} than its decided ones")


def _women_needed(job: Job, undecided: int, away: float) -> list[float]:
    """How much more (negative: less) often than the decided ones the undecided would have to be women for the value to
    move by `away`, in either direction in which it can; those who are no women are divided like the decided ones."""
    totals = job.statistics.summed
    women, others = float(totals[0]), totals[1:]
    if not others.sum():
        return []
    share, kinds = women / float(totals.sum()), others / others.sum()

    def short(shares: Floats) -> Floats:
        """How far the value still is from where it has to be; at most 0 from there on."""
        added = undecided * np.column_stack([shares, (1 - shares)[:, None] * kinds])
        return np.asarray(np.sign(away) * (job.point() + away - job.measure.of_totals(totals + added)))

    ends = (np.linspace(share, end, STEPS) for end in (0.0, 1.0))
    return [at - share for tried in ends if (at := _first(tried, short(tried))) is not None]


def _first(tried: Floats, left: Floats) -> float | None:
    """The first of these at which nothing is left (at most 0), between it and the one before; None: at none of them, or
    at the very first."""
    reached = np.flatnonzero(left <= TIE)
    if not len(reached) or not reached[0]:
        return None
    last = int(reached[0])
    return float(np.interp(0.0, -left[last - 1 : last + 1], tried[last - 1 : last + 1]))


def bounds_of_difference(parts: tuple[Measured, Measured], gap: Interval) -> EstimateRow:
    """Bounds of first minus second over all assignments of the undecided; empty where nothing is undecided."""
    extremes = [extreme_assignments(m.table, m.job) for m in parts]
    if not np.isfinite(gap.low) or not any(extremes):
        return {}
    values = [m.job.point() for m in parts]
    lowest, highest = (
        [ends[side].point() if ends else value for ends, value in zip(extremes, values, strict=True)] for side in (0, 1)
    )
    bottom, top = parts[0].job.measure.bounds
    return {
        "bounds_low": max(gap.low - (values[0] - lowest[0]) - (highest[1] - values[1]), bottom - top),
        "bounds_high": min(gap.high + (highest[0] - values[0]) + (values[1] - lowest[1]), top - bottom),
    }


# How wrong the detector would have to be for a conclusion about two groups to change.
# A detector that misses more of the women in one group than in the other (and takes them for men) makes, or hides, a
# difference. The line says how many more it would have to miss until the interval of the difference reaches 0 or
# leaves it: a conclusion that depends on one or two percent needs labels, one that depends on thirty does not.

SHARES: Floats = np.linspace(0.0, 0.9, 181)  # of the women missed: what is tried


def sensitivity(first: Measured, second: Measured, gap: Interval) -> str:
    """One line about first minus second; empty where there is no interval, and where a group has no woman: how many
    were missed there does not follow from those that were found."""
    if not np.isfinite(gap.low):
        return ""
    significant = not gap.low <= 0 <= gap.high
    # how far the difference has to rise (or, negative, fall) until its interval no longer says the same
    wanted = [-gap.low if gap.low > 0 else -gap.high] if significant else [-gap.low, -gap.high]
    options = []
    for one, other, sign in ((first, second, 1.0), (second, first, -1.0)):
        values = missing(one.job, one.table)
        if values is None:
            return ""
        # values need not go one way only: P_S rises until women and men are as many, then falls
        left = [abs(rise) - (values - values[0]) * np.sign(sign * rise) for rise in wanted]
        shares = [share for one in left if (share := _first(SHARES, one)) is not None]
        options += [(share, one.level, other.level) for share in shares]
    if not options:
        still = "significant" if significant else "not significant"
        return f"{still} even if the detector missed {_percent(SHARES[-1])} of the women in one group"
    share, level, other_level = min(options)
    then = "not significant" if significant else "significant"
    return f"{then} if the detector missed {_percent(share)} more of the women in {level} than in {other_level}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def missing(job: Job, rows: pl.DataFrame) -> Floats | None:
    """The values if SHARES of the women had been taken for men; None where no verdicts or no women are counted."""
    measure = job.measure
    if not isinstance(measure, Counted) or "gender" not in measure.needs:
        return None
    totals = job.statistics.cells.sum(axis=0)
    if isinstance(measure, Corrected):
        repeated = np.broadcast_to(totals, (len(SHARES), len(totals)))
        female, male = DECIDED.index("female"), DECIDED.index("male")
        worse = np.repeat(measure.matrices[None], len(SHARES), axis=0)  # SHARES of the women, besides, taken for men
        worse[..., female, :] *= (1 - SHARES)[:, None, None]
        worse[..., female, male] += SHARES[:, None]
        return measure.formula_with(repeated, worse)
    # for each kind of probe what one man taken for a woman changes in the cells, and how many of both there are
    flags = measure.flags_by_gender(rows, ("female", "male"))
    first, kind = kinds_of(flags)
    of_gender = rows.select(is_gender(g).fill_null(value=False).cast(pl.Float64).alias(g) for g in ("female", "male"))
    women, men = (np.bincount(kind, own, len(first)) for own in of_gender.to_numpy().T)
    if not women.any():
        return None
    taken = np.minimum(women * (SHARES / (1 - SHARES))[:, None], men)
    return measure.formula(totals + taken @ (flags[first, 0] - flags[first, 1]))
