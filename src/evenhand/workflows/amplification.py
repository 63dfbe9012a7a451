"""A system's output beside a text: word by word the share of women in both, and whether the system widens differences.

Amplification is the slope k of logit(share of women in the system's output) on logit(share of women in the text), over
words, both among gendered renderings where the source leaves the gender open. k = 1: the system repeats what the text
says, up to a shift that is the same for all words; k > 1: it widens the differences between words; k < 1: it levels
them; 0: its choice has nothing to do with the text's. It is an association between two sets of shares, not a proof
that the text caused the output. Where columns other than the word cluster the sentences (templates: measures/axes.py),
words are compared in the same sentence, and the mean difference counts these sentences as a sample too.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.corpus.estimates import Estimator, levels
from evenhand.errors import BadInput
from evenhand.gender import GENDERS
from evenhand.languages import name_of, primary
from evenhand.level import check_level
from evenhand.measures.axes import FEWEST as FEWEST_LEVELS
from evenhand.measures.axes import find_axes
from evenhand.measures.definitions.counts import is_gender
from evenhand.measures.definitions.gendered import TFG
from evenhand.measures.rows import EstimateRow, as_estimates, estimate_row
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.results.runs import Run, load_run
from evenhand.statistics.intervals import Interval, none
from evenhand.statistics.inversion import StudentT, inverted
from evenhand.statistics.logit_line import FEWEST, Crossed, logit_line
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.statistics.variation import ENOUGH, Linearised, variation
from evenhand.storage.tables import PROBES, PROBES_OPTIONAL, schema
from evenhand.workflows.compare import names_of
from evenhand.workflows.reference_estimates import plain_occupations

KIND, TEXT = "amplification", "corpus"
LEAST_TEXT, LEAST_SYSTEM = 5, 3  # gendered persons a word needs in the text and in the output
CROSSED = 1.5  # combinations of words and sentences for each of either, from which on they cross
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
    loaded = [load_run(run) for run in ([runs] if isinstance(runs, Run | Path | str) else runs)]
    audited = text if isinstance(text, Findings) else Findings.load(text)
    if audited.manifest.kind != TEXT:
        what = audited.path or "these findings"
        raise BadInput(f"{what} are of the kind {audited.manifest.kind}, not of a text ({TEXT})")
    if not loaded:
        raise BadInput("an audited text is compared with runs; none was given")
    level = check_level(audited.manifest.level if level is None else level)
    tables, rows = [], []
    for name, run in zip(names_of(loaded), loaded, strict=True):
        asked, column = _asked(audited, run, name)
        table = _beside(audited, asked, column, name, Estimator(run.manifest.seed, run.manifest.level))
        tables.append(table)
        rows += _rows(table, _crossed(table, asked, column, run.probes.columns), name, level)
    manifest = FindingsManifest(
        kind=KIND,
        title=f"{', '.join(names_of(loaded))} beside {audited.path.name if audited.path else 'a text'}",
        measured=f"share of women among gendered renderings into {name_of(loaded[0].manifest.target_lang)}, word by "
        "word, in a parallel text and in systems' renderings of test sentences that leave the gender open",
        parts={"text": audited.signature, **{f"run {n}": run.signature for n, run in enumerate(loaded, start=1)}},
        level=level,
        notes=(Note(NOTE), *(Note(f"of the text: {remark}", remark.kind) for remark in audited.manifest.remarks)),
    )
    return Findings(manifest, as_estimates(rows), {"words": pl.concat(tables)})


def _asked(audited: Findings, run: Run, name: str) -> tuple[pl.DataFrame, str]:
    """The renderings of sentences about occupations that leave the gender open, and the column of their word."""
    text = (audited.manifest.parts["source"], audited.manifest.parts["target"])
    own = (run.manifest.suite.source_lang, run.manifest.target_lang)
    if tuple(map(primary, text)) != tuple(map(primary, own)):
        both = f"{name} translates {' into '.join(own)}, the text {' into '.join(text)}"
        raise BadInput(f"{both}; only the same languages can be compared")
    table = plain_occupations(run)
    if "gold" in table.columns:
        table = table.filter(~pl.col("gold").cast(pl.String).is_in(["female", "male"]).fill_null(value=False))
    column = next((one for one in WORD if one in table.columns), None)
    if column is None or not table.height:
        raise BadInput(f"{name} has no sentences about occupations that leave the gender open; use a suite that has")
    return table.with_columns(pl.col(column).str.to_lowercase()), column


def _beside(audited: Findings, asked: pl.DataFrame, column: str, name: str, estimator: Estimator) -> pl.DataFrame:
    """One row per word that both have: shares in the text, the output and the statistics, with counts and intervals."""
    genders = [is_gender(gender).sum().cast(pl.Int64).alias(gender) for gender in GENDERS]
    by_sentence = asked.group_by(level=column, id="id").agg(genders).with_columns(times=pl.lit(1)).sort("level", "id")
    shares = {str(word): estimator.interval(part, TFG) for word, part in levels(by_sentence)}
    counted = asked.group_by(concept=column).agg(one.name.prefix("system_") for one in genders)
    words = audited.tables["words"].filter(pl.col("female") + pl.col("male") >= LEAST_TEXT)
    joined = words.join(counted, on="concept", how="inner", maintain_order="left")
    joined = joined.filter(pl.col("system_female") + pl.col("system_male") >= LEAST_SYSTEM)
    ends = [(shares[word].value, shares[word].low, shares[word].high) for word in joined["concept"]]
    types = schema(pl.Float64, "system_share", "system_low", "system_high")
    both = joined.hstack(pl.DataFrame(ends, schema=types, orient="row").fill_nan(None))
    counts = [f"system_{gender}" for gender in GENDERS]
    columns = ["concept", *GENDERS, "share", "low", "high", "effect", *counts, *types, "sector", "reference_share"]
    return both.select(pl.lit(name).alias("system"), *columns)


def _crossed(words: pl.DataFrame, asked: pl.DataFrame, column: str, probes: Sequence[str]) -> Crossed:
    """Women and men by word and by what else clusters the sentences, or groups them, where it crosses the words."""
    known = asked.join(words.select(pl.col("concept").alias(column)).with_row_index("_word"), on=column, how="inner")

    def crosses(axis: str) -> bool:
        larger = max(known["_word"].n_unique(), known[axis].n_unique())
        return axis not in WORD and known.select("_word", axis).n_unique() >= CROSSED * larger

    own = [c for c in probes if c not in (*PROBES, *PROBES_OPTIONAL) and 1 < known[c].n_unique() < FEWEST_LEVELS]
    axes = [axis for axis in dict.fromkeys([*find_axes(known, probes).columns, *own]) if crosses(axis)]
    counted = known.group_by("_word", *axes).agg(is_gender(g).sum().alias(g) for g in ("female", "male"))
    counted = counted.filter(pl.col("female") + pl.col("male") > 0).sort("_word", *axes)
    codes = counted.select(pl.col(axis).rank("dense").fill_null(0) - 1 for axis in axes).to_numpy() if axes else None
    numbers = np.zeros((counted.height, 0)) if codes is None else codes - codes.min(axis=0)
    words_of, counts = counted["_word"].to_numpy(), counted.select("female", "male").to_numpy()
    return Crossed(words_of.astype(np.int64), numbers.astype(np.int64), counts.astype(np.float64))


def effective(words: pl.DataFrame) -> Floats:
    """The text's counts of women and men, divided by one design effect for all words: that of a single word is too
    uncertain."""
    counts = words.select("female", "male").to_numpy().astype(np.float64)
    total = counts.sum(axis=1)
    weight = np.where(words["effect"].is_not_null().to_numpy(), counts[:, 0] * counts[:, 1] / np.maximum(total, 1), 0.0)
    effects = words["effect"].fill_null(1.0).to_numpy()
    pooled = float((weight * effects).sum() / weight.sum()) if weight.sum() > 0 else 1.0
    return np.asarray(counts / max(pooled, 1.0))


def _rows(words: pl.DataFrame, system: Crossed, name: str, level: float) -> list[EstimateRow]:
    count, second = words.height, system if system.levels.shape[1] else system.summed
    line = logit_line(effective(words), second, level=level)
    few = f"none: {count} words, {FEWEST} are needed" if count < FEWEST else "none: the words do not differ"
    slope, shift = (line.slope, line.intercept) if line else (none(np.nan, few), none(np.nan, few))
    apart, p = _mean_difference((words["system_share"] - words["share"]).to_numpy(), system, level)
    around = f"words lie {line.spread:.2f} around the line (log-odds)" if line else None
    statistics = Statistics(np.arange(count)[:, None], np.ones((count, 1)), ("word",), count, count)
    where = ("system", name)
    return [
        estimate_row("amplification", *where, slope, statistics, p=line.p_one if line else None, note=around),
        estimate_row("shift", *where, shift, statistics),
        estimate_row("mean_difference", *where, apart, statistics, p=p),
    ]


def _mean_difference(gaps: Floats, system: Crossed, level: float) -> tuple[Interval, float | None]:
    """The mean over words of system minus text and the p-value of 0, by one t; words and sentences are both sampled."""
    words, value = len(gaps), float(gaps.mean()) if len(gaps) else np.nan
    if words < ENOUGH:
        return none(value, f"none: {words} words", words), None
    unit, counts = system.unit, system.counts
    sizes, of_word = counts.sum(axis=1), system.summed
    share = of_word[unit, 0] / of_word[unit].sum(axis=1)
    moves = (counts[:, 0] - sizes * share) / (of_word[unit].sum(axis=1) * words)
    moves += (gaps - value)[unit] / words * sizes / of_word[unit].sum(axis=1)
    levels_of = [axis for axis in system.levels.T if axis.max() + 1 >= FEWEST_LEVELS]  # fewer are a grouping, no sample
    codes = np.column_stack([unit, *levels_of])
    job = Job(TFG, Statistics(codes, counts, ("female", "male"), int(sizes.sum()), int(sizes.sum())))
    pivot = StudentT.of(value, variation(Linearised.by_moves(job, moves, sizes, value)), clusters=words)
    low, high = inverted(pivot, level, (-1.0, 1.0))
    across = " and the sentences they have in common" if levels_of else ""
    return Interval(value, low, high, words, f"t over {words} words{across}"), pivot.p(0.0)
