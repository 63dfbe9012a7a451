"""Several systems on the same suite: paired differences, a ranking with ties, and the sentences where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.level import LEVEL
from evenhand.measures.contrasts import Undecided, undecided_tipping
from evenhand.measures.decisions.margins import HARMS, harms
from evenhand.measures.decisions.pooled import POOLED
from evenhand.measures.decisions.ranking import PairTest, PairTests, ranking, reading, tested
from evenhand.measures.definitions.counts import is_gender
from evenhand.measures.estimate import resolve
from evenhand.measures.rows import EstimateRow, as_estimates, columns
from evenhand.measures.sampling import Estimated, Sampler, prepare
from evenhand.notebook import html_notes, html_table, html_title
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.equality import t_test
from evenhand.statistics.measure import Job, Measure
from evenhand.statistics.variation import variation
from evenhand.storage.tables import MOST_INVALID, count_valid, first_answers
from evenhand.suites.suite import Grouping

ADDED = {"ranking_p": pl.Float64(), "reading": pl.String()}


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    `differences` is in the ESTIMATES schema (group "systems", level "A - B"; p of no difference in the measure,
    p_adjusted corrected over all pairs and measures) with two more columns: `ranking_p`, the corrected test of which
    system is better in the measure's own direction (null where it has none), and `reading`, what the tests say in
    words. `ranking`: measure, rank, system, value, tied_with, n_valid, n_decided, n (ranking.py). `differing`: one row
    a probe on which the systems' verdicts differ. `harms`: how much worse each system may be than each other one, for
    the measures with a margin (margins.py). `unranked` names the systems that are left out of the ranking, with
    the share of their answers that are no renderings at all. `cautions` are sentences a reader must know first: the
    runs were judged by different detectors, or one repeats the other's answers from the translation memory.
    `paired_by` is the column by which sentences of different suites are paired, else "id". `pooled` has a row for each
    measure and system with runs of several suites or languages (pooled.py).
    """

    differences: pl.DataFrame
    ranking: pl.DataFrame
    differing: pl.DataFrame
    common: int
    left_out: int
    harms: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=HARMS))
    unranked: Mapping[str, float] = field(default_factory=dict)
    cautions: tuple[str, ...] = ()
    paired_by: str = "id"
    pooled: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=POOLED))

    def _repr_html_(self) -> str:
        """For a notebook: cautions, the ranking, the differences with their intervals and what the tests say."""
        ranks = self.ranking.select("measure", "rank", "system", "value")
        told = self.differences.select("measure", "level", "value", "low", "high", "p_adjusted", "reading")
        title = html_title(f"{self.common:,} common renderings")
        tables = [html_table([c.replace("_", " ") for c in t.columns], t.iter_rows()) for t in (ranks, told)]
        return f"{title}{html_notes((*self.cautions, *self.remarks))}{''.join(tables)}"

    @property
    def remarks(self) -> list[str]:
        """Why a system is not ranked, one sentence each."""
        return [
            f"{name} is left out of the ranking: {100 * share:.1f} % of its answers are no renderings at all"
            for name, share in self.unranked.items()
        ]


