"""One audit: a suite through a system, judged, estimated. Data goes one way, left to right."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.detect import Detector, open_detector
from evenhand.errors import Unknown
from evenhand.folders import check_place
from evenhand.languages import code, primary
from evenhand.level import LEVEL, check_level
from evenhand.measures.calibration import Calibration
from evenhand.measures.estimate import estimate
from evenhand.measures.quality import quality
from evenhand.references.reference import Reference
from evenhand.runs import Manifest, Run, SuiteInfo, check_output
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import open_system
from evenhand.systems.agenda import Limits
from evenhand.systems.dispatch import Dispatcher, blocking
from evenhand.systems.memory import Memory
from evenhand.systems.protocol import Answer, Request, System, fingerprint_of
from evenhand.tables import ESTIMATES, RENDERINGS, VERDICTS, conform, first_answers
from evenhand.workflows.against import against, every_occupation, load_references, word_effects

RESAMPLES = 2_000
JUDGED_BY = ("source", "focus", "focus_start", "focus_end", "gold", "reference", "reference_other")


@dataclass(frozen=True)
class Settings:
    """How a run is made and scored. What changes its tables is in the signature; the last three only change the asking.

    `limits` keeps below a service's own limits (calls at once, requests and characters a minute); `max_characters`
    refuses to start when more would be sent; `replace` lets the output folder's run of something else be replaced.
    """

    samples: int = 1
    seed: int = 0
    resamples: int = RESAMPLES
    level: float = LEVEL
    rule: str = "evenhand"
    calibration: Path | None = None
    references: tuple[str, ...] = ()
    max_characters: int | None = None
    limits: Limits | None = None
    replace: bool = False

    def __post_init__(self) -> None:
        check_level(self.level)


def memory_path() -> Path:
    """EVENHAND_MEMORY, or the user's cache folder."""
    given = os.environ.get("EVENHAND_MEMORY")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "evenhand" / "memory.sqlite"


def audit(
    suite: str | Path | Suite,
    system: str | System | Callable[[list[str]], list[str]],
    *,
    target: str,
    output: Path | str | None = None,
    memory: Path | str | None = None,
    settings: Settings | None = None,
    progress: bool = False,
) -> Run:
    """Translate a suite, judge every rendering, estimate every measure; write the run folder if `output` is given.

    Starting again after a crash asks only what was not answered: every answer is in the translation memory. A folder
    that cannot be written, or that holds a run of something else, is refused before anything is sent.
    """
    settings, target = settings or Settings(), code(target)
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    answering = open_for(system, asked)
    if asked.targets and primary(target) not in asked.targets:
        raise Unknown(f"target language of suite {asked.name}", target, asked.targets)
    if output is not None:
        if settings.replace:
            check_place(Path(output))
        else:
            check_output(Path(output), SuiteInfo.of(asked), answering.name, target)
    calibration = Calibration.load(settings.calibration) if settings.calibration else None
    if calibration:
        calibration.check(language=target, kind=asked.kind)
    # a reference that does not fit this suite must fail before anything is sent
    references = load_references(settings.references, asked.probes)
    detector = open_detector(asked.kind, source=asked.source_lang, target=target, rule=settings.rule)
    requests = list(requests_of(asked, target, settings.samples))
    with Memory(Path(memory) if memory else memory_path()) as store:
        dispatcher = Dispatcher(
            answering,
            store,
            progress=progress,
            limits=settings.limits,
            max_characters=settings.max_characters,
        )
        answers = blocking(lambda: dispatcher.run(requests))
    renderings = tabulate(asked, target, settings.samples, answers)
    verdicts = judge(asked.probes, renderings, detector)
    manifest = Manifest(
        suite=SuiteInfo.of(asked),
        system=answering.name,
        system_fingerprint=fingerprint_of(answering, asked.source_lang, target),
        target_lang=target,
        detector=detector.fingerprint,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
        evenhand=__version__,
        calibration=calibration.fingerprint if calibration else None,
        references=tuple(reference.fingerprint for reference in references),
        samples=settings.samples,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        notes=_notes(renderings, answers),
    )
    empty = pl.DataFrame(schema=ESTIMATES)
    run = score(
        Run(manifest, asked.probes, renderings, verdicts, empty), calibration=calibration, references=references
    )
    return run.save(output) if output else run


