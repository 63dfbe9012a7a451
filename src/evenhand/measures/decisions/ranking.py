"""Which of two systems is better, by the measure's own direction, and a ranking that says no more than the tests do.

Two corrected tests: whether the values are the same, and, for measures with a direction, whether one is better. The
second decides ranks and ties where there is one, so that a system is better, worse or tied, and never two of these; the
readings of the pairs say where tied systems differ all the same (on either side of a neutral point).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np
import polars as pl

from evenhand.measures.sampling import Estimated, Sampler
from evenhand.statistics.equality import t_test
from evenhand.statistics.measure import Floats, Measure
from evenhand.statistics.variation import variation

PairTest = tuple[str, str, str]  # first system, second system, measure
SCHEMA: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "rank": pl.Int64(),
    "rank_to": pl.Int64(),
    "system": pl.String(),
    "value": pl.Float64(),
    "tied_with": pl.String(),
    "n_valid": pl.Int64(),
    "n_decided": pl.Int64(),
    "n": pl.Int64(),
}


def ranks_of(row: Mapping[str, object], dash: str = "-") -> str:
    """The ranks a system may have, as printed: 1, or 1-3; a dash where it has none."""
    first, last = row["rank"], row["rank_to"]
    return dash if first is None else str(first) if last in (None, first) else f"{first}{dash}{last}"


@dataclass(frozen=True)
class PairTests:
    """P-values of all pairs and measures: plain, corrected, and corrected for which of the two is better.

    `ranking` is never below `adjusted`, and NaN for measures without a direction: what is not different is not better.
    """

    plain: Floats
    adjusted: Floats
    ranking: Floats


def tested(pairs: Sequence[tuple[Estimated, Estimated]], sampler: Sampler) -> PairTests:
    """Every pair (first, second) tested, the p corrected over all of them together."""
    plain = np.array([sampler.difference(a, b).p for a, b in pairs])
    sided = np.array([better_p(a, b, p) for (a, b), p in zip(pairs, plain, strict=True)])
    adjusted = sampler.corrected(plain, pairs)
    direction = np.array([a.job.measure.better for a, _ in pairs])
    ranking = np.where(direction == "nearer", np.maximum(adjusted, sampler.corrected(sided, pairs)), adjusted)
    return PairTests(plain, adjusted, np.where(direction == "none", np.nan, ranking))


def better_p(first: Estimated, second: Estimated, p: float) -> float:
    """The p of neither being better in the measure's own direction, from the p of no difference.

    Where nearer to a neutral point c is better, both are equally good not only where the values are equal but also
    where they lie on either side of it, |a - c| = |b - c|: a = b or a + b = 2 c. One is better only if both are
    rejected (intersection-union test: Berger 1982, Technometrics 24).
    """
    measure = first.job.measure
    if measure.better != "nearer" or first.linearised is None or second.linearised is None:
        return p
    over = variation(first.linearised, replace(second.linearised, moves=-second.linearised.moves))
    sides = first.interval.value + second.interval.value - 2 * measure.neutral
    return max(p, t_test(sides, over, clusters=first.interval.n))


def badness(measure: Measure, value: float) -> float:
    """A value turned so that smaller is better, by the measure's own direction; NaN where it has none."""
    if measure.better == "nearer":
        return abs(value - measure.neutral)
    return {"higher": -value, "lower": value}.get(measure.better, float("nan"))


def reading(
    first: tuple[str, Estimated], second: tuple[str, Estimated], adjusted: float, ranking: float, *, alpha: float
) -> str:
    """What the two corrected p-values of a difference say, in words; `first` and `second` are (name, estimate)."""
    (one, a), (two, b) = first, second
    measure = a.job.measure
    if not np.isfinite(adjusted):
        return "no test"
    if adjusted >= alpha:
        return "not told apart"
    if measure.better == "none":
        return "different"
    if ranking >= alpha:
        return f"different, neither shown nearer to {measure.neutral:g}"
    ahead = one if badness(measure, a.interval.value) < badness(measure, b.interval.value) else two
    return f"{ahead} {_word(measure)}"


def _word(measure: Measure) -> str:
    return f"nearer to {measure.neutral:g}" if measure.better == "nearer" else "better"


