"""Any counted measure, corrected for the detector's error.

A cell of a measure depends on the verdict and on the probe (its gold gender, its sets). Probes for which every verdict
leads to the same cells form one context; within a context the counts of the verdicts are corrected, then put into the
cells they belong to. Undecided renderings stay where they were. Where the detector's error is known by group, a context
is of one group, and has that group's confusion matrix.

Where a person labelled some of the run's own renderings, labels and verdicts are counted together, cluster by cluster,
and corrected by what these labels say: for a share this is the prediction-powered estimate (Angelopoulos et al. 2023,
Science 382), stratified by verdict. Its interval is that of any other counts, so that clusters count on both sides;
ppi-python assumes independent renderings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.measures.calibration import LABELLED, Calibration, level_of
from evenhand.measures.definitions.counts import Counted, count_by_cluster, is_gender, kinds_of
from evenhand.measures.rows import joined
from evenhand.statistics.measure import Floats, Statistics
from evenhand.statistics.variation import Codes
from evenhand.suites.suite import Grouping

UNSEEN = 0.12  # labels of each gender on each verdict that add to the variance: rare errors may not have come up yet


class _OfMeasure(Counted):
    """A counted measure on counts that are corrected first; name, range and direction are those of the measure."""

    def __init__(self, measure: Counted) -> None:
        self.name, self.better, self.neutral = measure.name, measure.better, measure.neutral
        self.bounds, self.needs = measure.bounds, measure.needs
        self.against_base, self.whole, self.spans = measure.against_base, measure.whole, measure.spans
        self._measure = measure

    def _true(self, totals: Floats) -> Floats:
        """Cells of the measure itself."""
        return np.maximum(totals, 0.0)

    def formula(self, totals: Floats) -> Floats:
        return self._measure.formula(self._true(totals))

    def smooth(self, totals: Floats) -> Floats:
        return self._measure.smooth(self._true(totals))

    def unsmooth(self, values: Floats) -> Floats:
        return self._measure.unsmooth(values)


class Corrected(_OfMeasure):
    """A counted measure on counts corrected by confusion matrices."""

    def __init__(self, measure: Counted, matrices: Floats, patterns: Floats, which: Codes) -> None:
        super().__init__(measure)
        self._patterns, self._which, self.matrices = patterns, which, matrices

    def cells(self) -> dict[str, pl.Expr]:
        cells = {
            f"{number}:{gender}": (pl.col(_column(self._measure)) == number) & is_gender(gender)
            for number in range(len(self._patterns))
            for gender in DECIDED
        }
        undecided = ~is_gender(*DECIDED).fill_null(value=False)
        return cells | {f"undecided:{name}": undecided & e for name, e in self._measure.cells().items()}

    def _true(self, totals: Floats) -> Floats:
        return self._mended(totals, self.matrices)

    def formula_with(self, totals: Floats, matrices: Floats) -> Floats:
        """The value under other confusion matrices (matrices x true x verdict), or others for each row of `totals`."""
        return self._measure.formula(self._mended(totals, matrices))

    def _mended(self, totals: Floats, matrices: Floats) -> Floats:
        """Cells of the measure itself, as they would be without the detector's errors."""
        contexts, genders, inner = self._patterns.shape
        verdicts, undecided = totals[..., : contexts * genders], totals[..., contexts * genders :]
        observed = verdicts.reshape(*totals.shape[:-1], contexts, genders)
        size = observed.sum(axis=-1, keepdims=True)
        shares = np.divide(observed, size, out=np.full_like(observed, 1 / genders), where=size > 0)
        counts = invert(shares, matrices[..., self._which, :, :]) * size
        return np.asarray(np.einsum("...cg,cgk->...k", counts, self._patterns) + undecided[..., :inner])


class Labelled(_OfMeasure):
    """A counted measure corrected by labels on the run's own renderings. Each rendering counts as its verdict lets
    expect (the shares of the true genders among the labels on this verdict); one with a label also adds what it says
    beyond that, weighted by the renderings it represents."""

    estimated_counts = True

    def cells(self) -> dict[str, pl.Expr]:
        return self._measure.cells()

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        """Cells by cluster as the labels correct them; in one cluster they may be below 0, never in all together."""
        as_gender, expected = self.flags_by_gender(table), self.flags(table).copy()
        verdict, label = (_numbers(table[column]) for column in ("gender", LABELLED))
        counts = np.zeros((len(DECIDED), len(DECIDED)))
        np.add.at(counts, (verdict[label >= 0], label[label >= 0]), 1.0)
        checked = counts.sum(axis=1)
        true = np.where(checked[:, None] > 0, counts / np.maximum(checked, 1.0)[:, None], np.eye(len(DECIDED)))
        decided = np.flatnonzero(verdict >= 0)
        of_verdict = np.bincount(verdict[decided], minlength=len(DECIDED))
        expected[decided] = np.einsum("it,itk->ik", true[verdict[decided]], as_gender[decided])
        beyond, rows = np.zeros_like(expected), np.flatnonzero(label >= 0)
        weight = of_verdict / np.maximum(checked, 1.0)
        beyond[rows] = weight[verdict[rows], None] * (as_gender[rows, label[rows]] - expected[rows])
        least, further = expected.sum(axis=0), beyond.sum(axis=0)
        tuned = min([1.0, *(-a / b for a, b in zip(least, further, strict=True) if b < -a)])
        names = {name: f"_cell_{n}" for n, name in enumerate(self.cells())}
        corrected = table.hstack(pl.DataFrame(expected + tuned * beyond, schema=list(names.values())))
        unseen = np.zeros((len(names), len(names)))
        for place in np.flatnonzero(checked):
            usual = as_gender[verdict == place].mean(axis=0)
            spread = _spread(counts[place] + UNSEEN * (of_verdict + counts.sum(axis=0) > 0)) - _spread(counts[place])
            unseen += of_verdict[place] ** 2 / checked[place] * (usual.T @ spread @ usual)
        sums = {name: pl.col(column) for name, column in names.items()}
        return replace(count_by_cluster(corrected, clusters, sums), unseen=unseen)