def score(run: Run, *, calibration: Calibration | None = None, references: Sequence[Reference] = ()) -> Run:
    """The run with its estimates computed anew from its own tables.

    A calibration adds the corrected estimates, references the distance to an optimal translator, variants that point to
    a plain sentence the effect of the added word.
    """
    info = run.manifest.suite
    table = run.table
    estimates = estimate(
        table,
        clusters=info.clusters,
        groupings=info.groupings,
        measures=info.measures,
        seed=run.manifest.seed,
        resamples=run.manifest.resamples,
        level=run.manifest.level,
        calibration=calibration,
        language=run.manifest.target_lang,
        kind=info.kind,
    )
    if info.kind == "references" and "gold" in table.columns and find_spec("sacrebleu"):
        estimates = pl.concat([estimates, _quality(table, seed=run.manifest.seed)], how="diagonal")
    more = [against(run, references), word_effects(run)]
    found = pl.concat([estimates, *[m for m in more if m.height]], how="diagonal")
    return replace(run, estimates=found, occupations=every_occupation(run, references) if references else None)


def _quality(table: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    first = first_answers(table)
    columns = [first[c].cast(pl.String).fill_null("").to_list() for c in ("rendering", "reference", "gold")]
    return quality(*columns, seed=seed)


def rescore(
    run: Run,
    *,
    seed: int | None = None,
    resamples: int | None = None,
    level: float | None = None,
    detect: bool = False,
    calibration: Calibration | None = None,
    references: Sequence[Reference] = (),
) -> Run:
    """Estimate again, with other settings where given; `detect` judges the renderings anew first."""
    manifest = replace(
        run.manifest,
        seed=run.manifest.seed if seed is None else seed,
        resamples=run.manifest.resamples if resamples is None else resamples,
        level=run.manifest.level if level is None else level,
        calibration=calibration.fingerprint if calibration else None,
        references=tuple(reference.fingerprint for reference in references),
        evenhand=__version__,
    )
    verdicts = run.verdicts
    if detect:
        detector = open_detector(manifest.suite.kind, source=manifest.suite.source_lang, target=manifest.target_lang)
        verdicts = judge(run.probes, run.renderings, detector)
        manifest = replace(manifest, detector=detector.fingerprint)
    return score(replace(run, manifest=manifest, verdicts=verdicts), calibration=calibration, references=references)


def judge(probes: pl.DataFrame, renderings: pl.DataFrame, detector: Detector) -> pl.DataFrame:
    """Verdicts on renderings, one row each, in their order."""
    wanted = [c for c in JUDGED_BY if c in probes.columns]
    pairs = renderings.join(probes.select("id", *wanted), on="id", how="left", maintain_order="left")
    found = detector.detect(pairs)
    verdicts = pl.concat(
        [renderings.select("id", "target_lang", "sample", "candidate"), found.drop("id")], how="horizontal"
    )
    return conform(verdicts, VERDICTS, name="verdicts")


def tabulate(suite: Suite, target: str, samples: int, answers: list[Answer]) -> pl.DataFrame:
    """The renderings table: candidate 0 is the answer, others its alternatives; a refusal is an empty text."""
    ids = [i for i in suite.probes["id"].to_list() for _ in range(samples)]
    rows = [
        (id_, target, n % samples, candidate, text)
        for n, (id_, answer) in enumerate(zip(ids, answers, strict=True))
        for candidate, text in enumerate((answer.text, *answer.alternatives))
    ]
    return pl.DataFrame(rows, schema=RENDERINGS, orient="row")


def _notes(renderings: pl.DataFrame, answers: Sequence[Answer]) -> tuple[str, ...]:
    """What a reader must know about the renderings: how many are empty, how many the system refused."""
    empty = int((renderings["rendering"].str.strip_chars() == "").sum())
    refused = sum(answer.refusal is not None for answer in answers)
    total = f"of {renderings.height:,} renderings"
    told: list[str] = []
    if empty:
        told.append(f"{empty:,} {total} {'is empty and counts' if empty == 1 else 'are empty and count'} as unknown")
    if refused:
        told.append(f"{refused:,} {total} {'is a refusal' if refused == 1 else 'are refusals'} by the system")
    return tuple(told)


def requests_of(suite: Suite, target: str, samples: int) -> Iterator[Request]:
    """What the system is asked, in the renderings' order: every probe, `samples` times each."""
    has_context = "context" in suite.probes.columns
    contexts = suite.probes["context"].to_list() if has_context else [None] * len(suite)
    rows = zip(suite.probes["id"], suite.probes["source"], suite.probes["source_lang"], contexts, strict=True)
    for probe, text, source, context in rows:
        for sample in range(samples):
            yield Request(text, source, target, context, sample, probe)


def open_for(system: str | System | Callable[[list[str]], list[str]], suite: Suite) -> System:
    """The system of a spec, shown the suite's probes where it wants to see them first."""
    opened = open_system(system)
    bind = getattr(opened, "bind", None)
    if bind is not None:
        bind(suite.probes)
    return opened
