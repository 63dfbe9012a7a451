"""A system's output beside a text: word by word the share of women in both, and whether the system widens differences.

Amplification is the slope k of logit(share of women in the system's output) on logit(share of women in the text), over
words, both among gendered renderings where the source leaves the gender open. k = 1: the system repeats what the text
says, up to a shift that is the same for all words; k > 1: it widens the differences between words; k < 1: it levels
them; 0: its choice has nothing to do with the text's. It is an association between two sets of shares, not a proof
that the text caused the output.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import GENDERS
from evenhand.languages import name_of, primary
from evenhand.level import check_level
from evenhand.measures.definitions.counts import is_gender
from evenhand.measures.rows import EstimateRow, as_estimates, columns
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.results.runs import Run, load_run
from evenhand.statistics.intervals import Interval, mean_interval, wilson
from evenhand.statistics.logit_line import FEWEST, LogitLine, logit_line
from evenhand.statistics.measure import Floats
from evenhand.workflows.compare import names_of
from evenhand.workflows.reference_estimates import plain_occupations

KIND, TEXT = "amplification", "corpus"
LEAST_TEXT, LEAST_SYSTEM = 5, 3  # gendered persons a word needs in the text and in the output
WORD = ("english", "occupation", "concept")
NOTE = (
    "Association, not cause: words that the text genders one way may be gendered so by the system for other reasons "
    "(other training text, the sentences it was asked, the grammar of the language)."
)


def amplification(
    text: Findings | Path | str, runs: Sequence[Run | Path | str] | Run | Path | str, *, level: float | None = None
) -> Findings:
    """Put runs beside an audited text (a folder of `corpus`) into the same language, word by word.

    Estimates for each run: `amplification` (the slope, with the p of a slope of 1), `shift` (the system's log-odds of
    women for a word that is balanced in the text) and `mean_difference` (of the shares, system minus text, with the p
    of no difference). Words are the clusters. A word needs LEAST_TEXT gendered persons in the text and LEAST_SYSTEM
    gendered renderings; sentences that state a gender are left out.
    """
    given = [runs] if isinstance(runs, Run | Path | str) else list(runs)
    loaded = [load_run(run) for run in given]
    found = text if isinstance(text, Findings) else Findings.load(text)
    if found.manifest.kind != TEXT:
        raise BadInput(
            f"{found.path or 'these findings'} are of the kind {found.manifest.kind}, not of a text ({TEXT})"
        )
    if not loaded:
        raise BadInput("an audited text is compared with runs; none was given")
    told = check_level(found.manifest.level if level is None else level)
    tables, rows = [], []
    for name, run in zip(names_of(loaded), loaded, strict=True):
        table = _beside(found, run, name)
        tables.append(table)
        rows += _rows(table, name, told)
    manifest = FindingsManifest(
        kind=KIND,
        title=f"{', '.join(names_of(loaded))} beside {found.path.name if found.path else 'a text'}",
        measured=f"share of women among gendered renderings into {name_of(loaded[0].manifest.target_lang)}, word by "
        "word, in a parallel text and in what systems made of test sentences that leave the gender open",
        parts={"text": found.signature, **{f"run {n}": run.signature for n, run in enumerate(loaded, start=1)}},
        level=told,
        notes=(Note(NOTE), *(Note(f"of the text: {remark}", remark.kind) for remark in found.manifest.remarks)),
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )
    return Findings(manifest, as_estimates(rows), {"words": pl.concat(tables)})


def _beside(found: Findings, run: Run, name: str) -> pl.DataFrame:
    """One row per word that both have: shares in the text, the output and the statistics, with counts and intervals."""
    parts, info = found.manifest.parts, run.manifest
    if (primary(parts["source"]), primary(parts["target"])) != (
        primary(info.suite.source_lang),
        primary(info.target_lang),
    ):
        raise BadInput(
            f"{name} goes from {info.suite.source_lang} into {info.target_lang}, the text from {parts['source']} into "
            f"{parts['target']}; only the same languages can be compared"
        )
    table = plain_occupations(run)
    if "gold" in table.columns:
        table = table.filter(~pl.col("gold").cast(pl.String).is_in(["female", "male"]).fill_null(value=False))
    column = next((one for one in WORD if one in table.columns), None)
    if column is None or not table.height:
        raise BadInput(f"{name} has no sentences about occupations that leave the gender open; use a suite that has")
    counted = table.group_by(pl.col(column).str.to_lowercase().alias("concept")).agg(
        *(is_gender(gender).sum().cast(pl.Int64).alias(f"system_{gender}") for gender in GENDERS)
    )
    words = found.tables["words"].filter(pl.col("female") + pl.col("male") >= LEAST_TEXT)
    joined = words.join(counted, on="concept", how="inner", maintain_order="left")
    joined = joined.filter(pl.col("system_female") + pl.col("system_male") >= LEAST_SYSTEM)
    shares = [
        wilson(row["system_female"], row["system_female"] + row["system_male"], info.level)
        for row in joined.iter_rows(named=True)
    ]
    return joined.select(
        pl.lit(name).alias("system"),
        "concept",
        *GENDERS,
        "share",
        "low",
        "high",
        "effect",
        *(f"system_{gender}" for gender in GENDERS),
        pl.Series("system_share", [one.value for one in shares], dtype=pl.Float64),
        pl.Series("system_low", [one.low for one in shares], dtype=pl.Float64),
        pl.Series("system_high", [one.high for one in shares], dtype=pl.Float64),
        "sector",
        "reference_share",
    )


def effective(words: pl.DataFrame) -> Floats:
    """The text's counts of women and men, divided by one design effect for all words.

    That of a single word is too uncertain; together they are weighted by the variance each word would have.
    """
    counts = words.select("female", "male").to_numpy().astype(np.float64)
    total = counts.sum(axis=1)
    weight = np.where(words["effect"].is_not_null().to_numpy(), counts[:, 0] * counts[:, 1] / np.maximum(total, 1), 0.0)
    effects = words["effect"].fill_null(1.0).to_numpy()
    pooled = float((weight * effects).sum() / weight.sum()) if weight.sum() > 0 else 1.0
    divided: Floats = counts / max(pooled, 1.0)
    return divided


def _rows(words: pl.DataFrame, name: str, level: float) -> list[EstimateRow]:
    line = _line(words, level)
    few = (
        f"none: {words.height} words, {FEWEST} are needed" if words.height < FEWEST else "none: the words do not differ"
    )
    nothing = Interval(float("nan"), float("nan"), float("nan"), words.height, few)
    gap = (words["system_share"] - words["share"]).to_numpy().astype(np.float64)
    apart = mean_interval(gap, level=level)
    common: EstimateRow = {
        "group": "system",
        "level": name,
        "variant": "raw",
        "n": words.height,
        "n_decided": words.height,
        "n_clusters": words.height,
    }
    around = f"words lie {line.spread:.2f} around the line (log-odds)" if line else None
    return [
        {**common, "measure": "amplification", **columns(line.slope if line else nothing)}
        | {"p": line.p_one if line else None, "note": around},
        {**common, "measure": "shift", **columns(line.intercept if line else nothing)},
        {**common, "measure": "mean_difference", **columns(apart), "p": _p(gap)},
    ]


def _line(words: pl.DataFrame, level: float) -> LogitLine | None:
    if words.height < FEWEST:
        return None
    system = words.select("system_female", "system_male").to_numpy().astype(np.float64)
    return logit_line(effective(words), system, level=level)


def _p(differences: Floats) -> float | None:
    """Student's p of a mean of 0."""
    if len(differences) < 3 or np.ptp(differences) == 0:
        return None
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(differences, 0.0).pvalue)
