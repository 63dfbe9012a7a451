"""A run against outside statistics: estimates for each reference, which one is nearest, what an added word does."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Unpack

import polars as pl

from evenhand.errors import BadInput
from evenhand.level import Resampling
from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.definitions.counts import Proportion
from evenhand.measures.definitions.optimal import (
    EMPLOYED,
    SHARE,
    by_occupation,
    influence,
    optimal_measures,
    reference_intervals,
)
from evenhand.measures.definitions.preference import reference_slope
from evenhand.measures.estimate import cut, estimate
from evenhand.measures.rows import EstimateRow, as_estimates, estimate_row
from evenhand.measures.sampling import Sampler
from evenhand.references.reference import Reference, attach, coverage, drawn_shares, load_reference
from evenhand.results.runs import Manifest, Run
from evenhand.statistics.classical import adjust
from evenhand.storage.tables import ALL, ESTIMATES, schema
from evenhand.suites.suite import Grouping

GROUPINGS = Grouping.by("sector", "isco_major")


def load_references(given: Sequence[Reference | str], probes: pl.DataFrame) -> list[Reference]:
    """The references by name or path; one that says nothing about these probes is an error."""
    references = [one if isinstance(one, Reference) else load_reference(one) for one in given]
    for reference in references:
        if coverage(probes, reference)[0] == 0:
            raise BadInput(
                f"reference {reference.name} has a share for none of the suite's occupations; "
                "`evenhand references format` explains the matching"
            )
    return references


def facts_of(reference: Reference, probes: pl.DataFrame) -> dict[str, object]:
    """What a manifest keeps of a reference: where it comes from, and for how many occupations it has a share."""
    covered, asked = coverage(probes, reference)
    facts = {name: getattr(reference, name) for name in ("name", "kind", "country", "years", "source", "licence")}
    return {**facts, "told": reference.origin, "covered": covered, "occupations": asked}


def against(run: Run, references: Sequence[Reference]) -> pl.DataFrame:
    """Estimates of every aggregate against every reference, the nearest reference, and the effect of added words."""
    plain = plain_occupations(run)
    joined = {reference.name: attach(plain, reference) for reference in references}
    if run.manifest.suite.kind == "contrastive":
        return _slopes(run, joined)
    parts = [_estimates(run, reference, joined[reference.name]) for reference in references]
    if len(joined) > 1:
        parts.append(nearest(joined, occupation=_occupation_of(plain), **run.manifest.resampling))
    return pl.concat(parts, how="diagonal") if parts else pl.DataFrame(schema=ESTIMATES)


def _slopes(run: Run, joined: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """How a scorer's preference follows each reference over occupations."""
    line = reference_slope(SHARE, metric="P_feminine" not in run.manifest.suite.measures)
    how = run.manifest.resampling
    slopes = [
        estimate(table, clusters=(_occupation_of(table),), measures=[line], **how).with_columns(reference=pl.lit(name))
        for name, table in joined.items()
    ]
    return pl.concat(slopes) if slopes else pl.DataFrame(schema=ESTIMATES)


def plain_occupations(run: Run) -> pl.DataFrame:
    """The renderings a reference speaks about: occupations without an added word."""
    table = run.answers
    if "kind" in table.columns:
        table = table.filter(pl.col("kind") == "occupation")
    return table.filter(pl.col("base").is_null()) if "base" in table.columns else table


def _occupation_of(table: pl.DataFrame) -> str:
    return "concept" if "concept" in table.columns else "occupation"


def occupations(run: Run, reference: Reference) -> pl.DataFrame:
    """One row per occupation: counts, share of women, E_o, E_t, B, whether the majority's pronoun was used."""
    table = attach(plain_occupations(run), reference)
    return by_occupation(table, _occupation_of(table))


def every_occupation(run: Run, references: Sequence[Reference]) -> pl.DataFrame:
    """The occupations of every reference under one another, with the reference's name and kind."""
    tables = (
        occupations(run, reference).with_columns(reference=pl.lit(reference.name), kind=pl.lit(reference.kind))
        for reference in references
    )
    return pl.concat(tables, how="diagonal")


def word_effects(run: Run, word: str = "adjective") -> pl.DataFrame:
    """Estimates of the change each added word makes, tested over clusters, corrected over the words."""
    table = run.answers
    if "base" not in table.columns or word not in table.columns or table["base"].null_count() == table.height:
        return pl.DataFrame(schema=ESTIMATES)
    manifest = run.manifest
    return added_word(table, word, clusters=manifest.suite.clusters, **manifest.resampling)


def _estimates(run: Run, reference: Reference, table: pl.DataFrame) -> pl.DataFrame:
    """Every aggregate overall and by group, with the occupations it rests on (`with_share`: those the reference has)
    and, where the reference's sample is known, the quantiles when only the reference is drawn again."""
    key, info = _occupation_of(table), run.manifest
    groupings = [g for g in GROUPINGS if g.column in table.columns]
    measures = optimal_measures(key)
    estimates = estimate(table, clusters=(key,), groupings=groupings, measures=list(measures), **info.resampling)
    parts = [(group, level, by_occupation(rows, key)) for group, level, rows in cut(table, groupings)]
    rests_on = _facts(reference, parts, info, key)
    joined = estimates.join(rests_on, on=("measure", "group", "level"), how="left", maintain_order="left")
    both = pl.concat_str("_rests_on", "note", separator="; ", ignore_nulls=True)
    return joined.with_columns(reference=pl.lit(reference.name), note=pl.when(both != "").then(both)).drop("_rests_on")


