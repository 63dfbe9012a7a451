"""One audit: a suite through a system, judged, estimated. Data goes one way, left to right."""

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from warnings import warn

import polars as pl

from evenhand._version import __version__
from evenhand.detect import ALIGNED_RULES, Detector, open_detector
from evenhand.detect.own_forms import counted, given_forms, keep_in
from evenhand.detect.preference import SCORED
from evenhand.detect.validity import is_rendering
from evenhand.errors import BadInput, Caution, Unknown
from evenhand.languages import code
from evenhand.measures.calibration import Calibration
from evenhand.measures.estimate import resolve
from evenhand.notes import Note, NoteKind
from evenhand.options import by_keywords
from evenhand.results.runs import Manifest, Run, check_output, read_manifest
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import check_place
from evenhand.storage.locking import one_writer
from evenhand.storage.tables import ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import Suite, SuiteInfo
from evenhand.system_names import without_paths
from evenhand.systems.agenda import Plan
from evenhand.systems.agenda import plan as plan_requests
from evenhand.systems.dispatch import Dispatcher, answers_of
from evenhand.systems.memory import Keeps, Memory
from evenhand.systems.protocol import Answer, Request, System, fingerprint_of, without_password
from evenhand.systems.scoring import is_score
from evenhand.workflows.answer_dates import answered
from evenhand.workflows.frozen import FILE, Frozen, read_plan, too_late
from evenhand.workflows.halves import CONTRASTIVE, halves_of, scored_halves
from evenhand.workflows.probes import Passages, Translator, prepare
from evenhand.workflows.reference_estimates import load_references
from evenhand.workflows.score import added_measures, estimated, judge, keep_scored_with, measures_of
from evenhand.workflows.settings import SendSettings, Settings

RUNS = Path("runs")
STORED = ("name", "rule", "seed", "resamples", "level", "samples")  # settings that a manifest holds as they are
_LONGEST = 110


def memory_path() -> Path:
    """EVENHAND_MEMORY, or the user's cache folder."""
    given = os.environ.get("EVENHAND_MEMORY")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "evenhand" / "memory.sqlite"


def default_folder(suite: str, system: str, target: str, others: Iterable[str] = (), *, root: Path = RUNS) -> Path:
    """ROOT/SUITE.SYSTEM.TARGET, and whatever else makes another run of it; no password, and of paths only the last
    part."""
    reader, colon, path = suite.rpartition(":")
    asked = f"{reader}{colon}{Path(path).name}"
    whole = without_password(".".join([asked, without_paths(system), code(target), *others]))
    safe = "".join(c if c.isalnum() or c in "-_.=" else "-" for c in whole)
    if len(safe) > _LONGEST:
        safe = f"{safe[:_LONGEST]}.{sha256(whole.encode()).hexdigest()[:8]}"
    return root / safe


