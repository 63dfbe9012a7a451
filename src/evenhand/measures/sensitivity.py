"""How wrong the detector would have to be for a conclusion about two groups to change.

A detector that misses more of the women in one group than in the other (and takes them for men) makes, or hides, a
difference. The line says how many more it would have to miss until the interval of the difference reaches 0 or
leaves it: a conclusion that hangs on one or two percent needs labels, one that hangs on thirty does not.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.level import ALPHA
from evenhand.measures.corrected import Corrected
from evenhand.measures.counts import Counted, is_gender
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job

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
