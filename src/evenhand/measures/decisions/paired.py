"""Several systems on the same suite: paired differences, a ranking with ties, and the sentences where they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType
from typing import Unpack

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.level import Resampling, alpha_of
from evenhand.measures.contrasts import Undecided, undecided_tipping
from evenhand.measures.decisions.margins import HARMS, harms
from evenhand.measures.decisions.pooled import POOLED
from evenhand.measures.decisions.ranking import Pair, ranking, tested_pairs
from evenhand.measures.definitions.counts import is_gender
from evenhand.measures.estimate import resolve
from evenhand.measures.rows import EstimateRow, as_estimates, estimate_row, joined
from evenhand.measures.sampling import Sampler
from evenhand.notebook import html_notes, html_table, html_title
from evenhand.statistics.inversion import StudentT
from evenhand.statistics.measure import Measure
from evenhand.statistics.variation import variation
from evenhand.storage.tables import MOST_INVALID, count_valid, first_answers
from evenhand.suites.suite import Grouping

ADDED = {"ranking_p": pl.Float64(), "reading": pl.String()}


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    `differences` is in the ESTIMATES schema (group "systems", level "A - B"; p of no difference in the measure,
    p_adjusted corrected over all pairs and measures) with two more columns: `ranking_p`, the corrected test of which
    system is better in the measure's own direction (null where it has none), and `reading`, the outcome of both tests.
    `ranking`: measure, ranks, system, value and interval on the common renderings, tied_with and counts
    (ranking.py). `differing`: one row per probe on which the systems' verdicts differ. `harms`: how much worse each
    system may be than each other one, for the measures with a margin (margins.py). `unranked` names the systems that
    are left out of the ranking, with the share of their answers that are unusable. `cautions` are sentences
    a reader must know first: the runs were judged by different detectors, or one repeats the other's answers from the
    translation memory.
    `paired_by` is the column by which sentences of different suites are paired, else "id". `pooled` has a row per
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
        gaps = self.differences.select("measure", "level", "value", "low", "high", "p_adjusted", "reading")
        title = html_title(f"{self.common:,} common renderings")
        tables = [html_table([c.replace("_", " ") for c in t.columns], t.iter_rows()) for t in (ranks, gaps)]
        return f"{title}{html_notes((*self.cautions, *self.remarks))}{''.join(tables)}"

    @property
    def remarks(self) -> list[str]:
        """Why a system is not ranked, one sentence each."""
        return [
            f"{name} is left out of the ranking: {100 * share:.1f} % of its answers are unusable"
            for name, share in self.unranked.items()
        ]


def compare(
    runs: Mapping[str, pl.DataFrame],
    *,
    clusters: Sequence[str],
    measures: Sequence[str | Measure],
    groupings: Sequence[Grouping] = (),
    margins: Mapping[str, float] = MappingProxyType({}),
    **how: Unpack[Resampling],
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
    first, sampler = Sampler.over(tables[names[0]], clusters, **how)
    coded = {name: Sampler.over(table, clusters)[0] for name, table in tables.items()}
    chosen = [m for m in resolve(measures, groupings, first) if comparable(m)]
    if not chosen:
        raise BadInput("none of these measures can be compared between systems as a whole")
    parts = {(n, m.name): sampler.measured(m, coded[n]) for n in names for m in chosen}
    pairs = [replace(pair, tipping=_tipping(pair, coded, sampler)) for pair in tested_pairs(parts, sampler)]
    unranked = invalid_shares(tables)
    ranked = {key: part for key, part in parts.items() if key[0] not in unranked}
    family = f"{len(names)} systems x {len(chosen)} measures (max-T)"
    return Comparison(
        differences=_differences(pairs, alpha_of(sampler.level), family),
        ranking=ranking(ranked, pairs, alpha=alpha_of(sampler.level)),
        differing=differing(tables),
        common=first.height,
        left_out=left_out,
        harms=harms(pairs, margins, sampler),
        unranked=unranked,
    )


def invalid_shares(tables: Mapping[str, pl.DataFrame]) -> dict[str, float]:
    """Systems with more than MOST_INVALID of their answers unusable, and that share."""
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
    common = reduce(lambda one, two: one.join(two, on=keys), (table.select(keys) for table in tables.values()))
    if not common.height:
        raise BadInput(f"the runs {', '.join(tables)} have no probe in common: are they runs of the same suite?")
    left_out = sum(t.height - common.height for t in tables.values())
    common = common.sort(keys)
    return {n: common.join(t, on=keys, how="left", maintain_order="left") for n, t in tables.items()}, left_out


def _differences(pairs: Sequence[Pair], alpha: float, family: str) -> pl.DataFrame:
    """A row per pair of systems and measure, as an estimate with the columns ADDED."""
    rows: list[EstimateRow] = []
    for pair in pairs:
        one, two = (part.job.statistics for part in pair.parts)
        valid = min((v for v in (one.valid, two.valid) if v is not None), default=None)
        named = (pair.measure.name, "systems", " - ".join(pair.names))
        row = estimate_row(*named, pair.gap.interval(), one, family=family)
        row |= {"n_decided": min(one.decided, two.decided), "n_valid": valid}
        row |= {"p": pair.gap.p, "p_adjusted": pair.adjusted, "ranking_p": pair.ranking, "reading": pair.reading(alpha)}
        condition = pair.tipping.note or None
        rows.append(row | {"note": condition, "condition": condition, "tipping_undecided": pair.tipping.share})
    added = pl.DataFrame([{c: row[c] for c in ADDED} for row in rows], schema=ADDED)
    return as_estimates(rows).hstack(added.with_columns(pl.col("ranking_p").fill_nan(None)))


def _tipping(pair: Pair, tables: Mapping[str, pl.DataFrame], sampler: Sampler) -> Undecided:
    """On what a difference depends: the renderings that only one of two systems leaves undecided, a heavy cluster."""
    undecided, (first, second) = Undecided(), (tables[name] for name in pair.names)
    if "gender" in first.columns and "gender" in second.columns:
        one, two = (t.select(is_gender(*DECIDED).fill_null(value=False)).to_series() for t in (first, second))
        counts = (int((~one & two).sum()), int((~two & one).sum()))
        if any(counts):
            undecided = undecided_tipping(list(zip(pair.names, pair.parts, strict=True)), pair.gap.interval(), counts)
    return Undecided(undecided.share, joined(undecided.note, _heavy(pair, first, sampler)) or "")


HEAVY = 1 / 3  # of the renderings in one cluster, from which on a difference may rest on it


def _heavy(pair: Pair, table: pl.DataFrame, sampler: Sampler) -> str:
    """Where one cluster holds much of the renderings: that a difference is significant only by a test of its signs. The
    t with Satterthwaite's degrees of freedom, which are then few, allows for any spread of such a cluster."""
    one, two = (part.linearised for part in pair.parts)
    if one is None or two is None or not sampler.clusters:
        return ""
    sizes, alpha = np.bincount(one.codes[:, 0], one.sizes), alpha_of(sampler.level)
    share = float(sizes.max() / sizes.sum())
    if share < HEAVY or not pair.gap.p < alpha:
        return ""
    if StudentT.of(one.value - two.value, variation(one, two), clusters=one.count()).p(0.0) < alpha:
        return ""
    column = sampler.clusters[0]
    name = table[column].value_counts(sort=True).drop_nulls()[column][0]
    return f"depends on one {column}, {name}, which has {100 * share:.0f} % of the renderings"


def differing(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The probes on which verdicts differ: id, source(s), and a verdict (and rendering) column for each system."""
    first = next(iter(tables.values()))
    columns = [first[c] for c in ("id", "sample") if c in first.columns]
    if all("source" in table.columns for table in tables.values()):
        texts = pl.DataFrame([table["source"].alias(name) for name, table in tables.items()])
        each = pl.concat_list(pl.all()).list.unique(maintain_order=True).list.join(" | ")
        columns.append(texts.select(source=each)["source"])
    for name, table in tables.items():
        columns += [
            table[c].cast(pl.String).alias(f"{c} {name}") for c in ("gender", "rendering") if c in table.columns
        ]
    joint = pl.DataFrame(columns)
    verdicts = [c for c in joint.columns if c.startswith("gender ")]
    if len(verdicts) < 2:
        return joint.clear()
    same = pl.all_horizontal([pl.col(verdicts[0]).eq_missing(pl.col(c)) for c in verdicts[1:]])
    return joint.filter(~same)
