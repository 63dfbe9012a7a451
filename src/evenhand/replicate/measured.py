"""Single values from the real measures: the same statistics and formula that an audit uses, without resampling."""

from __future__ import annotations

import numpy as np
import polars as pl

from evenhand.measures.definitions.registry import by_name
from evenhand.statistics.measure import Measure

_ONE = "_one"  # every row in one cluster: the weights are one


def value(measure: str | Measure, table: pl.DataFrame) -> float:
    """The measure over all rows of a joined table; NaN where it is undefined."""
    chosen = by_name(measure) if isinstance(measure, str) else measure
    statistics = chosen.statistics(_coded(table), (_ONE,))
    return float(chosen.value(statistics, np.ones((1, len(statistics.codes))))[0])


def against_base(measure: str, part: pl.DataFrame, whole: pl.DataFrame) -> float:
    """A measure that is a difference from the run's own base rate, for one group (SBias)."""
    return value(measure, part) - value(measure, whole)


def counts(measure: str, table: pl.DataFrame) -> list[int]:
    """The cells the measure rests on, summed: for %TFG how many are female and male."""
    statistics = by_name(measure).statistics(_coded(table), (_ONE,))
    return [int(cell) for cell in statistics.totals(np.ones((1, len(statistics.codes))))[0]]


def _coded(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.lit(0, dtype=pl.Int64).alias(_ONE))
