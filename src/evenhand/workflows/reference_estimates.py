"""A run against outside statistics: estimates for each reference, which one is nearest, what an added word does."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.decisions.nearest import nearest
from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.definitions.optimal import (
    EMPLOYED,
    SHARE,
    by_occupation,
    influence,
    optimal_measures,
    reference_intervals,
)
from evenhand.measures.estimate import cut, estimate
from evenhand.references.reference import Reference, attach, coverage, drawn_shares, load_reference, told
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ALL, ESTIMATES
from evenhand.suites.suite import Grouping

GROUPINGS = Grouping.by("sector", "isco_major")


def load_references(given: Sequence[Reference | str], probes: pl.DataFrame) -> list[Reference]:
    """The references by name or path; one that says nothing about these probes is an error."""
    references = [one if isinstance(one, Reference) else load_reference(one) for one in given]
    for reference in references:
        if coverage(probes, reference)[0] == 0:
            raise BadInput(
                f"reference {reference.name} has a share for none of the suite's occupations; "
                "`evenhand references format` says how they are matched"
            )
    return references


def facts_of(reference: Reference, probes: pl.DataFrame) -> dict[str, object]:
    """What a manifest keeps of a reference: where it comes from, and for how many occupations it has a share."""
    covered, asked = coverage(probes, reference)
    said = ("name", "kind", "country", "years", "source", "licence", "told")
    return {**{name: getattr(reference, name) for name in said}, "covered": covered, "occupations": asked}


def against(run: Run, references: Sequence[Reference]) -> pl.DataFrame:
    """Estimates of every aggregate against every reference, the nearest reference, and the effect of added words."""
    plain = plain_occupations(run)
    joined = {reference.name: attach(plain, reference) for reference in references}
    parts = [_estimates(run, reference, joined[reference.name]) for reference in references]
    if len(joined) > 1:
        info = run.manifest
        key = _occupation_of(plain)
        parts.append(nearest(joined, occupation=key, **info.resampling))
    return pl.concat(parts, how="diagonal") if parts else pl.DataFrame(schema=ESTIMATES)


def plain_occupations(run: Run) -> pl.DataFrame:
    """The renderings a reference speaks about: occupations without an added word."""
    table = run.answers
    if "kind" in table.columns:
        table = table.filter(pl.col("kind") == "occupation")
    return table.filter(pl.col("base").is_null()) if "base" in table.columns else table


def _occupation_of(table: pl.DataFrame) -> str:
    return "concept" if "concept" in table.columns else "occupation"


def occupations(run: Run, reference: Reference) -> pl.DataFrame:
    """One row an occupation: counts, share of women, E_o, E_t, B, whether the majority's pronoun was used."""
    table = attach(plain_occupations(run), reference)
    return by_occupation(table, _occupation_of(table))


def every_occupation(run: Run, references: Sequence[Reference]) -> pl.DataFrame:
    """The occupations of every reference under one another, with the reference's name and kind."""
    return pl.concat(
        [
            occupations(run, reference).with_columns(reference=pl.lit(reference.name), kind=pl.lit(reference.kind))
            for reference in references
        ],
        how="diagonal",
    )


def word_effects(run: Run, word: str = "adjective") -> pl.DataFrame:
    """Estimates of the change each added word makes, tested over clusters, corrected over the words."""
    table = run.answers
    if "base" not in table.columns or word not in table.columns or table["base"].null_count() == table.height:
        return pl.DataFrame(schema=ESTIMATES)
    manifest = run.manifest
    return added_word(table, word, clusters=manifest.suite.clusters, **manifest.resampling)


def _estimates(run: Run, reference: Reference, table: pl.DataFrame) -> pl.DataFrame:
    """Every aggregate overall and by group, each row with what it rests on and the reference's own error.

    `occupations` counts those of the row's group, `with_share` those the reference has a share for; `n` and `n_decided`
    those the value could rest on and does. `reference_low` and `reference_high` are given where the reference's sample
    is known: the value's quantiles when only the reference is drawn anew.
    """
    key, info = _occupation_of(table), run.manifest
    groupings = [g for g in GROUPINGS if g.column in table.columns]
    measures = optimal_measures(key)
    estimates = estimate(table, clusters=(key,), groupings=groupings, measures=list(measures), **info.resampling)
    rests_on = _facts(
        reference,
        [(part.group, part.level, by_occupation(part.table, key)) for part in cut(table, groupings)],
        info,
        key,
    )
    joined = estimates.join(rests_on, on=("measure", "group", "level"), how="left", maintain_order="left")
    both = pl.concat_str("_rests_on", "note", separator="; ", ignore_nulls=True)
    return joined.with_columns(reference=pl.lit(reference.name), note=pl.when(both != "").then(both)).drop("_rests_on")


def _facts(
    reference: Reference, parts: Sequence[tuple[str, str, pl.DataFrame]], info: Manifest, key: str
) -> pl.DataFrame:
    """For every measure and part (group, level, table by occupation) what `_estimates` adds to its row."""
    drawn = drawn_shares(reference, seed=info.seed)
    facts: list[dict[str, str | int | float | None]] = []
    for group, level, errors in parts:
        ranges = reference_intervals(errors, drawn, optimal_measures(key), info.level) if drawn else {}
        for measure in optimal_measures(key):
            low, high = ranges.get(measure.name, (None, None))
            if group == ALL:
                note = _note(measure.name, reference, errors, key)
                if low is not None and measure.name == "B_mean":
                    note += f"; B_mean if only {reference.name} were drawn anew: {low:.4f} to {high:.4f}"
            else:
                note = _weighed(measure.name, reference, errors)
            facts.append(
                {
                    "measure": measure.name,
                    "group": group,
                    "level": level,
                    "occupations": errors.height,
                    "with_share": errors[SHARE].count(),
                    "reference_low": low,
                    "reference_high": high,
                    "_rests_on": note or None,
                }
            )
    types = {"reference_low": pl.Float64(), "reference_high": pl.Float64(), "_rests_on": pl.String()}
    return pl.DataFrame(facts, schema_overrides=types, infer_schema_length=None)


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
    parts += [_weighed(measure, reference, errors), told(reference)]
    return "; ".join(part for part in parts if part)


def _weighed(measure: str, reference: Reference, errors: pl.DataFrame) -> str:
    """Said where a mean that should be weighted by people cannot be."""
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
