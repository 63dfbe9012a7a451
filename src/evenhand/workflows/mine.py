"""One mining run: text in, shards, engine, result folder. Starting it again resumes where it stopped. DIR/
findings of the kind mining: manifest, estimates (words), funnel, shared, examples DIR/LANG/       a run; its pairs as
pairs.parquet and pairs.tsv, whose column `verified` waits for a reader DIR/work/       shards, for going on after a
stop; may be deleted at the end"""

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand.corpus.estimates import Estimator, levels
from evenhand.detect.own_forms import counted, keep_in
from evenhand.errors import BadInput
from evenhand.gender import GENDERS
from evenhand.languages import name_of
from evenhand.level import LEVEL, check_level
from evenhand.measures.definitions.gendered import MASCULINE, LogRatio
from evenhand.measures.rows import EstimateRow, as_estimates
from evenhand.mining.pairs import PIECE, Collected, MinedLanguage, collect
from evenhand.mining.steps import MiningSettings, MiningWork, Opened
from evenhand.mining.text import inputs, sentence_keys, sentence_rows
from evenhand.notes import Note, NoteKind
from evenhand.options import Fresh, Level, Option
from evenhand.persons import AS_IN
from evenhand.pipeline.engines import Engine, LocalEngine, Progress, run_shards
from evenhand.pipeline.intake import planned, take_in
from evenhand.pipeline.shards import Summary, shard_names
from evenhand.results.findings import Findings, FindingsManifest, check_findings_place
from evenhand.results.runs import Run
from evenhand.results.runs import read_manifest as read_run_manifest
from evenhand.storage.tables import ESTIMATES
from evenhand.system_names import without_paths
from evenhand.workflows.audit import manifest_of
from evenhand.workflows.score import estimated
from evenhand.workflows.settings import Settings

KIND = "mining"
WORK = "work"
SHARD_SIZE = 2_000
ENOUGH_BLOCKS = 6  # blocks of lines with a word from which on they are its texts
EXAMPLES = 200  # pairs at risk of each language that the page shows
CHOSEN = "pairs chosen by their verdicts: at risk, and as many drawn that are not; shares describe the choice"


@dataclass(frozen=True)
class Mined:
    """A finished run: its findings and what they were made from."""

    findings: Findings
    collected: Collected
    seconds: float

    @property
    def summary(self) -> Summary:
        return self.collected.summary

    @property
    def funnel(self) -> pl.DataFrame:
        return self.findings.tables["funnel"]


def mine(
    texts: Path | str | Sequence[Path | str],
    settings: MiningSettings,
    *,
    output: Path | str,
    engine: Engine | None = None,
    field: Annotated[str | None, Option("column or key that holds the text", "NAME")] = None,
    limit: Annotated[int | None, Option("read about so many sentences", "N", least=1)] = None,
    shard_size: Annotated[int, Option("sentences in a shard", "N", least=10)] = SHARD_SIZE,
    memory: Annotated[Path | str | None, Option("translation memory (default: one per shard)", "FILE")] = None,
    seed: Annotated[int, Option("draws the pairs that are not at risk", "N")] = 0,
    level: Level = LEVEL,
    threads: int = 1,
    fresh: Fresh = False,
    replace: Annotated[bool, Option("replace what was mined through another system")] = False,
    progress: Progress | None = None,
) -> Mined:
    """Mine at-risk pairs out of natural text (files, folders, - for standard input) into the folder `output`.

    A folder with unfinished shards is continued; shards made from other sentences or with other settings are made
    again. `fresh` throws away what is there. Pairs mined through another system stay unless `replace` says otherwise.
    `limit` reads about so many sentences. The seed draws the pairs that are not at risk. On Ray, `output` must be a
    path that every node sees. A folder that holds a result of another kind is refused before anything is read.
    """
    if not settings.targets:
        raise BadInput("no target language given (--target es,de)")
    given, output = [texts] if isinstance(texts, Path | str) else texts, Path(output)
    check_level(level)
    start, engine, progress = time.perf_counter(), engine or LocalEngine(), progress or Progress()
    opened = Opened(settings)
    _check_places(output, settings.targets, opened.system.name, replace=replace)
    work_folder = output.absolute() / WORK
    if fresh and work_folder.is_dir():
        shutil.rmtree(work_folder)
    paths, cut = inputs(given), {"field": field, "size": shard_size, "limit": limit}
    rows = sentence_rows(paths, field=field, limit=limit)
    progress.stage("text", None)
    into = work_folder / MiningWork.rows_in
    read = partial(take_in, rows, into, size=shard_size, keys=sentence_keys, tick=progress.advance)
    taken = planned(work_folder, paths, cut, read)
    if not taken.distinct:
        raise BadInput("the text contains no usable sentence (3 to 60 words, 8 to 400 characters)")
    where = str(memory) if memory is not None else str(work_folder / "memory" / "{shard}.sqlite")
    marks = {target: detector.fingerprint for target, detector in opened.detectors.items()}
    work = MiningWork(str(work_folder), opened.fingerprint, settings, threads, where, marks)
    summary = run_shards(engine, work, taken.shards, progress)
    progress.stage("report", None)
    shards = [work.table(name) for name in shard_names(taken.shards)]
    collected = collect(shards, summary, taken, targets=settings.targets, seed=seed)
    for code, mined in collected.languages.items():
        if mined.pairs.height:
            _run(mined, opened, Settings(seed=seed, level=level)).save(output / code)
            keep_in(output / code, settings.forms_file)
        mined.write_pairs(output / code)
    seconds = time.perf_counter() - start
    spent = f"{seconds:,.0f} s from start to report, {taken.seconds:,.1f} s of them to read the text"
    # in the notes, because equal signatures mean equal tables
    effort = Note(f"engine {engine.name}, {spent}; {summary.effort}", NoteKind.EFFORT)
    findings = _findings(collected, opened, size=shard_size, seed=seed, level=level, notes=(effort,))
    return Mined(findings.save(output, ours=(WORK, *settings.targets)), collected, seconds)


