"""How wrong the detector would have to be for a conclusion about two groups to change.

A detector that misses more of the women in one group than in the other (and takes them for men) makes, or hides, a
difference. The line says how many more it would have to miss until the interval of the difference reaches 0 or
leaves it: a conclusion that hangs on one or two percent needs labels, one that hangs on thirty does not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from scipy.optimize import brentq

from evenhand.gender import DECIDED
from evenhand.level import ALPHA
from evenhand.measures.corrected import Corrected
from evenhand.measures.counts import Counted, is_gender
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job

MOST = 0.9  # of the women missed: beyond it no detector that was ever looked at errs
Value = Callable[[float], float]


def sensitivity(
    first: tuple[str, Job, pl.DataFrame], second: tuple[str, Job, pl.DataFrame], gap: Interval, p: float
) -> str:
    """One line about first minus second (level, job, rows); empty where interval and test disagree or are none."""
    if not np.isfinite(gap.low) or not np.isfinite(p) or (p < ALPHA) == (gap.low <= 0 <= gap.high):
        return ""
    shown = p < ALPHA
    # how far the difference has to rise (or, negative, fall) until its interval no longer says the same
    wanted = [-gap.low if gap.low > 0 else -gap.high] if shown else [-gap.low, -gap.high]
    options = []
    for (level, job, rows), (other, *_), sign in ((first, second, 1.0), (second, first, -1.0)):
        value = missing(job, rows)
        if value is None:
            return ""
        options += [(share, level, other) for rise in wanted if (share := _enough(value, sign * rise)) is not None]
    what = "would not be shown" if shown else "a difference would be shown"
    if not options:
        return f"no share of women missed in one group makes that it {what.removeprefix('a difference ')}"
    share, level, other = min(options)
    return f"{what} if the detector missed {_percent(share)} more of the women in {level} than in {other}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def _enough(value: Value, rise: float) -> float | None:
    """The smallest share of women missed at which the value has risen this much (negative: fallen); None: none does."""
    start, end = value(0.0), value(MOST)
    if not np.isfinite(end) or not np.isfinite(start) or (end - start - rise) * rise < 0:
        return None
    return float(brentq(lambda x: value(x) - start - rise, 0.0, MOST, xtol=1e-4))


def missing(job: Job, rows: pl.DataFrame) -> Value | None:
    """The value if this share of the women had been taken for men; None where no verdicts are counted."""
    measure = job.measure
    if not isinstance(measure, Counted) or "gender" not in measure.needs:
        return None
    totals = job.statistics.cells.sum(axis=0)
    if isinstance(measure, Corrected):
        return lambda share: float(measure.formula_with(totals[None, :], _worse(measure.matrices, share))[0])
    moves, women, men = _contexts(measure, rows)

    def value(share: float) -> float:
        taken = np.minimum(women * share / (1 - share), men)
        return float(measure.formula((totals + taken @ moves)[None, :])[0])

    return value


def _worse(matrices: Floats, share: float) -> Floats:
    """Confusion matrices of a detector that takes this share of the women, besides, for men."""
    female, male = DECIDED.index("female"), DECIDED.index("male")
    changed = matrices.copy()
    changed[..., female, :] *= 1 - share
    changed[..., female, male] += share
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
