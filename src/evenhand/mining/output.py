"""The result folder of a mining run: one run folder a language, tables anyone can read, a report.

DIR/report.html, report.json      funnel, seconds of each step, words, pairs
DIR/funnel.tsv, shared.tsv        counts at each step; pairs at risk in several languages
DIR/LANG/                         a run (manifest, probes, renderings, verdicts, estimates): pairs are probes
DIR/LANG/pairs.parquet, .tsv      one row a pair; the TSV has an empty column `verified` for a reader
DIR/LANG/words.tsv                words with their masculine : feminine ratio, at risk and not at risk apart
DIR/work/                         shards, for going on after a stop; may be deleted at the end
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.atomic import write_text
from evenhand.detect.nouns import NounDetector
from evenhand.mining.collect import Collected, MinedLanguage
from evenhand.mining.report import page
from evenhand.mining.risk import Risk
from evenhand.mining.steps import JUDGEMENT, SOURCE, MiningSettings
from evenhand.runs import Manifest, Run, SuiteInfo
from evenhand.suites.suite import Grouping, Suite
from evenhand.systems import fingerprint_of, open_system
from evenhand.tables import ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.workflows.score import score

ROLES = ("original", "substitute")
RESAMPLES = 1_000


def write_result(
    result: Collected,
    folder: Path,
    settings: MiningSettings,
    *,
    fingerprint: str,
    seed: int,
    engine: str,
    seconds: float,
) -> None:
    """Write everything but `work`; files that were there are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    system = open_system(settings.system, **dict(settings.system_settings))
    for code, found in result.languages.items():
        mark = fingerprint_of(system, SOURCE, code)
        if found.pairs.height:
            run_of(found, settings, system=(system.name, mark), seed=seed).save(folder / code)
        (folder / code).mkdir(exist_ok=True)
        _write_tables(found, folder / code)
    rows = [("step", "what", "count"), *((step, what, str(n)) for step, what, n in result.funnel())]
    write_text(folder / "funnel.tsv", "".join("\t".join(row) + "\n" for row in rows))
    _write_tsv(result.shared(), folder / "shared.tsv")
    summary = summary_of(result, settings, fingerprint=fingerprint, seed=seed, engine=engine, seconds=seconds)
    write_text(folder / "report.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    write_text(folder / "report.html", page(result, summary))


def summary_of(
    result: Collected, settings: MiningSettings, *, fingerprint: str, seed: int, engine: str, seconds: float
) -> dict[str, object]:
    """The report as plain data; the signature is what the result depends on, time and engine stand beside it."""
    return {
        "signature": f"mine|{fingerprint}|seed:{seed}|evenhand:{__version__}",
        "settings": json.loads(settings.as_json()),
        "engine": engine,
        "seconds": {
            "start to report": round(seconds, 2),
            "text": result.intake.seconds,
            **{step: round(spent, 2) for step, spent in result.seconds.items()},
        },
        "peak_mb_of_a_worker": result.peak_mb,
        "funnel": [{"step": step, "what": what, "count": n} for step, what, n in result.funnel()],
        "words": {
            code: {
                "at risk": [asdict(w) for w in found.words_at_risk[:50]],
                "not at risk": [asdict(w) for w in found.words_not_at_risk[:50]],
            }
            for code, found in result.languages.items()
        },
        "shared": result.shared().head(100).to_dicts(),
    }


def suite_of(found: MinedLanguage, *, name: str) -> Suite:
    """The chosen pairs as a suite: two probes a pair, joined by `pair`."""
    tables = []
    for k, role in enumerate(ROLES):
        tables.append(
            found.pairs.select(
                (pl.col("pair") + f"-{role[0]}").alias("id"),
                pl.col(f"source_{role}").alias("source"),
                pl.lit(SOURCE).alias("source_lang"),
                *(pl.col(f"{c}_{role}").alias(c) for c in ("focus", "focus_start", "focus_end")),
                "pair",
                pl.lit(role).alias("role"),
                (pl.col("risk") == Risk.AT_RISK.value).replace_strict({True: "yes", False: "no"}).alias("at_risk"),
                pl.col(f"word_{role}").alias("word"),
                (pl.col("score") if k else pl.lit(None, pl.Float64)).alias("score"),
                "file",
                "line",
            )
        )
    probes = pl.concat(tables).sort("pair", "role")
    return Suite(
        name=name,
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


def run_of(found: MinedLanguage, settings: MiningSettings, *, system: tuple[str, str], seed: int) -> Run:
    """The chosen pairs of a language with their renderings, verdicts and estimates."""
    suite = suite_of(found, name=f"mined-{found.code}")
    sides = []
    for role in ROLES:
        taken = ("rendering", *JUDGEMENT)
        sides.append(
            found.pairs.select(
                (pl.col("pair") + f"-{role[0]}").alias("id"),
                pl.lit(found.code).alias("target_lang"),
                pl.lit(0).alias("sample"),
                pl.lit(0).alias("candidate"),
                *(pl.col(f"{c}_{role}").alias(c) for c in taken),
            )
        )
    both = suite.probes.select("id").join(pl.concat(sides), on="id", how="left", maintain_order="left")
    manifest = Manifest(
        suite=SuiteInfo.of(suite),
        system=system[0],
        system_fingerprint=system[1],
        target_lang=found.code,
        detector=NounDetector(SOURCE, found.code).fingerprint,
        seed=seed,
        resamples=RESAMPLES,
        evenhand=__version__,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        notes=("pairs chosen by their verdicts: at risk, and as many drawn that are not; shares describe the choice",),
    )
    renderings = conform(both.select(*RENDERINGS), RENDERINGS, name="renderings")
    verdicts = conform(both.select(*VERDICTS), VERDICTS, name="verdicts")
    return score(Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES)))


def _write_tables(found: MinedLanguage, folder: Path) -> None:
    found.pairs.write_parquet(folder / "pairs.parquet")
    words = [
        {"pairs": name, **asdict(word)}
        for name, listed in (("at risk", found.words_at_risk), ("not at risk", found.words_not_at_risk))
        for word in listed
    ]
    _write_tsv(pl.DataFrame(words), folder / "words.tsv")
    if found.pairs.width:
        columns = [f"{c}_{role}" for role in ROLES for c in ("source", "focus", "rendering", "gender", "evidence")]
        order = pl.when(pl.col("risk") == Risk.AT_RISK.value).then(0).otherwise(1)
        for_reader = found.pairs.sort(order, "pair").select("pair", "risk", pl.lit("").alias("verified"), *columns)
        _write_tsv(for_reader, folder / "pairs.tsv")


def _write_tsv(table: pl.DataFrame, path: Path) -> None:
    """UTF-8, LF, a header, no quoting: tabs and line ends inside a text become blanks."""
    texts = [c for c, t in table.schema.items() if t in (pl.String, pl.Enum, pl.Categorical) or isinstance(t, pl.Enum)]
    clean = table.with_columns(pl.col(c).cast(pl.String).str.replace_all(r"[\t\r\n]+", " ") for c in texts)
    write_text(path, clean.write_csv(separator="\t", quote_style="never", line_terminator="\n"))
