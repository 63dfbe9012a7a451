"""Several systems on the same suite: paired differences, a ranking with ties, and the sentences where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import ALPHA, LEVEL
from evenhand.measures import registry
from evenhand.measures.estimate import resolve
from evenhand.measures.rows import Row, as_estimates, lead
from evenhand.measures.sampling import Sampler, prepare
from evenhand.statistics.bootstrap import RESAMPLES, Job
from evenhand.statistics.cluster_intervals import Sampled
from evenhand.statistics.measure import Floats, Measure
from evenhand.statistics.swapping import PERMUTATIONS, Pair, p_values, spread_of, step_down, swapped
from evenhand.suites.suite import Grouping
from evenhand.tables import MOST_INVALID, count_valid, first_answers

ADDED = {"bootstrap_p": pl.Float64(), "ranking_p": pl.Float64()}


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    `differences` is in the ESTIMATES schema (group "systems", level "A - B"; p from swapping clusters, p_adjusted
    corrected over all pairs and measures) with two more columns: `bootstrap_p` from the paired bootstrap and
    `ranking_p`, the corrected test of which system is better in the measure's own direction. `ranking`: measure,
    rank, system, value, tied_with, n_valid, n_decided. `differing`: one row a probe on which the systems' verdicts
    differ. `unranked` names the systems that are left out of the ranking, with the share of their answers that are no
    renderings at all.
    """

    differences: pl.DataFrame
    ranking: pl.DataFrame
    differing: pl.DataFrame
    common: int
    left_out: int
    unranked: Mapping[str, float] = field(default_factory=dict)

    @property
    def remarks(self) -> list[str]:
        """Why a system is not ranked, one sentence each."""
        return [
            f"{name} is left out of the ranking: {share:.1%} of its answers are no renderings at all"
            for name, share in self.unranked.items()
        ]


def compare(
    runs: Mapping[str, pl.DataFrame],
    *,
    clusters: Sequence[str] = (),
    groupings: Sequence[Grouping] = (),
    measures: Sequence[str | Measure] = registry.DEFAULT,
    seed: int = 0,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    level: float = LEVEL,
) -> Comparison:
    """Compare runs (name to joined table of probes and verdicts) of one suite, on the renderings they all have.

    Intervals come from one cluster bootstrap for all systems. Tests swap two systems' answers cluster by cluster,
    along the first cluster column (measures that are not sums over clusters, or exist for groups only, are left out);
    where clusters cross and swaps along another column move a difference clearly
    more, the more cautious p counts.
    """
    if len(runs) < 2:
        raise BadInput("comparing needs at least two runs")
    tables, left_out = align(runs, clusters)
    names = list(tables)
    first = tables[names[0]]
    _, axes, sizes = prepare(first, clusters)
    coded = {name: prepare(table, clusters)[0] for name, table in tables.items()}
    chosen = [m for m in resolve(measures, groupings, coded[names[0]]) if comparable(m)]
    if not chosen:
        raise BadInput("none of these measures can be compared between systems as a whole")
    sampler = Sampler(axes, sizes, tuple(clusters), seed, resamples, level)
    jobs = {(n, m.name): Job(m, m.statistics(coded[n], axes)) for n in names for m in chosen}
    sampled = dict(zip(jobs, sampler.sample(list(jobs.values())), strict=True))
    tests = [(a, b, m.name) for m in chosen for a, b in combinations(names, 2)]
    pairs = [Pair(jobs[a, m], jobs[b, m]) for a, b, m in tests]
    p = tested(pairs, sizes, seed, permutations)
    swaps = " and ".join(clusters) or "probe"
    family = f"{len(names)} systems x {len(chosen)} measures, swaps by {swaps} (max-T)"
    rows = []
    for number, (a, b, m) in enumerate(tests):
        row = _difference(sampled[a, m], sampled[b, m], sampler)
        row |= {"measure": m, "group": "systems", "level": f"{a} - {b}", "variant": "raw", "family": family}
        rows.append(row | {"p": p.plain[number], "p_adjusted": p.adjusted[number], "ranking_p": p.ranking[number]})
    differences = as_estimates(rows).with_columns(
        [pl.Series(c, [row.get(c) for row in rows], dtype=t).fill_nan(None) for c, t in ADDED.items()]
    )
    unranked = invalid_shares(tables)
    ranked = {key: job for key, job in jobs.items() if key[0] not in unranked}
    return Comparison(
        differences=differences,
        ranking=ranking(ranked, tests, p.ranking),
        differing=differing(tables),
        common=first.height,
        left_out=left_out,
        unranked=unranked,
    )


def invalid_shares(tables: Mapping[str, pl.DataFrame]) -> dict[str, float]:
    """Systems with more than MOST_INVALID of their answers no renderings at all, and that share."""
    counted = {name: (count_valid(table), table.height) for name, table in tables.items()}
    shares = {name: 1 - valid / n for name, (valid, n) in counted.items() if valid is not None and n}
    return {name: share for name, share in shares.items() if share > MOST_INVALID}


def comparable(measure: Measure) -> bool:
    """The measure has one value for a whole run, made of sums over clusters that can be swapped."""
    return measure.additive and not measure.against_base


