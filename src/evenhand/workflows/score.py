"""Scoring a run: its renderings judged, its measures estimated, from its own tables and as often as wanted. What it was
scored with is kept in its folder: the user's own references and the calibration, for `score` and `verify`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from warnings import warn

import polars as pl

from evenhand._version import __version__
from evenhand.detect import Detector, open_detector
from evenhand.detect.own_forms import counted, forms_of, given_forms, keep_in
from evenhand.detect.pronouns import LOSSES
from evenhand.errors import BadInput, Caution, Unknown
from evenhand.gender import Gender
from evenhand.measures.axes import find_axes
from evenhand.measures.calibration import Calibration
from evenhand.measures.decisions.gate import alike
from evenhand.measures.decisions.planned import marked
from evenhand.measures.definitions import registry
from evenhand.measures.estimate import estimate
from evenhand.measures.pilot import repeated
from evenhand.notes import Note, NoteKind, without
from evenhand.options import by_keywords
from evenhand.references.reference import Reference, load_reference, shipped
from evenhand.results.runs import Manifest, Run, check_output, load_run
from evenhand.storage.atomic import replacing_bytes
from evenhand.storage.folders import own_file
from evenhand.storage.tables import KEY, VERDICTS, conform
from evenhand.suites.suite import Suite, SuiteInfo
from evenhand.workflows.reference_estimates import against, every_occupation, facts_of, load_references, word_effects
from evenhand.workflows.settings import AMeasure, RescoreSettings

# notes that verdicts make
FROM_VERDICTS = (NoteKind.ALIKE, NoteKind.INVALID, NoteKind.LOST, NoteKind.ASTRAY, NoteKind.REPEATED)
RATES, FOLDER = "calibration.json", "references"
PARTS = ("references", "calibration", "measures")
ASTRAY = "are they renderings of these sentences, in this order?"
KNOWN_WORDS, FEWEST = 0.6, 20
"""Below this share of decided renderings with a word known to render the focus, of so many at least, a reader is asked.
Well-formed and weak translations have .65 to 1, WinoMT one line off .5 (neighbours share persons), other text .06."""
JUDGED_BY = ("source", "focus", "focus_start", "focus_end", "gold", "reference", "reference_other")


def judge(probes: pl.DataFrame, renderings: pl.DataFrame, detector: Detector) -> pl.DataFrame:
    """Verdicts on renderings, one row each, in their order."""
    wanted = [c for c in JUDGED_BY if c in probes.columns]
    pairs = renderings.join(probes.select("id", *wanted), on="id", how="left", maintain_order="left")
    judged = [renderings.select(list(KEY)), detector.detect(pairs).drop("id")]
    return conform(pl.concat(judged, how="horizontal"), VERDICTS, name="verdicts")


def measures_of(suite: Suite | SuiteInfo, added: Sequence[AMeasure]) -> list[str]:
    """What a run measures: what its suite declares (the usual ones, if it declares nothing), then what is added."""
    names = [registry.name_of(entry) for entry in added]
    return list(dict.fromkeys([*(suite.measures or registry.DEFAULT), *names]))


def added_measures(suite: Suite | SuiteInfo, added: Sequence[AMeasure]) -> tuple[str, ...]:
    """Measures beyond the suite's own as the manifest keeps them: the name and, after a #, what else it depends on."""
    names = [name for name in measures_of(suite, added) if name not in (suite.measures or registry.DEFAULT)]
    measures = [registry.by_name(name) for name in names]
    return tuple(f"{m.name}#{m.fingerprint}" if m.fingerprint else m.name for m in measures)


