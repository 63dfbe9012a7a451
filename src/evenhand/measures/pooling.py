"""Does the detector err alike in all groups? Labels by group, and whether one confusion matrix may stand for all.

A person's labels are drawn by verdict. Among the labelled renderings of one true gender the verdicts are then equally
distributed in every group if, and only if, the detector's error rates are the same there, and the renderings can be
dealt out to the groups anew. The test is the permutation test of that, over all true genders together (Fisher's exact
test for larger tables: Agresti 1992, Statistical Science 7). It takes labelled renderings for independent.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from evenhand.statistics.measure import Floats
from evenhand.suites.suite import Grouping

PREFIX = "by_"  # of a sheet's columns that say which level of a grouping a rendering belongs to
MOST_LEVELS = 4
DRAWS = 5_000


def level_of(grouping: Grouping, table: pl.DataFrame) -> pl.Series | None:
    """The level each row belongs to (null: none); None where levels overlap, or are fewer than two or too many."""
    filters = grouping.filters(table)
    if not 2 <= len(filters) <= MOST_LEVELS:
        return None
    inside = table.select([condition.fill_null(value=False).alias(level) for level, condition in filters.items()])
    if int(inside.select(pl.sum_horizontal(pl.all().cast(pl.Int64)).max()).item() or 0) > 1:
        return None
    named = [pl.when(pl.col(level)).then(pl.lit(level)) for level in inside.columns]
    return inside.select(pl.coalesce(named).alias(grouping.name)).to_series()


def homogeneity(levels: Mapping[str, Floats], *, seed: int = 0, draws: int = DRAWS) -> float:
    """P of error rates as different as these if the detector erred alike in all levels (labels: verdict x true each).

    NaN where nothing can be compared: no true gender that was labelled in two levels got two verdicts.
    """
    from scipy.stats import random_table  # here, not above: it takes a second, and few calibrations come this far

    counts = np.stack(list(levels.values())).round().astype(np.int64)
    rng = np.random.default_rng([seed, 0x900])
    seen, drawn = 0.0, np.zeros(draws)
    compared = False
    for true in range(counts.shape[2]):
        table = counts[:, :, true]
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) < 2:
            continue
        compared = True
        dealt = random_table(table.sum(axis=1), table.sum(axis=0)).rvs(draws, random_state=rng)
        seen += float(_likelihood_ratio(table[None])[0])
        drawn += _likelihood_ratio(dealt)
    if not compared:
        return float("nan")
    return float((1 + (drawn >= seen - 1e-9).sum()) / (1 + draws))


def _likelihood_ratio(tables: np.ndarray) -> Floats:
    """G of levels x verdicts against independence, for each table."""
    tables = tables.astype(np.float64)
    expected = (
        tables.sum(axis=2, keepdims=True) * tables.sum(axis=1, keepdims=True) / tables.sum(axis=(1, 2), keepdims=True)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(tables > 0, tables * np.log(tables / expected), 0.0)
    ratio: Floats = 2 * terms.sum(axis=(1, 2))
    return ratio