def _spread(counts: Floats) -> Floats:
    """Covariance of one rendering's true gender, given counts of them."""
    share = counts / counts.sum()
    return np.diag(share) - np.outer(share, share)


def _numbers(genders: pl.Series) -> Codes:
    """The place of each gender among the decided ones; -1 for any other."""
    places = {gender: place for place, gender in enumerate(DECIDED)}
    return genders.cast(pl.String).replace_strict(places, default=-1, return_dtype=pl.Int64).fill_null(-1).to_numpy()


def _column(measure: Counted) -> str:
    return f"_context_{measure.name}"


def correct(
    measure: Counted, calibration: Calibration, table: pl.DataFrame, grouping: Grouping | None = None
) -> tuple[Corrected, pl.DataFrame]:
    """The corrected measure, and the table with the column that says which context each probe belongs to. With a
    `grouping` each of its levels is corrected by its own matrix, what is in no level by that of all labels."""
    which = np.zeros(table.height, dtype=np.int64)
    level = None if grouping is None else level_of(grouping, table)
    if grouping is not None and level is not None:
        for number, name in enumerate(calibration.groups[grouping.name], start=1):
            which[(level == name).fill_null(value=False).to_numpy()] = number
    flags = measure.flags_by_gender(table)
    first, number_of = kinds_of(flags, which)
    matrices = calibration.matrices(grouping.name if grouping else None)
    column = pl.Series(_column(measure), number_of.astype(np.int64))
    return Corrected(measure, matrices, flags[first], which[first]), table.with_columns(column)


@dataclass(frozen=True)
class Pooling:
    """Whether a grouping's levels are corrected by their own matrices, and what has to be said about it."""

    own: bool
    words: str


def pooled_levels(
    calibration: Calibration, groupings: Sequence[Grouping], table: pl.DataFrame, *, seed: int
) -> dict[str, Pooling]:
    """For each grouping with levels that can be compared: by group where the labels suffice, else pooled and why."""
    tested, pooling = calibration.pooling(seed=seed), {}
    for grouping in groupings:
        level = level_of(grouping, table)
        if level is None:
            continue
        known = calibration.groups.get(grouping.name, {})
        unknown = [name for name in level.drop_nulls().unique().sort() if name not in known]
        why = calibration.too_few(grouping.name) or (f"no labels of {unknown[0]}" if unknown else "")
        p = tested.get(grouping.name, np.nan)
        alike = "" if np.isnan(p) else f"the same error rates in all of them: p {p:.2g}"
        words = f"corrected by one matrix for all levels: {why}" if why else "each level corrected by its own labels"
        pooling[grouping.name] = Pooling(own=not why, words=joined(words, alike) or "")
    return pooling


# True shares behind observed ones, given how often each gender is taken for each other one.


def invert(observed: Floats, confusion: Floats) -> Floats:
    """True shares behind observed ones: solve confusion^T p = observed with p >= 0 and sum 1 (least squares). Both with
    leading dimensions that broadcast (resamples, contexts). Where the exact solution has no negative share it is taken;
    otherwise genders that come out negative are taken as absent and the others fitted again."""
    shape = observed.shape
    mixing = np.broadcast_to(np.swapaxes(confusion, -1, -2), (*shape[:-1], shape[-1], shape[-1]))
    seen, mixes = observed.reshape(-1, shape[-1]), mixing.reshape(-1, shape[-1], shape[-1])
    support = np.ones(seen.shape, dtype=bool)
    shares = np.zeros(seen.shape)
    waiting = np.arange(len(seen))
    while len(waiting):
        # rows with the same genders left are solved together; a gender that comes out negative is taken out
        keys = support[waiting] @ (1 << np.arange(shape[-1]))
        for key in np.unique(keys):
            rows = waiting[keys == key]
            kept = np.flatnonzero(support[rows[0]])
            fitted = np.zeros((len(rows), shape[-1]))
            fitted[:, kept] = _fit(seen[rows], mixes[rows][:, :, kept])
            shares[rows] = fitted
        negative = shares[waiting] < -1e-12
        support[waiting] &= ~negative
        waiting = waiting[negative.any(axis=1)]
    shares[shares < 1e-12] = 0.0
    return np.asarray((shares / shares.sum(axis=-1, keepdims=True)).reshape(shape))


def _fit(observed: Floats, columns: Floats) -> Floats:
    """Least squares with sum 1: eliminate the last share, solve the normal equations for the others."""
    if columns.shape[-1] == 1:
        return np.ones((len(observed), 1))
    last = columns[..., -1]
    design = columns[..., :-1] - last[..., None]
    flipped = np.swapaxes(design, -1, -2)
    # the ridge decides where two genders cannot be distinguished at all
    square = flipped @ design + 1e-12 * np.eye(design.shape[-1])
    head = np.linalg.solve(square, flipped @ (observed - last)[..., None])[..., 0]
    return np.concatenate([head, 1 - head.sum(axis=-1, keepdims=True)], axis=-1)