def estimated(run: Run, *, calibration: Calibration | None = None, references: Sequence[Reference] = ()) -> Run:
    """The run with its estimates computed again: corrected by a calibration, against references, and with the effect of
    an added word where variants point to a plain sentence."""
    info = replace(
        run.manifest,
        calibration=calibration.fingerprint if calibration else None,
        references=tuple(reference.fingerprint for reference in references),
        compared_with=tuple(facts_of(reference, run.probes) for reference in references),
    )
    if info.suite.axes == "found":  # the clusters that the data show, and a note that names them
        axes = find_axes(run.table, run.probes.columns)
        notes = (Note(axes.note, NoteKind.CLUSTERS),) if axes.note else ()
        suite = replace(info.suite, clusters=axes.columns)
        info = replace(info, suite=suite, notes=(*without(info.notes, NoteKind.CLUSTERS), *notes))
    estimates = estimate(
        run.table,
        clusters=info.suite.clusters,
        groupings=info.suite.groupings,
        measures=measures_of(info.suite, info.measures),
        **info.resampling,
        calibration=calibration,
        language=info.target_lang,
        kind=info.suite.kind,
    )
    more = [against(run, references), word_effects(run)]
    together = pl.concat([estimates, *[table for table in more if table.height]], how="diagonal")
    return replace(
        run,
        manifest=replace(info, notes=(*without(info.notes, *FROM_VERDICTS), *_from_verdicts(info, run))),
        estimates=together if info.plan is None else marked(together, info.confirmatory),
        occupations=every_occupation(run, references) if references else None,
    )


def _from_verdicts(info: Manifest, run: Run) -> Iterator[Note]:
    """What these verdicts say of invalid, misplaced and repeated answers."""
    split, verdicts = repeated(run.table, clusters=info.suite.clusters), run.verdicts
    if split is not None:
        yield Note(split.note, NoteKind.REPEATED, split.changing)
    lost = verdicts.filter(pl.col("reason").is_in(LOSSES))
    if lost.height:
        text = "renderings ({}) do not keep the person of the source: they count as unknown, not as neutral"
        yield _counted(lost, verdicts, text, NoteKind.LOST)
    decided = verdicts.filter(pl.col("gender") != Gender.UNKNOWN.value)
    known = int(decided["adequate"].fill_null(value=False).sum())
    if info.suite.kind == "nouns" and decided.height >= FEWEST and known < KNOWN_WORDS * decided.height:
        share = f"only {known / decided.height:.0%} of the {decided.height:,} decided renderings"
        text = f"{share} have a known word for the person of the source: {ASTRAY}"
        yield Note(text, NoteKind.ASTRAY, decided.height - known)
    same = alike(run.answers)
    if same:
        yield Note(same, NoteKind.ALIKE)
    invalid = verdicts.filter(~pl.col("valid"))
    if invalid.height:
        text = "answers ({}) are unusable: they count as unknown, and as wrong where accuracy is measured"
        yield _counted(invalid, verdicts, text, NoteKind.INVALID)


def _counted(some: pl.DataFrame, verdicts: pl.DataFrame, text: str, kind: NoteKind) -> Note:
    """How many of the verdicts these are; their reasons, the most frequent first, fill the slot of the text."""
    counts = some["reason"].value_counts().sort("count", "reason", descending=[True, False])
    reasons = ", ".join(f"{reason}: {count:,}" for reason, count in counts.iter_rows())
    return Note(f"{some.height:,} of {verdicts.height:,} {text.format(reasons)}", kind, some.height)


