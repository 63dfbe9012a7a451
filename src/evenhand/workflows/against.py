"""A run against outside statistics: estimates for each reference, which one is nearest, what an added word does."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.added_word import added_word
from evenhand.measures.estimate import estimate
from evenhand.measures.nearest import nearest
from evenhand.measures.optimal import SHARE, by_occupation, optimal_measures
from evenhand.references.reference import Reference, attach, coverage, load_reference
from evenhand.runs import Run
from evenhand.suites.suite import Grouping
from evenhand.tables import ESTIMATES, conform

GROUPINGS = (Grouping("sector", column="sector"), Grouping("isco_major", column="isco_major"))


def load_references(specs: Sequence[str], probes: pl.DataFrame) -> list[Reference]:
    """The references by name or path; one that says nothing about these probes is an error."""
    references = [load_reference(spec) for spec in specs]
    for reference in references:
        if coverage(probes, reference)[0] == 0:
            raise BadInput(
                f"reference {reference.name} has a share for none of the suite's occupations; "
                "`evenhand references format` says how they are matched"
            )
    return references


def against(run: Run, references: Sequence[Reference]) -> pl.DataFrame:
    """Estimates of every aggregate against every reference, the nearest reference, and the effect of added words."""
    plain = plain_occupations(run)
    joined = {reference.name: attach(plain, reference) for reference in references}
    parts = [_estimates(run, name, table) for name, table in joined.items()]
    if len(joined) > 1:
        info = run.manifest
        key = _occupation_of(plain)
        parts.append(nearest(joined, occupation=key, seed=info.seed, resamples=info.resamples, level=info.level))
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
    """Estimates of the change each added word makes, with McNemar's exact test, corrected over the words."""
    table = run.answers
    if "base" not in table.columns or word not in table.columns or table["base"].null_count() == table.height:
        return pl.DataFrame(schema=ESTIMATES)
    rows = [
        {
            "measure": "change_female",
            "group": word,
            "level": row[word],
            "variant": "raw",
            "value": None if row["n"] == 0 else row["share_after"] - row["share_before"],
            "interval": "none; McNemar's exact test",
            "n": row["n"] + row["left_out"],
            "n_decided": row["n"],
            "p": row["p"],
            "p_adjusted": row["p_adjusted"],
            "family": "added words (Holm)",
            "note": f"she-she {row['she_she']}, he-he {row['he_he']}, she-he {row['she_he']}, he-she {row['he_she']}",
        }
        for row in added_word(table, word).iter_rows(named=True)
    ]
    return conform(pl.DataFrame(rows, infer_schema_length=None), ESTIMATES, name="estimates")


def _estimates(run: Run, name: str, table: pl.DataFrame) -> pl.DataFrame:
    key = _occupation_of(table)
    groupings = [g for g in GROUPINGS if g.column in table.columns]
    estimates = estimate(
        table,
        clusters=(key,),
        groupings=groupings,
        measures=list(optimal_measures(key)),
        seed=run.manifest.seed,
        resamples=run.manifest.resamples,
        level=run.manifest.level,
    )
    each = by_occupation(table, key)
    known, undefined = each[SHARE].is_not_null().sum(), each.filter(pl.col("E_o") == 0).height
    note = f"{known} of {each.height} occupations have a share in {name}; {undefined} with E_o = 0 left out of B"
    ends = each.filter(pl.col("B") > 0)["B"].sort().to_list()
    spread = f"; {len(ends)} biased, B from {ends[0]:.4f} to {ends[-1]:.4f}" if ends else "; none biased"
    overall = pl.col("group") == "all"
    return estimates.with_columns(
        reference=pl.lit(name),
        note=pl.when(overall & (pl.col("measure") == "B_median_biased"))
        .then(pl.lit(note + spread))
        .when(overall)
        .then(pl.lit(note))
        .otherwise(pl.lit(None, dtype=pl.String)),
    )