def _ranked(
    mine: Mapping[str, Estimated], measure: str, tests: Sequence[PairTest], p: PairTests, alpha: float
) -> Iterator[dict[str, str | float | int | None]]:
    """The rows of one measure (system to estimate), the best first where it has a direction."""
    bad = {name: badness(part.job.measure, part.interval.value) for name, part in mine.items()}
    directed = next(iter(mine.values())).job.measure.better != "none"
    apart = _pairs(measure, tests, (p.ranking if directed else p.adjusted) < alpha)
    compared = _pairs(measure, tests, np.isfinite(p.adjusted))
    tried = set(chain.from_iterable(pair for pair in compared if mine.keys() >= set(pair)))
    for name in sorted(bad, key=lambda n: (np.isnan(bad[n]), bad[n])) if directed else bad:
        statistics = mine[name].job.statistics
        differing = {other for other, one in apart if one == name}
        tied = [other for other in mine if other in tried - differing - {name}]
        others = [bad[other] for other in differing & mine.keys()]
        ranks = _ranks(bad[name], others, len(tried & mine.keys())) if directed and name in tried else (None, None)
        yield {
            "measure": measure,
            "rank": ranks[0],
            "rank_to": ranks[1],
            "system": name,
            "value": mine[name].interval.value,
            "tied_with": ", ".join(tied if name in tried else ()),
            "n_valid": statistics.valid,
            "n_decided": statistics.decided,
            "n": statistics.n,
        }


def _ranks(own: float, differing: Sequence[float], tried: int) -> tuple[int | None, int | None]:
    """The first and last rank of a badness among so many systems, given those that differ from it."""
    if not np.isfinite(own):
        return None, None
    return 1 + sum(value < own for value in differing), tried - sum(value > own for value in differing)


def ranking(
    parts: Mapping[tuple[str, str], Estimated], tests: Sequence[PairTest], p: PairTests, *, alpha: float
) -> pl.DataFrame:
    """A row for each measure and system (name, measure in `parts`), the best first, measures without ranks last.

    The rank is one more than the number of systems shown to be better, `rank_to` the last it may have: all but those
    shown to be worse. Together they are a confidence set, for all systems at once (Mogstad et al. 2024, Review of
    Economic Studies 91), since the pairs are corrected together. No rank for a measure without a direction, nor for
    a system that could be tested against no other. It is tied with all that are shown neither better nor worse (two on
    either side of a neutral point, for example); where the measure has no direction, with all that are not shown to
    differ.
    """
    rows = [
        row
        for measure in dict.fromkeys(m for _, m in parts)
        for row in _ranked({name: part for (name, m), part in parts.items() if m == measure}, measure, tests, p, alpha)
    ]
    without = pl.col("rank").is_null().all().over("measure")
    ranked = pl.DataFrame(rows, schema=SCHEMA).with_columns(pl.col("value").fill_nan(None))
    return ranked.sort(without, "measure", "rank", maintain_order=True, nulls_last=True)


def _pairs(measure: str, tests: Sequence[PairTest], chosen: np.ndarray) -> set[tuple[str, str]]:
    """The pairs of systems, both ways round, whose test of this measure is among the chosen."""
    one_way = {(a, b) for (a, b, m), taken in zip(tests, chosen, strict=True) if m == measure and taken}
    return one_way | {(b, a) for a, b in one_way}


# Letters for systems that a test does not tell apart: a compact letter display (Piepho 2004, JCGS 13).
# Being tied is not transitive: a may be tied with b and b with c while a and c differ. Letters say exactly that, where
# ranks and brackets cannot: two names share a letter if, and only if, no test tells them apart.


def letters(names: Sequence[str], apart: Collection[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The letters of every name (a, b, ..., z, aa, ab, ...), in the order of `names`; each name has one at least.

    `apart` are the pairs, either way round, that a test tells apart.
    """
    place = {name: number for number, name in enumerate(names)}
    told = {(min(one, two), max(one, two)) for one, two in ((place[a], place[b]) for a, b in apart)}
    columns = [(1 << len(names)) - 1] if names else []
    for one, two in sorted(told):
        both = 1 << one | 1 << two
        split = [column for column in columns if column & both == both]
        kept = [column for column in columns if column & both != both]
        columns = _absorbed([*kept, *(column & ~(1 << each) for column in split for each in (one, two))])
    columns = _needed(sorted(columns, key=_members))
    return {
        name: tuple(_letter(rank) for rank, column in enumerate(columns) if column >> number & 1)
        for name, number in place.items()
    }


def _members(column: int) -> tuple[int, ...]:
    return tuple(number for number in range(column.bit_length()) if column >> number & 1)


def _absorbed(columns: list[int]) -> list[int]:
    """Without columns that lie within another one."""
    largest: list[int] = []
    for column in sorted(dict.fromkeys(columns), key=int.bit_count, reverse=True):
        if not any(column & other == column for other in largest):
            largest.append(column)
    return largest


def _needed(columns: list[int]) -> list[int]:
    """Without columns whose every pair and member stands in another column: fewer letters that say the same."""
    kept = list(columns)
    for column in columns:
        others = [other for other in kept if other != column]
        pairs = [1 << one | 1 << two for one, two in combinations(_members(column), 2)]
        shown = pairs or [column]
        if all(any(other & each == each for other in others) for each in shown):
            kept = others
    return kept


def _letter(number: int) -> str:
    shown = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        shown = chr(ord("a") + rest) + shown
    return shown
