"""Parallel text audited, word by word: read once (each pair once), cut into shards, each through the same steps on any
engine. A killed run continues with the shards that are missing."""

import hashlib
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand._version import __version__
from evenhand.corpus.collect import Collected, collect
from evenhand.corpus.estimates import (
    Estimator,
    by_word,
    counts_table,
    overall,
    per_million,
    run_of,
    word_table,
    write_words,
)
from evenhand.corpus.reading import BLOCK, BROKEN, Sides, origins, pair_keys, pair_rows
from evenhand.corpus.soundness import funnel, remarks
from evenhand.corpus.steps import OPEN, CorpusSettings, CorpusWork, data_hash
from evenhand.detect.own_forms import given_forms, keep_in
from evenhand.errors import BadInput
from evenhand.languages import code, name_of
from evenhand.level import LEVEL, check_level
from evenhand.measures.calibration import Calibration
from evenhand.measures.rows import as_estimates
from evenhand.notes import Note, NoteKind
from evenhand.options import CALIBRATION, DOMAIN, FORMS, Fresh, Level, Option
from evenhand.persons import AS_IN, Domain
from evenhand.persons.lexicon import PersonLexicon
from evenhand.pipeline.engines import Engine, LocalEngine, Progress, run_shards
from evenhand.pipeline.intake import REPEATS, Taken, planned, stored_intake, take_in
from evenhand.pipeline.shards import SHARDS, Summary, shard_names
from evenhand.references.reference import Reference, load_reference
from evenhand.results.findings import Findings, FindingsManifest, check_findings_place
from evenhand.workflows.score import estimated

KIND = "corpus"
RULES = 3  # of what is counted and doubted besides the detector; a folder begun by other ones is counted again
WORK, SAMPLED, WORDS = "work", "sample", "words.tsv"
SHARD_SIZE = 10_000
REFERENCE = "us-2020"
DRAWN = 100  # persons of open gender, drawn by lot, from which a page takes typical sentences
MEMORY_MB = 900  # a worker that holds more makes room for a new one


@dataclass(frozen=True)
class Audited:
    """A finished audit of parallel text: its findings, and what its shards say together."""

    findings: Findings
    summary: Summary
    seconds: float

    @property
    def words(self) -> pl.DataFrame:
        """One row a concept: counts by gender where the source leaves it open, share with interval, reference."""
        return self.findings.tables["words"]


def sides(text: str) -> tuple[str, str]:
    """The two columns of SOURCE,TARGET."""
    named = [part.strip() for part in text.split(",")]
    if len(named) != 2:
        raise BadInput(f"--columns {text}: two columns are needed, SOURCE,TARGET")
    return named[0], named[1]


def corpus(
    parallel: Path | str | Sequence[Path | str],
    *,
    target: str,
    output: Path | str,
    engine: Engine | None = None,
    source: Annotated[str, Option("language whose persons are looked for", "LANG")] = "en",
    columns: Annotated[tuple[str, str] | None, Option("names, or numbers from 1", "SOURCE,TARGET", parse=sides)] = None,
    reference: Annotated[Reference | str, Option("labour statistics (`evenhand references`)", "NAME")] = REFERENCE,
    calibration: Annotated[Calibration | Path | str | None, CALIBRATION] = None,
    shard_size: Annotated[int, Option("pairs in a shard", "N", least=10)] = SHARD_SIZE,
    block: Annotated[int, Option("lines per cluster if no document is named", "N", least=1)] = BLOCK,
    forms: Annotated[Path | str | None, FORMS] = None,
    domain: Annotated[Domain, DOMAIN] = "prose",
    seed: Annotated[int, Option("draws the sample of sentences", "N")] = 0,
    level: Level = LEVEL,
    fresh: Fresh = False,
    progress: Progress | None = None,
) -> Audited:
    """Count how the persons of the source side are gendered on the target side of parallel text.

    `parallel` are files (TSV, CSV, JSONL, Parquet, TMX, two files of lines, also .gz, .xz, .zst) and folders. Out of
    English the persons are nouns; into English, from languages with one word for she and he, they are those the English
    side calls he or she. `columns` names the two sides of a table. Intervals are over documents (a column of that
    name) or else blocks of `block` lines. A `calibration` (of `calibrate`, on labels of the folder `sample` in the
    output) adds corrected estimates. `domain` is the kind of text in which persons are found ("prose" or "interface"
    strings). A folder with unfinished shards is continued; `fresh` starts over.
    """
    check_level(level)
    start, progress = time.perf_counter(), progress or Progress()
    given = [parallel] if isinstance(parallel, Path | str) else parallel
    own = None if forms is None else str(Path(forms).absolute())
    settings = CorpusSettings(code(source), code(target), domain=domain, forms=own)
    detector = settings.detector().fingerprint
    against = reference if isinstance(reference, Reference) else load_reference(reference)
    rates = Calibration.load(Path(calibration)) if isinstance(calibration, Path | str) else calibration
    if rates is not None:
        rates.check(language=settings.target, kind=settings.kind)
    output = Path(output)
    check_findings_place(output, KIND, ours=(WORK, SAMPLED, WORDS))
    folder = output.absolute() / WORK
    if fresh and folder.is_dir():
        shutil.rmtree(folder)
    texts = origins(given, source=settings.source, target=settings.target)
    both = Sides(settings.source, settings.target, columns)
    cut = {"sides": asdict(both), "size": shard_size, "block": block, REPEATS: True}
    progress.stage("pairs", None)
    rows, into = pair_rows(texts, both, block=block), folder / CorpusWork.rows_in
    paths = [file for text in texts for file in text.files]
    read = partial(take_in, rows, into, size=shard_size, keys=pair_keys, tick=progress.advance)
    taken = _checked(planned(folder, paths, cut, read))
    mark = f"{PersonLexicon(threshold=settings.threshold).fingerprint}-{data_hash()}"
    persons = {"detector": detector, "person": mark, "threshold": f"{settings.threshold:g}"}
    sides_of = {"source": settings.source, "target": settings.target}
    # what every shard depends on besides its pairs, by name, for the signature
    parts = {**sides_of, **persons, "domain": settings.domain, "block": str(block)}
    mark = hashlib.sha256(json.dumps([parts, __version__, RULES], sort_keys=True).encode()).hexdigest()[:16]
    work = CorpusWork(str(folder), mark, settings, detector)
    summary = run_shards(engine or LocalEngine(memory_mb=MEMORY_MB), work, taken.shards, progress)
    progress.stage("report", None)
    collected = collect(_shards(folder, taken), summary, folder / "counting", seed=seed)
    estimator = Estimator(seed, level, rates)
    findings = _findings(collected, taken, parts, against, estimator)
    run = run_of(collected.sample, taken, settings, detector, estimator)
    if run is not None:
        estimated(run).save(output / SAMPLED)
        keep_in(output / SAMPLED, given_forms(forms))
    saved = findings.save(output, ours=(WORK, SAMPLED, WORDS))
    write_words(saved.tables["words"], output / WORDS)
    return Audited(saved, summary, time.perf_counter() - start)