@by_keywords(RescoreSettings)
def score(run: Run | Path | str, settings: RescoreSettings) -> Run:
    """Estimate every measure of a run again, with other settings where given; written only where `output` says.

    What the run has stays: its measures, references and calibration, unless `drop` names them. `measures` and
    `references` (names or files) add to them, a calibration (of `calibrate`, or its file) replaces the run's. `detect`
    judges the renderings again first, by the run's own rule and with the forms that people labelled: the file `forms`,
    or those in the run's folder.
    """
    run = load_run(run)
    info, forms, output = run.manifest, given_forms(settings.forms), settings.output
    if output is not None:
        check_output(Path(output), info.suite, info.system, info.target_lang)
    rates, compared = scored_with(run, settings.calibration, settings.references, settings.drop)
    compared = load_references(compared, run.probes)
    # notes on edited tables are dropped with the tables that are made again
    stale = ("probes", "renderings") if settings.detect else ("probes", "renderings", "verdicts")
    edited = [n for n in info.notes if n.kind is NoteKind.EDITED and not any(table in n for table in stale)]
    notes = tuple(note for note in info.notes if note not in edited)
    given = {name: getattr(settings, name) for name in ("seed", "resamples", "level")}
    # measures beyond the suite's own, as the manifest or (0.1.0 had chrF unasked) the estimates name them
    present = set() if "measures" in settings.drop else {*info.measures, *run.estimates["measure"]}
    measured = [name for name in (*info.measures, *registry.names()) if name in present]
    manifest = replace(
        info,
        **{name: value for name, value in given.items() if value is not None},
        suite=info.suite.clustered(settings.clusters),
        measures=added_measures(info.suite, [*measured, *settings.measures]),
        notes=notes,
        evenhand=__version__,
    )
    verdicts, own = run.verdicts, forms or forms_of(run.path)
    if settings.detect:
        suite = info.suite
        detector = open_detector(
            suite.kind, source=suite.source_lang, target=info.target_lang, rule=info.rule, user_forms=own
        )
        verdicts = judge(run.probes, run.renderings, detector)
        notes = (*without(notes, NoteKind.FORMS), *counted(own))
        manifest = replace(manifest, detector=detector.fingerprint, notes=notes)
        if rates is not None and settings.calibration is None and detector.fingerprint != info.detector:
            warn("the run's calibration is for an earlier detector: calibrate again", Caution, stacklevel=3)
    elif forms is not None:
        raise BadInput("labelled forms count where renderings are judged: give --detect with --forms")
    scored = estimated(replace(run, manifest=manifest, verdicts=verdicts), calibration=rates, references=compared)
    if output is None:
        return scored
    saved = scored.save(output)
    keep_in(Path(output), own)
    keep_scored_with(Path(output), rates, compared)
    return saved


def keep_scored_with(folder: Path, calibration: Calibration | None, references: Sequence[Reference]) -> None:
    """Copy into a run's folder what cannot be named again without the user: the calibration, files of references."""
    if calibration is not None:
        calibration.save(folder / RATES)
    for file in (file for reference in references for file in reference.files):
        place = folder / FOLDER / file.name
        if place.absolute() != file.absolute():
            place.parent.mkdir(exist_ok=True)
            with replacing_bytes(place) as stream:
                stream.write(file.read_bytes())


def calibration_of(run: Run) -> Calibration | None:
    """The calibration that the run's corrected estimates rest on, if its folder holds it."""
    path = run.path / RATES if run.path is not None and run.manifest.calibration else None
    rates = Calibration.load(path) if path is not None and own_file(path) else None
    return rates if rates is not None and rates.fingerprint == run.manifest.calibration else None


def references_of(run: Run) -> tuple[list[Reference], list[str]]:
    """The references of a run that its folder holds or that ship with Evenhand, and the names of the others."""
    folder = run.path / FOLDER if run.path is not None else None
    kept = sorted(folder.iterdir()) if folder and folder.is_dir() and not folder.is_symlink() else []
    files = (file for file in kept if own_file(file) and ".isco08." not in file.name)  # without their mappings
    own = {one.name: one for one in map(load_reference, files)}
    names = [given.partition("#")[0] for given in run.manifest.references]
    found = [own.get(name) or load_reference(name) for name in names if name in own or name in shipped()]
    return found, [name for name in names if name not in own and name not in shipped()]


def scored_with(
    run: Run, calibration: Calibration | Path | str | None, references: Sequence[Reference | str], drop: Sequence[str]
) -> tuple[Calibration | None, list[Reference]]:
    """What a run is scored with again: what it has, what is given, without what is to be dropped."""
    unknown = next((part for part in drop if part not in PARTS), None)
    if unknown is not None:
        raise Unknown("part of a run to drop", unknown, PARTS)
    given = [one if isinstance(one, Reference) else load_reference(one) for one in references]
    kept, missing = ([], []) if "references" in drop else references_of(run)
    missing = [name for name in missing if name not in {one.name for one in given}]
    lost = "the run's folder has no copy of {}: give {} again, or --drop {}. Nothing was written."
    if missing:
        raise BadInput(lost.format(f"its reference {', '.join(missing)}", "--reference FILE", "references"))
    rates = Calibration.load(Path(calibration)) if isinstance(calibration, Path | str) else calibration
    if rates is None and run.manifest.calibration and "calibration" not in drop:
        rates = calibration_of(run)
        if rates is None:
            raise BadInput(lost.format("its calibration", "--calibration FILE", "calibration"))
    return rates, list({one.name: one for one in (*kept, *given)}.values())