def audit(
    suite: str | Path | Suite,
    system: Translator,
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
    ready = prepare(suite, system, target=target, asking=settings)
    asked, answering = ready.suite, ready.system
    plan = read_plan(settings.plan) if settings.plan else None
    settings = plan.applied(settings) if plan else settings
    place = None if output is None else Path(output)
    check = partial(_check, place, asked, answering, target, replace=settings.replace)
    check()
    # a calibration, a reference or a measure that does not fit this suite must fail before anything is sent
    calibration = Calibration.load(settings.calibration) if settings.calibration else None
    if calibration:
        calibration.check(language=target, kind=asked.kind)
    references = load_references(settings.references, asked.probes)
    check_measures(asked, settings)
    if settings.rule in ALIGNED_RULES:
        raise BadInput(
            f"the rule {settings.rule} needs word alignments, which an audit does not have; judge pairs with a column "
            f"alignment by `evenhand detect --rule {settings.rule}`"
        )
    deviations = plan.deviations(asked, answering, target, settings) if plan else ()
    forms = given_forms(settings.forms)
    detector = open_detector(asked.kind, source=asked.source_lang, target=target, rule=settings.rule, user_forms=forms)
    passages = Passages(list(requests_of(asked, target, settings.samples)), settings.context)
    started = dt.datetime.now(dt.UTC)
    # no other audit into the same folder until this one ends; labels can still be added to what lies there
    beside = None if place is None else place.resolve().with_name(f"{place.resolve().name}.audit")
    with nullcontext() if beside is None else one_writer(beside, patience=0):
        check()  # another audit may have ended just now
        with Memory(Path(memory or memory_path()), since=settings.since) as store:
            keeps, limits, most = _keeps(asked, target), settings.limits, settings.max_characters
            dispatcher = Dispatcher(
                answering, store, progress=progress, limits=limits, max_characters=most, keeps=keeps
            )
            answers = passages.joined(answers_of(dispatcher, passages.requests))
        if asked.kind == CONTRASTIVE:
            renderings = scored_halves(asked, target, answers, answering, settings.rule)
        else:
            renderings = tabulate(asked, target, settings.samples, answers)
        verdicts = judge(asked.probes, renderings, detector)
        notes = (*ready.notes, *counted(forms), *_notes(answers, verdicts, dispatcher.memory))
        if plan:
            deviating = [Note(f"deviates from the plan: {what}", NoteKind.DEVIATION) for what in deviations]
            notes += (*deviating, *too_late(plan, answers))
        manifest = manifest_of(asked, answering, detector, target=target, settings=settings, notes=notes, plan=plan)
        if dispatcher.memory is not None:
            manifest = replace(manifest, answered=answered(answering, answers, started=started))
        unscored = Run(manifest, asked.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES))
        run = estimated(unscored, calibration=calibration, references=references)
        if place is None:
            return run
        _tell_replaced(place, manifest)
        saved = run.save(place)
        keep_in(place, forms)
        keep_scored_with(place, calibration, references)
        if settings.plan:
            write_text(place / FILE, settings.plan.read_text(encoding="utf-8"))
        return saved


def _keeps(suite: Suite, target: str) -> Keeps:
    """What is worth remembering: renderings, or scores."""
    return is_score if suite.kind == CONTRASTIVE else is_rendering(suite.source_lang, target)


def check_measures(suite: Suite, settings: Settings) -> None:
    """An error, before anything is sent, for a measure or a cluster column that this suite does not have."""
    columns = {**RENDERINGS, **VERDICTS, **(SCORED if suite.kind == CONTRASTIVE else {})}
    judged = conform(suite.probes, columns, name="probes")
    resolve(measures_of(suite, settings.measures), suite.groupings, judged)
    for column in settings.clusters:
        if column not in suite.probes.columns:
            raise Unknown("cluster column", column, suite.probes.columns)


def _check(place: Path | None, suite: Suite, system: System, target: str, *, replace: bool) -> None:
    """Refuse a folder that cannot be written, or that holds a run of something else and is not to be replaced."""
    if place is not None and replace:
        check_place(place)
    elif place is not None:
        check_output(place, SuiteInfo.of(suite), system.name, target)


def _tell_replaced(place: Path, manifest: Manifest) -> None:
    """A caution where the folder held a run of the same system in another version or with other settings. Starting
    again what was interrupted, or asking the same again, needs none."""
    held = read_manifest(place)
    if held is not None and held.system_fingerprint != manifest.system_fingerprint:
        other = f"the run of {held.created[:10] or 'an unknown day'} through {held.system_label}"
        warn(f"{place}: replaces {other}, of another version or with other settings", Caution, stacklevel=3)


