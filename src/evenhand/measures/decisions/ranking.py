"""Which of two systems is better, by the measure's own direction, and a ranking that says no more than the tests do.

Two corrected tests: whether the values are the same, and, for measures with a direction, whether one is better. The
second decides ranks and ties where there is one, so that a system is better, worse or tied, and never two of these; the
readings of the pairs say where tied systems differ all the same (on either side of a neutral point).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count, product
from string import ascii_lowercase

import numpy as np
import polars as pl

from evenhand.measures.contrasts import Undecided
from evenhand.measures.sampling import Difference, Estimated, Sampler
from evenhand.statistics.inversion import StudentT
from evenhand.statistics.measure import Measure
from evenhand.statistics.variation import variation
from evenhand.storage.tables import schema

NO_DIFFERENCE = "no significant difference"
SCHEMA = {
    **schema(pl.String, "measure"),
    **schema(pl.Int64, "rank", "rank_to"),
    **schema(pl.String, "system"),
    **schema(pl.Float64, "value", "low", "high"),
    **schema(pl.String, "tied_with"),
    **schema(pl.Int64, "n_valid", "n_decided", "n"),
}


def ranks_of(row: Mapping[str, object], dash: str = "-") -> str:
    """The ranks a system may have, as printed: 1, or 1-3; a dash where it has none."""
    first, last = row["rank"], row["rank_to"]
    return dash if first is None else str(first) if last in (None, first) else f"{first}{dash}{last}"


@dataclass(frozen=True)
class Pair:
    """Two systems by one measure: their estimates, the difference, and p-values corrected over all pairs and measures.
    `adjusted` is the p of no difference, `ranking` that of neither being better: never below `adjusted`, and NaN for
    measures without a direction (what is not different is not better). `tipping` says on what the difference
    depends."""

    names: tuple[str, str]
    parts: tuple[Estimated, Estimated]
    gap: Difference
    adjusted: float
    ranking: float
    tipping: Undecided = field(default_factory=Undecided)

    @property
    def measure(self) -> Measure:
        return self.parts[0].job.measure

    def reading(self, alpha: float) -> str:
        """What the two corrected p-values say."""
        measure = self.measure
        if not np.isfinite(self.adjusted):
            return "no test"
        if self.adjusted >= alpha:
            return NO_DIFFERENCE
        if measure.better == "none":
            return "different"
        if self.ranking >= alpha:
            return f"different, neither significantly nearer to {measure.neutral:g}"
        one, two = (badness(measure, part.interval.value) for part in self.parts)
        ahead = self.names[0] if one < two else self.names[1]
        return f"{ahead} nearer to {measure.neutral:g}" if measure.better == "nearer" else f"{ahead} better"


def tested_pairs(parts: Mapping[tuple[str, str], Estimated], sampler: Sampler) -> list[Pair]:
    """Every two systems by every measure (system, measure to estimate), the p corrected over all of them together."""
    systems, measures = (list(dict.fromkeys(keys)) for keys in zip(*parts, strict=True))
    named = [(pair, measure) for measure in measures for pair in combinations(systems, 2)]
    both = [(parts[a, measure], parts[b, measure]) for (a, b), measure in named]
    gaps = [sampler.difference(*pair) for pair in both]
    plain = np.array([gap.p for gap in gaps])
    sided = np.array([better_p(*pair, p) for pair, p in zip(both, plain, strict=True)])
    adjusted = sampler.corrected(plain, both)
    direction = np.array([one.job.measure.better for one, _ in both])
    ranking = np.where(direction == "nearer", np.maximum(adjusted, sampler.corrected(sided, both)), adjusted)
    ranking = np.where(direction == "none", np.nan, ranking)
    names = [pair for pair, _ in named]
    return [Pair(*one) for one in zip(names, both, gaps, adjusted, ranking, strict=True)]


def better_p(first: Estimated, second: Estimated, p: float) -> float:
    """The p of neither being better in the measure's own direction, from the p of no difference. Where nearer to a
    neutral point c is better, both are equally good not only where the values are equal but also where they lie on
    either side of it, |a - c| = |b - c|: a = b or a + b = 2 c. One is better only if both are rejected
    (intersection-union test: Berger 1982, Technometrics 24)."""
    measure = first.job.measure
    if measure.better != "nearer" or first.linearised is None or second.linearised is None:
        return p
    over = variation(first.linearised, replace(second.linearised, moves=-second.linearised.moves))
    sides = first.interval.value + second.interval.value - 2 * measure.neutral
    return max(p, StudentT.of(sides, over, clusters=first.interval.n).p(0.0))


def badness(measure: Measure, value: float) -> float:
    """A value turned so that smaller is better, by the measure's own direction; NaN where it has none."""
    if measure.better == "nearer":
        return abs(value - measure.neutral)
    return {"higher": -value, "lower": value}.get(measure.better, float("nan"))


