"""The chosen pairs of one target language as the tables of a run, two probes a pair, and as a table for a reader."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand.atomic import write_text
from evenhand.mining.collect import MinedLanguage
from evenhand.mining.risk import Risk
from evenhand.mining.steps import JUDGEMENT, SOURCE
from evenhand.suites.suite import Grouping, Suite
from evenhand.tables import RENDERINGS, VERDICTS, conform

ROLES = ("original", "substitute")


def suite_name(code: str) -> str:
    return f"mined-{code}"


def suite_of(mined: MinedLanguage) -> Suite:
    """The chosen pairs as a suite."""
    halves = [
        mined.pairs.select(
            _id(role),
            pl.col(f"source_{role}").alias("source"),
            pl.lit(SOURCE).alias("source_lang"),
            *(pl.col(f"{c}_{role}").alias(c) for c in ("focus", "focus_start", "focus_end")),
            "pair",
            pl.lit(role).alias("role"),
            (pl.col("risk") == Risk.AT_RISK.value).replace_strict({True: "yes", False: "no"}).alias("at_risk"),
            pl.col(f"word_{role}").alias("word"),
            (pl.col("score") if role == "substitute" else pl.lit(None, pl.Float64)).alias("score"),
            "file",
            "line",
        )
        for role in ROLES
    ]
    probes = pl.concat(halves).sort("pair", "role")
    return Suite(
        name=suite_name(mined.code),
        version="1",
        source_lang=SOURCE,
        kind="nouns",
        summary="pairs of natural sentences that differ in one word, mined as by Gonen & Webster 2020",
        make=lambda: probes,
        clusters=("pair",),
        groupings=(Grouping("at_risk", column="at_risk"),),
        measures=("share_female", "share_male", "TFG"),
        citation="Gonen & Webster 2020",
    )


def tables_of(mined: MinedLanguage, suite: Suite) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Renderings of the suite's probes, and the verdicts by which the pairs were chosen."""
    halves = [
        mined.pairs.select(
            _id(role),
            pl.lit(mined.code).alias("target_lang"),
            pl.lit(0).alias("sample"),
            pl.lit(0).alias("candidate"),
            *(pl.col(f"{c}_{role}").alias(c) for c in ("rendering", *JUDGEMENT)),
        )
        for role in ROLES
    ]
    both = suite.probes.select("id").join(pl.concat(halves), on="id", how="left", maintain_order="left")
    renderings = conform(both.select(*RENDERINGS), RENDERINGS, name="renderings")
    return renderings, conform(both.select(*VERDICTS), VERDICTS, name="verdicts")


def examples_of(mined: MinedLanguage, most: int) -> pl.DataFrame:
    """The first pairs at risk, one row a half, original and substitute in turn: what a page shows."""
    taken = ("source", "focus_start", "focus_end", "rendering", "gender", "evidence", "evidence_start", "evidence_end")
    chosen = mined.at_risk.head(most)
    halves = [
        chosen.select(
            _id(role),
            "pair",
            "target_lang",
            pl.lit(SOURCE).alias("source_lang"),
            pl.lit(role).alias("role"),
            *(pl.col(f"{c}_{role}").alias(c) for c in taken),
        )
        for role in ROLES
    ]
    return pl.concat(halves).sort("pair", "role")


def _id(role: str) -> pl.Expr:
    return (pl.col("pair") + f"-{role[0]}").alias("id")


def write_pairs(mined: MinedLanguage, folder: Path) -> None:
    """pairs.parquet, one row a pair; pairs.tsv, those at risk first, with an empty column `verified` for a reader."""
    folder.mkdir(parents=True, exist_ok=True)
    mined.pairs.write_parquet(folder / "pairs.parquet")
    columns = [f"{c}_{role}" for role in ROLES for c in ("source", "focus", "rendering", "gender", "evidence")]
    order = pl.when(pl.col("risk") == Risk.AT_RISK.value).then(0).otherwise(1)
    # no quoting: tabs and line ends inside a text become blanks
    clean = (pl.col(c).cast(pl.String).str.replace_all(r"[\t\r\n]+", " ") for c in columns)
    for_reader = mined.pairs.sort(order, "pair").select("pair", "risk", pl.lit("").alias("verified"), *clean)
    write_text(folder / "pairs.tsv", for_reader.write_csv(separator="\t", quote_style="never", line_terminator="\n"))
