"""Is a system no worse than another by more than a margin? Non-inferiority and equivalence with the paired interval.

"No significant difference" says little when few sentences were asked. Here the claim is turned round: a system is no
worse by more than d when the one-sided bound of how much worse it is lies within d (Schuirmann 1987, Journal of
Pharmacokinetics and Biopharmaceutics 15; two one-sided tests make an equivalence). Passing every measure needs no
correction (intersection-union: Berger 1982, Technometrics 24); saying of some measure that it is worse does, and is
corrected over the measures (Bonferroni on the bounds; the corrected test of `compare` where there is no margin).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Literal

import numpy as np
import polars as pl

from evenhand.level import alpha_of
from evenhand.measures.decisions.ranking import Pair
from evenhand.measures.sampling import Estimated, Sampler
from evenhand.statistics.intervals import student_quantile
from evenhand.statistics.measure import Better
from evenhand.statistics.variation import variation
from evenhand.storage.tables import schema

INCONCLUSIVE: Literal["inconclusive"] = "inconclusive"  # the outcome where the data cannot say
MarginOutcome = Literal["no worse", "worse", "unchanged", "changed", "inconclusive"]
HARMS = {
    **schema(pl.String, "measure", "system", "against", "better"),
    **schema(pl.Float64, "neutral", "was", "now", "worse_by", "at_least", "at_most", "margin", "reach", "p"),
    **schema(pl.String, "outcome", "note"),
}


@dataclass(frozen=True)
class Harm:
    """How much worse one part is than another in the measure's direction, with one-sided bounds; negative: better. Of a
    measure without a direction it is the size of the change, whichever way it went."""

    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """The smallest change this sample could detect: the smallest margin it could confirm if nothing had changed."""
        return self.high - self.value


def harm(now: Estimated, before: Estimated, sampler: Sampler, level: float) -> Harm:
    """The harm with bounds that each hold with this confidence; NaN bounds where the data carry no interval."""
    measure = now.job.measure
    if measure.better == "nearer":
        return _distances(now, before, sampler, level)
    gap = sampler.difference(now, before).interval(_two_sided(alpha_of(level)))
    if measure.better == "none":
        return Harm(abs(gap.value), max(gap.low, -gap.high), max(gap.high, -gap.low))
    if measure.better == "lower":
        return Harm(gap.value, gap.low, gap.high)
    return Harm(-gap.value, -gap.high, -gap.low)


def _two_sided(error: float) -> float:
    """The level of intervals that leave out this much on either side (a quarter at most)."""
    return max(1 - 2 * error, 0.5)


def _distances(now: Estimated, before: Estimated, sampler: Sampler, level: float) -> Harm:
    """How much farther from the neutral point, |s| - |t|, from bounds of s - t and of s + t. |s| - |t| <= d holds where
    (s - t <= d or s + t <= d) and (t - s <= d or -s - t <= d). Which of each two decides depends on the side t lies on;
    that is mostly plain, and where it is not, each gets half of the error."""
    neutral = now.job.measure.neutral
    value = abs(now.interval.value - neutral) - abs(before.interval.value - neutral)
    if now.linearised is None or before.linearised is None:
        return Harm(value, np.nan, np.nan)
    plain = not before.interval.low <= neutral <= before.interval.high
    error = alpha_of(level) if plain else alpha_of(level) / 2
    gap = sampler.difference(now, before).interval(_two_sided(error))
    over = variation(now.linearised, replace(before.linearised, moves=-before.linearised.moves))
    spread = student_quantile(1 - min(error, 0.25), max(over.freedom, 1.0)) * float(np.sqrt(over.variance))
    total = now.interval.value + before.interval.value - 2 * neutral
    low = max(min(gap.low, total - spread), min(-total - spread, -gap.high))
    high = max(min(gap.high, total + spread), min(-total + spread, -gap.low))
    return Harm(value, low, high)


def harms(pairs: Sequence[Pair], margins: Mapping[str, float], sampler: Sampler) -> pl.DataFrame:
    """For each measure with a margin (0: none) and each pair of systems both ways: how much worse, and the outcome.
    `worse_by` lies between `at_least` and `at_most`, each a one-sided bound; `reach` is the smallest margin the sample
    could confirm if nothing had changed; `p` is that of which one is better. A harm that depends on something that the
    data do not settle is inconclusive."""
    rows, alpha = [], alpha_of(sampler.level)
    for pair in (pair for pair in pairs if pair.measure.name in margins):
        measure, margin, condition = pair.measure, margins[pair.measure.name], pair.tipping.note
        for (system, against), (now, before) in zip(permutations(pair.names), permutations(pair.parts), strict=True):
            size = harm(now, before, sampler, sampler.level)
            surely = harm(now, before, sampler, 1 - alpha / max(len(margins), 1))
            worse, firm = bool(pair.ranking < alpha), not condition
            result = outcome(size, surely, margin, worse=worse, firm=firm, better=measure.better)
            note = (condition or None) if np.isfinite(size.high) else _why(now, before)
            values = (before.interval.value, now.interval.value, size.value, size.low, size.high)
            named = (measure.name, system, against, measure.better, measure.neutral)
            rows.append((*named, *values, margin or None, size.reach, pair.ranking, result, note))
    return pl.DataFrame(rows, schema=HARMS, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))


def equivalent(table: pl.DataFrame) -> list[tuple[str, str, str, float]]:
    """Pairs (measure, system, system, margin) of a table of `harms` that are equal within their margin. Neither is
    worse than the other by more than that: two one-sided tests."""
    kept = table.filter(pl.col("outcome").is_in(["no worse", "unchanged"]) & pl.col("margin").is_not_null())
    pairs = list(kept.select("measure", "system", "against", "margin").iter_rows())
    known = {(measure, one, two) for measure, one, two, _ in pairs}
    return [(m, one, two, d) for m, one, two, d in pairs if one < two and (m, two, one) in known]


def outcome(
    size: Harm, surely: Harm, margin: float, *, worse: bool, better: Better, firm: bool = True
) -> MarginOutcome:
    """The outcome of "no worse by more than the margin"; without one (0), worse is what the corrected test says.
    `surely` has the bounds that hold for all measures together. A measure without a direction is unchanged or changed.
    A harm that is not `firm` depends on something that the data do not settle, and is inconclusive."""
    if np.isfinite(size.high) and size.high <= margin:
        return "unchanged" if better == "none" else "no worse"
    harmed = surely.low > margin if margin else worse and size.value > 0
    return INCONCLUSIVE if not (harmed and firm) else "changed" if better == "none" else "worse"


def _why(now: Estimated, before: Estimated) -> str:
    if not np.isfinite(now.interval.value) or not np.isfinite(before.interval.value):
        return "undefined in one of the runs"
    return next((part.interval.method for part in (now, before) if part.linearised is None), "no interval")