def manifest_of(
    suite: Suite,
    system: System,
    detector: Detector,
    *,
    target: str,
    settings: Settings,
    notes: Sequence[Note] = (),
    plan: Frozen | None = None,
) -> Manifest:
    """The manifest of a new run, of an audit and of anything else that makes one; `score` adds what it scores with."""
    return Manifest(
        suite=SuiteInfo.of(suite).clustered(settings.clusters),
        system=system.name,
        system_fingerprint=fingerprint_of(system, suite.source_lang, target),
        target_lang=target,
        detector=detector.fingerprint,
        evenhand=__version__,
        measures=added_measures(suite, settings.measures),
        **{setting: getattr(settings, setting) for setting in STORED},
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        notes=tuple(notes),
        plan=plan.content() if plan else None,
    )


def tabulate(suite: Suite, target: str, samples: int, answers: list[Answer]) -> pl.DataFrame:
    """The renderings table: candidate 0 is the answer, others its alternatives; a refusal is an empty text."""
    ids = [i for i in suite.probes["id"].to_list() for _ in range(samples)]
    rows = [
        (id_, target, n % samples, candidate, text)
        for n, (id_, answer) in enumerate(zip(ids, answers, strict=True))
        for candidate, text in enumerate((answer.text, *answer.alternatives))
    ]
    return pl.DataFrame(rows, schema=RENDERINGS, orient="row")


def _notes(answers: Sequence[Answer], verdicts: pl.DataFrame, memory: Memory | None) -> Iterator[Note]:
    """What a reader must know about the answers: those that the system refused to give, which way those of a mended
    system came, those that are no renderings and therefore not remembered, and those that the disk has damaged."""
    refused = sum(answer.refusal is not None for answer in answers)
    versions = [answer.version or "" for answer in answers]
    ways = Counter(version.partition(": ")[2] for version in versions if version.startswith("mended "))
    unremembered = verdicts.filter(pl.col("candidate") == 0).filter(~pl.col("valid")).height - refused
    damaged = 0 if memory is None else len(memory.damaged)
    texts = {
        NoteKind.REFUSED: (refused, f"refused by the system: {refused:,} of {verdicts.height:,} renderings"),
        NoteKind.MENDED: (ways.total(), f"mended: {', '.join(f'{n:,} {way}' for way, n in sorted(ways.items()))}"),
        NoteKind.UNREMEMBERED: (
            0 if memory is None else unremembered,
            f"not in the translation memory because they are no renderings: {unremembered:,}; the next audit requests "
            "them again",
        ),
        NoteKind.DAMAGED: (
            damaged,
            f"damaged in the translation memory and requested again: {damaged:,}; check the disk under "
            f"{'' if memory is None else memory.path}",
        ),
    }
    yield from (Note(text, kind, count) for kind, (count, text) in texts.items() if count > 0)


def requests_of(suite: Suite, target: str, samples: int) -> Iterator[Request]:
    """What the system is asked, in the renderings' order: every probe, `samples` times each; of a contrastive suite
    the score of either half."""
    if suite.kind == CONTRASTIVE:
        yield from halves_of(suite, target)
        return
    columns = ("id", "source", "source_lang", "context", "wanted", "wish")
    known = [column if column in suite.probes.columns else pl.lit(None).alias(column) for column in columns]
    for probe, text, source, context, ask, wish in suite.probes.select(known).iter_rows():
        for sample in range(samples):
            yield Request(text, source, target, context, sample, probe, ask, wish)


@by_keywords(SendSettings)
def plan(suite: str | Path | Suite, system: Translator, settings: SendSettings) -> Plan:
    """What an audit with these settings would send, and cost at `price` per million characters; sends nothing.

    Answers in the memory that are older than `max_age` (days) count as not there, with `refresh` none does.
    """
    ready, target = prepare(suite, system, target=settings.target, asking=settings), code(settings.target)
    requests = Passages(list(requests_of(ready.suite, target, settings.samples)), settings.context).requests
    keeps, limits, price = _keeps(ready.suite, target), settings.limits, settings.price
    with Memory(Path(settings.memory or memory_path()), since=settings.since) as store:
        return plan_requests(ready.system, requests, store, limits=limits, keeps=keeps, price_per_million=price)
