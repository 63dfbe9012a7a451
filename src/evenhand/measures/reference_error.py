"""How far the sampling error of a reference alone moves a measure against it: the renderings stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.level import tails
from evenhand.measures.optimal import REFERENCE_KEY, SHARE, OptimalBias, with_errors
from evenhand.statistics.measure import Floats


def reference_intervals(
    errors: pl.DataFrame, drawn: Mapping[str, Floats], measures: Sequence[OptimalBias], level: float
) -> dict[str, tuple[float, float]]:
    """For each measure the quantiles of its value over the draws; left out where it is undefined.

    `errors` is a table by occupation (see `optimal.by_occupation`) with `reference_key`; `drawn` gives values of the
    share of women by that key. Occupations of one key move together; a key that was not drawn keeps its share.
    """
    draws = len(next(iter(drawn.values())))
    fixed = np.full(draws, np.nan)
    shares = np.array(
        [
            drawn.get(key, fixed if share is None else np.full(draws, share))
            for key, share in errors.select(REFERENCE_KEY, SHARE).iter_rows()
        ]
    ).T
    stacked = pl.concat([errors] * draws).with_columns(pl.Series(SHARE, shares.ravel()).fill_nan(None))
    redone = with_errors(stacked)
    intervals = {}
    for measure in measures:
        values, weights = (cells.reshape(shares.shape) for cells in measure.cells(redone))
        results = np.array([measure.average(v, w[None, :])[0] for v, w in zip(values, weights, strict=True)])
        if np.isfinite(results).any():
            low, high = np.nanquantile(results, tails(level))
            intervals[measure.name] = (float(low), float(high))
    return intervals