def _facts(
    reference: Reference, parts: Sequence[tuple[str, str, pl.DataFrame]], info: Manifest, key: str
) -> pl.DataFrame:
    """For every measure and part (group, level, table by occupation) what `_estimates` adds to its row."""
    drawn = drawn_shares(reference, seed=info.seed)
    facts: list[tuple[str | int | float | None, ...]] = []
    for group, level, errors in parts:
        ranges = reference_intervals(errors, drawn, optimal_measures(key), info.level) if drawn else {}
        for measure in optimal_measures(key):
            low, high = ranges.get(measure.name, (None, None))
            if group == ALL:
                note = _note(measure.name, reference, errors, key)
                if low is not None and measure.name == "B_mean":
                    note += f"; B_mean if only {reference.name} were drawn again: {low:.4f} to {high:.4f}"
            else:
                note = _weighed(measure.name, reference, errors)
            facts.append((measure.name, group, level, errors.height, errors[SHARE].count(), low, high, note or None))
    counts, ends = schema(pl.Int64, "occupations", "with_share"), schema(pl.Float64, "reference_low", "reference_high")
    types = {**schema(pl.String, "measure", "group", "level"), **counts, **ends, "_rests_on": pl.String()}
    return pl.DataFrame(facts, schema=types, orient="row")


def _note(measure: str, reference: Reference, errors: pl.DataFrame, key: str) -> str:
    """What an overall number rests on: coverage, what is left out, the largest summands, the reference itself."""
    known, undefined = errors[SHARE].is_not_null().sum(), errors.filter(pl.col("E_o") == 0).height
    covered = f"{known:,} of {errors.height:,} occupations have a share in {reference.name}"
    parts = [covered + (f"; {undefined} with E_o = 0 left out of B" if measure.startswith("B_") else "")]
    if measure == "B_median_biased":
        biased = errors.filter(pl.col("B") > 0)["B"].sort().to_list()
        spread = f"{len(biased)} biased, B from {biased[0]:.4f} to {biased[-1]:.4f}" if biased else "none biased"
        parts.append(spread)
    if measure == "B_mean":
        carried = influence(errors, key)
        parts.append(f"against {reference.name} {carried}" if carried else "")
    parts += [_weighed(measure, reference, errors), reference.description]
    return "; ".join(part for part in parts if part)


def _weighed(measure: str, reference: Reference, errors: pl.DataFrame) -> str:
    """A remark where a mean that should be weighted by people cannot be."""
    if measure not in ("B_female_dominated", "B_male_dominated"):
        return ""
    side = errors.filter(pl.col("dominance") == measure.split("_")[1], pl.col("B").is_not_null())
    known = side[EMPLOYED].is_not_null().sum()
    if known == side.height:
        return ""
    if not known:
        return f"equal weights: {reference.name} has no numbers of people for these occupations"
    left_out = f"{side.height - known} of {side.height} occupations left out"
    return f"{left_out}: {reference.name} has no number of people for them"


# Which reference is a system nearest to? Paired over the occupations that all references have.


def wrong_common(reference: str) -> Proportion:
    """Mean share of wrong pronouns over the occupations that all references have, against one of them (its column).
    Between 0 and 1, lower is better. Wrong pronouns are compared, not B, which divides by the minority share, so that
    one occupation with few men would decide. Source: after Farkas & Nemeth 2022."""
    cells = {"wrong": pl.col(reference), "right": 1 - pl.col(reference)}
    return Proportion("wrong_common", cells, "lower", 0.0, needs=(reference,))


def nearest(
    tables: Mapping[str, pl.DataFrame], *, occupation: str = "concept", **how: Unpack[Resampling]
) -> pl.DataFrame:
    """Estimates of wrong_common (group "references"): each reference, the nearest first, and each pair's difference.
    `tables`: the same renderings joined with each reference's share_women. Tests of the differences are paired by
    occupation and corrected over the pairs (Holm)."""
    wrong = [
        by_occupation(table, occupation).select(occupation, pl.col("wrong").alias(name)).drop_nulls()
        for name, table in tables.items()
    ]
    common = wrong[0]
    for further in wrong[1:]:
        common = common.join(further, on=occupation, how="inner", maintain_order="left")
    if not common.height:
        return as_estimates([])
    coded, sampler = Sampler.over(common, (occupation,), **how)
    parts = {name: sampler.measured(wrong_common(name), coded) for name in tables}
    group = ("wrong_common", "references")
    rows: list[EstimateRow] = []
    for name, part in sorted(parts.items(), key=lambda named: named[1].interval.value):
        note = None if rows else "nearest on the occupations all references have"
        rows.append(estimate_row(*group, name, part.interval, part.job.statistics, reference=name, note=note))
    gaps = {pair: sampler.difference(parts[pair[0]], parts[pair[1]]) for pair in combinations(tables, 2)}
    adjusted = adjust([gap.p for gap in gaps.values()], "holm")
    for ((first, second), gap), p in zip(gaps.items(), adjusted, strict=True):
        row = estimate_row(*group, f"{first} - {second}", gap.interval(), parts[first].job.statistics)
        rows.append(row | {"p": gap.p, "p_adjusted": float(p), "family": "references (Holm)"})
    return as_estimates(rows)