def files_of(folder: Path | str) -> list[str]:
    """The files of a text that was audited into this folder, by their numbers in its shards."""
    return stored_intake(Path(folder) / WORK).files


def shards_of(folder: Path | str) -> list[Path]:
    """The shards of a text that was audited into this folder; not those of an earlier text."""
    return _shards(Path(folder) / WORK, stored_intake(Path(folder) / WORK))


def repeats_of(folder: Path | str) -> list[Path]:
    """Tables of the lines (file, line, key) whose pair occurred before; they are in no shard."""
    return sorted((Path(folder) / WORK / "pairs" / REPEATS).glob("*.parquet"))


def _shards(work: Path, taken: Taken) -> list[Path]:
    return [work / SHARDS / f"{name}.parquet" for name in shard_names(taken.shards)]


def _checked(taken: Taken) -> Taken:
    if not taken.distinct:
        raise BadInput(f"the text contains no pairs: of {taken.lines:,} lines none has two sides")
    if (broken := taken.bad.get(BROKEN, 0)) * 2 > taken.lines:
        remedy = "save the text as UTF-8 (iconv -f latin1 -t utf-8, where that is what it is)"
        raise BadInput(f"{broken:,} of {taken.lines:,} lines are not UTF-8: {remedy}")
    return taken


def _findings(
    collected: Collected, taken: Taken, parts: dict[str, str], reference: Reference, estimator: Estimator
) -> Findings:
    words = by_word(collected, estimator)
    rows = [per_million(collected), *overall(collected, taken.files, estimator), *words]
    rates, read = estimator.calibration, funnel(taken, collected.summary.counts)
    names = ", ".join(taken.files[:5]) + (f" and {len(taken.files) - 5} more" if len(taken.files) > 5 else "")
    both, many = f"{name_of(parts['source'])} into {name_of(parts['target'])}", "s" * (taken.distinct != 1)
    measured = (
        f"{taken.distinct:,} distinct pair{many} from {both}: the persons of the source side "
        f"({AS_IN[parts['domain']]}), and the genders on the target side"
    )
    further = {"reference": reference.fingerprint, "calibration": rates.fingerprint if rates else "none"}
    notes = [Note(remark.text) for remark in remarks(read, parts["source"])]
    manifest = FindingsManifest(
        KIND,
        f"How persons are gendered in {names}",
        measured,
        {"pairs": taken.digest, **parts, **further},
        level=estimator.level,
        seed=estimator.seed,
        notes=(*notes, Note(collected.summary.effort, NoteKind.EFFORT)),
    )
    tables = {
        "funnel": read,
        "counts": counts_table(collected, taken.files),
        "words": word_table(collected, as_estimates(words), reference),
        "examples": collected.examples,
        "drawn": collected.sample.filter(pl.col("says") == OPEN).head(DRAWN),
    }
    return Findings(manifest, as_estimates(rows), tables)