def compare(
    runs: Mapping[str, pl.DataFrame],
    *,
    clusters: Sequence[str],
    measures: Sequence[str | Measure],
    groupings: Sequence[Grouping] = (),
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    margins: Mapping[str, float] = MappingProxyType({}),
) -> Comparison:
    """Compare runs (name to joined table of probes and verdicts) of one suite, on the renderings they all have.

    Tests ask whether the measure itself is the same: two systems with 40 and 60 % female renderings have the same P_S.
    They look at the differences cluster by cluster, over all axes where clusters cross. Measures that are not sums
    over clusters, or exist for groups only, are left out. `margins` (measure to size) asks whether systems are no worse
    than one another by more than that; 0 asks for the bounds without a margin.
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
    parts = {(n, m.name): sampler.estimate(Job(m, m.statistics(coded[n], axes))) for n in names for m in chosen}
    tests = [(a, b, m.name) for m in chosen for a, b in combinations(names, 2)]
    p = tested([(parts[a, m], parts[b, m]) for a, b, m in tests], sampler)
    family = f"{len(names)} systems x {len(chosen)} measures (max-T)"
    tipping = {
        (a, b, m): _tipping((a, b), m, parts, coded, sampler).joined(_heavy(parts[a, m], parts[b, m], first, sampler))
        for a, b, m in tests
    }
    differences = _differences(parts, tests, p, sampler, tipping, family=family)
    unranked = invalid_shares(tables)
    ranked = {key: part for key, part in parts.items() if key[0] not in unranked}
    return Comparison(
        differences=differences,
        ranking=ranking(ranked, tests, p, alpha=1 - level),
        differing=differing(tables),
        common=first.height,
        left_out=left_out,
        harms=harms(parts, tests, p, margins, sampler, tipping=tipping),
        unranked=unranked,
    )


def invalid_shares(tables: Mapping[str, pl.DataFrame]) -> dict[str, float]:
    """Systems with more than MOST_INVALID of their answers no renderings at all, and that share."""
    counted = {name: (count_valid(table), table.height) for name, table in tables.items()}
    shares = {name: 1 - valid / n for name, (valid, n) in counted.items() if valid is not None and n}
    return {name: share for name, share in shares.items() if share > MOST_INVALID}


def comparable(measure: Measure) -> bool:
    """The measure has one value for a whole run, made of sums over clusters."""
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


def _differences(
    parts: Mapping[tuple[str, str], Estimated],
    tests: Sequence[PairTest],
    p: PairTests,
    sampler: Sampler,
    tipping: Mapping[PairTest, Undecided],
    *,
    family: str,
) -> pl.DataFrame:
    """A row per pair of systems and measure, as an estimate with the columns ADDED."""
    rows: list[EstimateRow] = []
    for number, (a, b, m) in enumerate(tests):
        row = _difference(parts[a, m], parts[b, m], sampler)
        row |= {"measure": m, "group": "systems", "level": f"{a} - {b}", "variant": "raw", "family": family}
        row |= {"p": p.plain[number], "p_adjusted": p.adjusted[number], "ranking_p": p.ranking[number]}
        said = reading(
            (a, parts[a, m]), (b, parts[b, m]), p.adjusted[number], p.ranking[number], alpha=1 - sampler.level
        )
        turned = tipping[a, b, m]
        told: EstimateRow = dict.fromkeys(("note", "condition"), turned.note or None)
        rows.append(row | told | {"reading": said, "tipping_undecided": turned.share})
    added = pl.DataFrame([{c: row[c] for c in ADDED} for row in rows], schema=ADDED)
    return as_estimates(rows).hstack(added.with_columns(pl.col("ranking_p").fill_nan(None)))


def _tipping(
    names: tuple[str, str],
    measure: str,
    parts: Mapping[tuple[str, str], Estimated],
    tables: Mapping[str, pl.DataFrame],
    sampler: Sampler,
) -> Undecided:
    """What the renderings that only one of two systems leaves undecided could change."""
    first, second = (tables[name] for name in names)
    if "gender" not in first.columns or "gender" not in second.columns:
        return Undecided()
    one, two = (~table.select(is_gender(*DECIDED).fill_null(value=False)).to_series() for table in (first, second))
    counts = (int((one & ~two).sum()), int((two & ~one).sum()))
    a, b = (parts[name, measure] for name in names)
    if not any(counts):
        return Undecided()
    return undecided_tipping(((names[0], a.job), (names[1], b.job)), sampler.difference(a, b).interval(), counts)


HEAVY = 1 / 3  # of the renderings in one cluster, from which on a difference may rest on it


def _heavy(one: Estimated, two: Estimated, table: pl.DataFrame, sampler: Sampler) -> str:
    """Where one cluster holds much of the renderings: that a difference is significant only by a test of its signs.

    The t with Satterthwaite's degrees of freedom, which are then few, allows for any spread of such a cluster.
    """
    if one.linearised is None or two.linearised is None or not sampler.clusters:
        return ""
    sizes = np.bincount(one.linearised.codes[:, 0], one.linearised.sizes)
    share = float(sizes.max() / sizes.sum())
    alpha, gap = 1 - sampler.level, one.linearised.value - two.linearised.value
    if share < HEAVY or not sampler.difference(one, two).p < alpha:
        return ""
    if t_test(gap, variation(one.linearised, two.linearised), clusters=one.linearised.count()) < alpha:
        return ""
    column = sampler.clusters[0]
    name = table[column].value_counts(sort=True).drop_nulls()[column][0]
    return f"depends on one {column}, {name}, which has {100 * share:.0f} % of the renderings"


def _difference(first: Estimated, second: Estimated, sampler: Sampler) -> EstimateRow:
    statistics = first.job.statistics
    return columns(sampler.difference(first, second).interval()) | {
        "n": statistics.n,
        "n_decided": min(statistics.decided, second.job.statistics.decided),
        "n_valid": min((v for v in (statistics.valid, second.job.statistics.valid) if v is not None), default=None),
        "n_clusters": statistics.sizes[0],
    }


def differing(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The probes on which verdicts differ: id, source(s), and a verdict (and rendering) column for each system."""
    first = next(iter(tables.values()))
    columns = [first[c] for c in ("id", "sample") if c in first.columns]
    if all("source" in table.columns for table in tables.values()):
        texts = pl.DataFrame([table["source"].alias(name) for name, table in tables.items()])
        joined = pl.concat_list(pl.all()).list.unique(maintain_order=True).list.join(" | ")
        columns.append(texts.select(source=joined)["source"])
    for name, one in tables.items():
        if "gender" in one.columns:
            columns.append(one["gender"].cast(pl.String).alias(f"gender {name}"))
        if "rendering" in one.columns:
            columns.append(one["rendering"].alias(f"rendering {name}"))
    table = pl.DataFrame(columns)
    verdicts = [c for c in table.columns if c.startswith("gender ")]
    if len(verdicts) < 2:
        return table.clear()
    same = pl.all_horizontal([pl.col(verdicts[0]).eq_missing(pl.col(c)) for c in verdicts[1:]])
    return table.filter(~same)
