"""The chosen pairs of one target language as the tables of a run, two probes a pair, and as a table for a reader."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand.mining.collect import MinedLanguage
from evenhand.mining.risk import HALF, Risk, lot
from evenhand.mining.steps import SOURCE
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import Grouping, Suite

ROLES = ("original", "substitute")
PROBE = ("id", "source", "source_lang", "focus", "focus_start", "focus_end", "pair", "role", "at_risk", "word", "score",
         "file", "line")  # fmt: skip
SHOWN = ("id", "pair", "target_lang", "source_lang", "role", "source", "focus_start", "focus_end", "rendering",
         "gender", "evidence", "evidence_start", "evidence_end")  # fmt: skip


def halves(pairs: pl.DataFrame) -> pl.DataFrame:
    """One row a half, original and substitute in turn, its columns without the half's name; answers are the first."""
    whole = [c for c in pairs.columns if not c.endswith(ROLES)]
    tables = [
        pairs.select(
            (pl.col("pair") + f"-{role[0]}").alias("id"),
            pl.lit(role).alias("role"),
            *whole,
            *(pl.col(f"{c}_{role}").alias(c) for c in HALF),
        )
        for role in ROLES
    ]
    at_risk = (pl.col("risk") == Risk.AT_RISK.value).replace_strict({True: "yes", False: "no"}).alias("at_risk")
    score = pl.when(pl.col("role") == "substitute").then("score").alias("score")
    first = (pl.lit(0).alias(c) for c in ("sample", "candidate"))
    return (
        pl.concat(tables).sort("pair", "role").with_columns(pl.lit(SOURCE).alias("source_lang"), at_risk, score, *first)
    )


def suite_name(code: str) -> str:
    return f"mined-{code}"


def suite_of(mined: MinedLanguage) -> Suite:
    """The chosen pairs as a suite, joined by `pair`."""
    probes = halves(mined.pairs).select(PROBE)
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


def tables_of(mined: MinedLanguage) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Renderings of the suite's probes, and the verdicts by which the pairs were chosen."""
    both = halves(mined.pairs)
    renderings = conform(both.select(*RENDERINGS), RENDERINGS, name="renderings")
    return renderings, conform(both.select(*VERDICTS), VERDICTS, name="verdicts")


def examples_of(mined: MinedLanguage, most: int, *, seed: int) -> pl.DataFrame:
    """Pairs at risk as a page shows them, in an order drawn by lot."""
    lots = pl.Series([lot(pair, mined.code, seed) for pair in mined.at_risk["pair"]], dtype=pl.String)
    return halves(mined.at_risk.with_columns(lot=lots).sort("lot").head(most).drop("lot")).select(SHOWN)


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
