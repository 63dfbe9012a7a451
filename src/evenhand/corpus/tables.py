"""The tables beside the estimates: what was read, counts by file and by what the source says, and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.corpus.collect import TIMES, Collected
from evenhand.corpus.soundness import (
    ALIKE,
    CAPITALS,
    ENTITIES,
    FOREIGN,
    FOUND,
    GARBLED,
    LINES,
    NEIGHBOURS,
    PAIRS,
    PERSONS,
    SOURCES,
    VALID,
)
from evenhand.gender import DECIDED, GENDERS
from evenhand.measures.definitions.optimal import SHARE
from evenhand.measures.rows import Row
from evenhand.pipeline.intake import Taken
from evenhand.references.reference import Reference, attach
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import ALL

PER_MILLION = "persons_per_million"
STATED = {"female": "stated_female", "male": "stated_male", "unclear": "unclear"}


def funnel(taken: Taken, counts: Counter[str]) -> pl.DataFrame:
    """Step, what, how many: from lines to persons, with every reason why a line was left out."""
    invalid = sorted((name.partition("/")[2], n) for name, n in counts.items() if name.startswith("invalid/"))
    rows = [
        ("text", LINES, taken.lines),
        *(("text", why, n) for why, n in taken.bad.items()),
        ("text", "there before (duplicates)", taken.repeated),
        ("text", PAIRS, taken.distinct),
        *(("check", why, n) for why, n in invalid),
        ("check", VALID, counts["valid"]),
        *(("check", what, counts[what]) for what in (CAPITALS, ENTITIES, GARBLED) if counts[what]),
        *(("check", what, counts[what]) for what in (SOURCES, FOREIGN) if counts[FOREIGN]),
        *(("check", what, counts[what]) for what in (NEIGHBOURS, ALIKE) if counts[NEIGHBOURS]),
        ("check", "words on the source side", sum(n for name, n in counts.items() if name.startswith("words/"))),
        ("person", "pairs with a person", counts["lines with a person"]),
        ("person", "persons", counts["persons"]),
        *(("person", what, counts[what]) for what in (PERSONS, FOUND) if counts[PERSONS]),
    ]
    return pl.DataFrame(rows, schema={"step": pl.String, "what": pl.String, "count": pl.Int64}, orient="row")


def per_million(collected: Collected) -> Row:
    """Persons found in a million words of the source side: a count of all there is, not a sample, so no interval."""
    words = sum(n for name, n in collected.summary.counts.items() if name.startswith("words/"))
    persons = collected.summary.counts["persons"]
    return {
        "measure": PER_MILLION,
        "group": ALL,
        "level": "",
        "variant": "raw",
        "value": 1e6 * persons / words if words else None,
        "interval": "none: a count of the whole text",
        "n": persons,
        "n_decided": sum(int(collected.counts[gender].sum()) for gender in DECIDED),
    }


def counts_table(collected: Collected, files: Sequence[str]) -> pl.DataFrame:
    """One row a file and what the source says: persons by gender, and the file's words on the source side."""
    words = {number: collected.summary.counts[f"words/{number}"] for number in range(len(files))}
    return collected.counts.select(
        pl.col("file").replace_strict(dict(enumerate(files)), return_dtype=pl.String),
        pl.col("file").replace_strict(words, return_dtype=pl.Int64).alias("words"),
        "says",
        *GENDERS,
    )


def word_table(
    collected: Collected, estimates: pl.DataFrame, facts: pl.DataFrame, reference: Reference
) -> pl.DataFrame:
    """One row a concept, the most frequent first: persons the source leaves open by gender, the share of women among
    the gendered with its interval, how many the source states or leaves unclear, sector, share in the reference."""
    said = collected.said.with_columns(n=pl.sum_horizontal(GENDERS))
    concepts = said.select("concept").unique().sort("concept")
    opened = said.filter(pl.col("says") == "open").select("concept", *GENDERS)
    table = concepts.join(opened, on="concept", how="left", maintain_order="left")
    for says, name in STATED.items():
        some = said.filter(pl.col("says") == says).select("concept", pl.col("n").alias(name))
        table = table.join(some, on="concept", how="left", maintain_order="left")
    raw = estimates.filter(pl.col("variant") == "raw")
    shares = raw.select(pl.col("level").alias("concept"), pl.col("value").alias("share"), "low", "high", "n_clusters")
    table = table.join(shares, on="concept", how="left", maintain_order="left")
    if "corrected" in estimates["variant"]:
        mended = estimates.filter(pl.col("variant") == "corrected")
        table = table.join(
            mended.select(
                pl.col("level").alias("concept"), *(pl.col(c).alias(f"corrected_{c}") for c in ("value", "low", "high"))
            ),
            on="concept",
            how="left",
            maintain_order="left",
        ).rename({"corrected_value": "corrected_share"})
    table = table.join(design_effects(collected.clusters["concept"]), on="concept", how="left", maintain_order="left")
    table = table.join(facts, on="concept", how="left", maintain_order="left")
    table = table.with_columns(pl.col(*GENDERS, *STATED.values()).fill_null(0), english=pl.col("concept"))
    compared = attach(table, reference).rename({SHARE: "reference_share"})
    known = compared.drop("english", "employed", "reference_key")
    gendered = pl.col("female") + pl.col("male")
    return known.sort(gendered, pl.sum_horizontal(GENDERS), "concept", descending=[True, True, False])


def design_effects(words: pl.DataFrame) -> pl.DataFrame:
    """The design effect of each word's share: its variance over clusters divided by that of independent persons (Kish
    1965), at least 1. Null where a word has one gender only, or stands in one cluster. `words`: level, female, male and
    how many clusters have these numbers (`times`)."""
    part = words.select(
        pl.col("level").alias("concept"),
        f=pl.col("female").cast(pl.Float64),
        n=(pl.col("female") + pl.col("male")).cast(pl.Float64),
        k=pl.col(TIMES).cast(pl.Float64),
    )
    k, women, all_of_them = pl.col("k").sum(), (pl.col("k") * pl.col("f")).sum(), (pl.col("k") * pl.col("n")).sum()
    share = women / all_of_them
    spread = (pl.col("k") * (pl.col("f") - share * pl.col("n")) ** 2).sum() * k / (k - 1)
    seen = (
        part.filter(pl.col("n") > 0)
        .group_by("concept", maintain_order=True)
        .agg(
            effect=pl.when((share > 0) & (share < 1) & (k > 1)).then(
                (spread / (all_of_them * share * (1 - share))).clip(1.0)
            )
        )
    )
    return seen.sort("concept")


def write_words(words: pl.DataFrame, path: Path) -> None:
    """The table as TSV, an empty cell where nothing is known."""
    shown = words.with_columns(pl.col(pl.Float64).round(6))
    write_text(path, shown.write_csv(separator="\t", quote_style="never", line_terminator="\n"))