def _ranked(
    mine: Mapping[str, Estimated], measure: str, pairs: Sequence[Pair], alpha: float
) -> Iterator[tuple[str | float | int | None, ...]]:
    """The rows of one measure (system to estimate), the best first where it has a direction."""
    bad = {name: badness(part.job.measure, part.interval.value) for name, part in mine.items()}
    directed = next(iter(mine.values())).job.measure.better != "none"
    own = [pair for pair in pairs if pair.measure.name == measure and mine.keys() >= set(pair.names)]
    differ = [set(pair.names) for pair in own if (pair.ranking if directed else pair.adjusted) < alpha]
    tried = {name for pair in own if np.isfinite(pair.adjusted) for name in pair.names}
    for name in sorted(bad, key=lambda n: (np.isnan(bad[n]), bad[n])) if directed else bad:
        statistics, interval = mine[name].job.statistics, mine[name].interval
        differing = {other for pair in differ if name in pair for other in pair - {name}}
        tied = [other for other in mine if other in tried - differing - {name}] if name in tried else []
        ranks: tuple[int | None, int | None] = (None, None)
        if directed and name in tried and np.isfinite(bad[name]):
            ahead = sum(bad[other] < bad[name] for other in differing)
            ranks = 1 + ahead, len(tried) - sum(bad[other] > bad[name] for other in differing)
        values, counts = (interval.value, interval.low, interval.high), (statistics.decided, statistics.n)
        yield (measure, *ranks, name, *values, ", ".join(tied), statistics.valid, *counts)


def ranking(parts: Mapping[tuple[str, str], Estimated], pairs: Sequence[Pair], *, alpha: float) -> pl.DataFrame:
    """A row per measure and system (name, measure in `parts`), the best first, measures without ranks last.

    The rank is one more than the number of significantly better systems, `rank_to` the last it may have: all but the
    significantly worse ones. Together they are a confidence set, for all systems at once (Mogstad et al. 2024, Review
    of Economic Studies 91), since the pairs are corrected together. No rank for a measure without a direction, nor for
    a system that could be tested against no other. It is tied with all that are neither significantly better nor worse
    (two on either side of a neutral point, for example); where the measure has no direction, with all that do not
    differ significantly.
    """
    rows = [
        row
        for measure in dict.fromkeys(m for _, m in parts)
        for row in _ranked({name: part for (name, m), part in parts.items() if m == measure}, measure, pairs, alpha)
    ]
    without = pl.col("rank").is_null().all().over("measure")
    ranked = pl.DataFrame(rows, schema=SCHEMA, orient="row").with_columns(pl.col("value", "low", "high").fill_nan(None))
    return ranked.sort(without, "measure", "rank", maintain_order=True, nulls_last=True)


# Letters for systems that do not differ significantly: a compact letter display (Piepho 2004, JCGS 13).
# Being tied is not transitive: a may be tied with b and b with c while a and c differ. Letters say exactly that, where
# ranks and brackets cannot: two names share a letter if, and only if, no test separates them.


def letters(names: Sequence[str], differ: Collection[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The letters of every name (a, b, ..., z, aa, ab, ...), in the order of `names`; each name has one at least.
    `differ` are the pairs, either way round, that differ significantly. Each letter is a largest set of names of which
    no two differ; sets whose every pair is in another one are left out."""
    apart = {frozenset(pair) for pair in differ}
    bits = {name: 1 << number for number, name in enumerate(names)}
    sets = [sum(bits.values())] if names else []
    for one, two in combinations(names, 2):
        if {one, two} in apart:
            both = bits[one] | bits[two]
            split = [part & ~bits[each] if part & both == both else part for part in sets for each in (one, two)]
            sets = [part for part in dict.fromkeys(split) if not any(part & other == part != other for other in split)]
    kept = sorted(sets, key=lambda part: [number for number, bit in enumerate(bits.values()) if part & bit])
    for part in list(kept):
        others = [other for other in kept if other != part]
        pairs = [one | two for one, two in combinations(bits.values(), 2) if part & one and part & two] or [part]
        if all(any(other & pair == pair for other in others) for pair in pairs):
            kept = others
    words = ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
    lettered = list(zip(words, kept, strict=False))
    return {name: tuple(word for word, part in lettered if part & bits[name]) for name in names}