def _check_places(output: Path, targets: Sequence[str], system: str, *, replace: bool) -> None:
    """Refuse a folder that holds something else, or (unless it is to be replaced) what another system answered,
    before any work is done."""
    check_findings_place(output, KIND, ours=(WORK, *targets))
    for code in targets:
        held = read_run_manifest(output / code)
        why = ""
        if held is not None and held.suite.name != MinedLanguage(code).suite_name:
            why = f"a run of {held.suite.name}, not of mined pairs. Name another folder."
        elif held is not None and held.system != system and not replace:
            through = f"pairs mined through {held.system_label}; this run would be through {system}"
            why = f"{through}. Name another folder (or `mine --replace`)."
        if why:
            raise BadInput(f"{output / code} holds {why} Nothing was written.")


def _run(mined: MinedLanguage, opened: Opened, settings: Settings) -> Run:
    """The chosen pairs of a language, scored like any other run."""
    suite, detector = mined.suite(), opened.detectors[mined.code]
    notes = (Note(CHOSEN, NoteKind.CHOSEN), *counted(opened.settings.forms_file))
    manifest = manifest_of(suite, opened.system, detector, target=mined.code, settings=settings, notes=notes)
    renderings, verdicts = mined.tables()
    return estimated(Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES)))


def _findings(
    collected: Collected, opened: Opened, *, size: int, seed: int, level: float, notes: tuple[Note, ...]
) -> Findings:
    """Words as estimates, by language and by whether their pairs are at risk; funnel and pairs as tables beside."""
    estimator = Estimator(seed, level)
    rows = [
        row
        for code, mined in collected.languages.items()
        for risk, texts in mined.words.items()
        for row in word_rows(texts, f"{code}, {risk.value}", estimator)
    ]
    taken, system = collected.taken, without_paths(opened.system.name)
    title, languages = f"Pairs at risk mined from natural text through {system}", map(name_of, collected.languages)
    measured = (
        f"{taken.distinct:,} distinct English sentences, those with one person of open gender ({AS_IN['prose']}) and "
        f"their substitutes translated by {system} into {', '.join(languages)}"
    )
    parts = {"text": taken.digest, "shard_size": str(size), **opened.parts}
    manifest = FindingsManifest(KIND, title, measured, parts, level=level, seed=seed, notes=notes)
    examples = pl.concat([mined.examples(EXAMPLES, seed=seed) for mined in collected.languages.values()])
    tables = {"funnel": collected.funnel(), "shared": collected.shared(), "examples": examples}
    return Findings(manifest, as_estimates(rows), tables)


def word_rows(texts: pl.DataFrame, group: str, estimator: Estimator) -> list[EstimateRow]:
    """Both measures of every word, the most frequent first, with intervals over texts: blocks of lines where a word
    occurs in at least ENOUGH_BLOCKS, else lines or records."""
    blocks = texts.filter(pl.col("by") != PIECE).group_by("level").agg(pl.col("times").sum())
    many = blocks.filter(pl.col("times") >= ENOUGH_BLOCKS)["level"].implode()
    chosen = texts.filter((pl.col("by") == PIECE) != pl.col("level").is_in(many))
    empty = [pl.lit(0).alias(gender) for gender in GENDERS if gender not in chosen.columns]
    return [
        row
        for word, part in levels(chosen.with_columns(empty))
        for row in estimator.rows(part, group, str(word), (MASCULINE, LogRatio()))
    ]