def align(runs: Mapping[str, pl.DataFrame], clusters: Sequence[str]) -> tuple[dict[str, pl.DataFrame], int]:
    """The renderings all runs have, in one order, and how many others there were."""
    tables = {}
    for name, table in runs.items():
        missing = [c for c in ("id", *clusters) if c not in table.columns]
        if missing:
            raise BadInput(f"run {name!r} has no column {missing[0]!r}: is it a run of the same suite?")
        only = first_answers(table)
        tables[name] = only if "sample" in only.columns else only.with_columns(sample=pl.lit(0, dtype=pl.UInt16))
    keys = ["id", "sample"]
    common = None
    for table in tables.values():
        common = table.select(keys) if common is None else common.join(table.select(keys), on=keys, how="inner")
    if common is None or not common.height:
        raise BadInput(f"the runs {', '.join(tables)} have no probe in common: are they runs of the same suite?")
    left_out = sum(t.height - common.height for t in tables.values())
    common = common.sort(keys)
    return {n: common.join(t, on=keys, how="left", maintain_order="left") for n, t in tables.items()}, left_out


@dataclass(frozen=True)
class Tested:
    """P-values of all pairs and measures: plain, corrected, and corrected for which of the two is better.

    `spread` is how far swaps move each difference.
    """

    plain: Floats
    adjusted: Floats
    ranking: Floats
    spread: Floats

    def cautious(self, other: Tested) -> Tested:
        """The larger p of two axes where the other axis moves a difference by a quarter more; else this axis's.

        Taking the larger p always would cost the test its level (3.2 % false alarms instead of 5 % on the verbs
        suite), because both axes see the same noise.
        """
        wider = other.spread > 1.25 * self.spread

        def chosen(mine: Floats, theirs: Floats) -> Floats:
            return np.where(wider, np.fmax(mine, theirs), mine)

        return Tested(
            plain=chosen(self.plain, other.plain),
            adjusted=chosen(self.adjusted, other.adjusted),
            ranking=chosen(self.ranking, other.ranking),
            spread=np.fmax(self.spread, other.spread),
        )


def tested(pairs: Sequence[Pair], sizes: Sequence[int], seed: int, permutations: int) -> Tested:
    ends = [(p.first.point(), p.second.point()) for p in pairs]
    observed = np.array([a - b for a, b in ends])
    worse = np.array(
        [float(p.badness(np.array(a)) - p.badness(np.array(b))) for p, (a, b) in zip(pairs, ends, strict=True)]
    )
    leading = None
    for axis, size in enumerate(sizes):
        values, badness = swapped(pairs, axis, size, seed=seed, permutations=permutations)
        plain, adjusted, ranked = p_values(observed, values), step_down(observed, values), step_down(worse, badness)
        along = Tested(plain, adjusted, ranked, spread_of(values))
        leading = along if leading is None else leading.cautious(along)
    if leading is None:
        raise BadInput("systems are compared over at least one cluster axis")
    return leading


def _difference(first: list[Sampled], second: list[Sampled], sampler: Sampler) -> Row:
    columns, words = lead([interval for interval, _ in sampler.differences(first, second)])
    drawn = first[-1].values - second[-1].values
    drawn = drawn[np.isfinite(drawn)]
    sided = min(1.0, 2 * (1 + min((drawn <= 0).sum(), (drawn >= 0).sum())) / (1 + len(drawn)))
    statistics = first[0].job.statistics
    return columns | {
        "n": statistics.n,
        "n_decided": min(statistics.decided, second[0].job.statistics.decided),
        "n_valid": min((v for v in (statistics.valid, second[0].job.statistics.valid) if v is not None), default=None),
        "n_clusters": statistics.sizes[0],
        "note": words or None,
        "bootstrap_p": float(sided),
    }


def ranking(jobs: Mapping[tuple[str, str], Job], tests: Sequence[tuple[str, str, str]], p: Floats) -> pl.DataFrame:
    """A system's rank is one more than the number of systems the corrected test finds better: ties share a rank."""
    rows = []
    points = {key: job.point() for key, job in jobs.items()}
    for measure in dict.fromkeys(m for _, m in jobs):
        badness = {
            n: float(Pair(job, job).badness(np.array(points[n, m]))) for (n, m), job in jobs.items() if m == measure
        }
        separated = {(a, b) for (a, b, m), value in zip(tests, p, strict=True) if m == measure and value < ALPHA}
        separated |= {(b, a) for a, b in separated}
        for name in sorted(badness, key=lambda n: (np.isnan(badness[n]), badness[n])):
            better = [o for o in badness if (o, name) in separated and badness[o] < badness[name]]
            tied = [o for o in badness if o != name and (o, name) not in separated]
            value = points[name, measure]
            statistics = jobs[name, measure].statistics
            row = {"measure": measure, "rank": 1 + len(better), "system": name}
            row |= {"value": None if np.isnan(value) else value, "tied_with": ", ".join(tied)}
            rows.append(row | {"n_valid": statistics.valid, "n_decided": statistics.decided, "n": statistics.n})
    schema = {"measure": pl.String, "rank": pl.Int64, "system": pl.String, "value": pl.Float64, "tied_with": pl.String}
    schema |= dict.fromkeys(("n_valid", "n_decided", "n"), pl.Int64)
    return pl.DataFrame(rows, schema=schema).sort("measure", "rank", maintain_order=True)


def differing(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The probes on which verdicts differ: id, source, and a verdict (and rendering) column for each system."""
    names = list(tables)
    first = tables[names[0]]
    columns = [first[c] for c in ("id", "sample", "source") if c in first.columns]
    for name, table in tables.items():
        if "gender" in table.columns:
            columns.append(table["gender"].cast(pl.String).alias(f"gender {name}"))
        if "rendering" in table.columns:
            columns.append(table["rendering"].alias(f"rendering {name}"))
    joined = pl.DataFrame(columns)
    verdicts = [c for c in joined.columns if c.startswith("gender ")]
    if len(verdicts) < 2:
        return joined.clear()
    same = pl.all_horizontal([pl.col(verdicts[0]).eq_missing(pl.col(c)) for c in verdicts[1:]])
    return joined.filter(~same)
