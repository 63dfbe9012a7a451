"""Several runs of one suite, or of suites that share concepts, with paired tests; findings of one kind side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import polars as pl

from evenhand.detect.own_forms import forms_of
from evenhand.errors import BadInput, Unknown
from evenhand.level import check_level
from evenhand.measures.decisions.gate import alike
from evenhand.measures.decisions.paired import Comparison, comparable
from evenhand.measures.decisions.paired import compare as compare_tables
from evenhand.measures.decisions.planned import CONFIRMATORY, EXPLORATORY, PLANNED
from evenhand.measures.decisions.pooled import POOLED, PooledRow, RunValue, pool, run_value
from evenhand.measures.definitions.direction import check_margin, directed
from evenhand.notes import NoteKind
from evenhand.options import by_keywords
from evenhand.results.findings import Findings
from evenhand.results.runs import Run, load_run
from evenhand.statistics.measure import Measure
from evenhand.statistics.variation import ENOUGH
from evenhand.storage.tables import ALL
from evenhand.suites.suite import Grouping
from evenhand.workflows.answer_dates import repeated_answers
from evenhand.workflows.halves import CONTRASTIVE
from evenhand.workflows.score import measures_of
from evenhand.workflows.settings import CompareSettings

CONCEPTS = ("concept", "occupation", "english", "isco08")  # columns by which different suites are paired
KEYS = ("measure", "reference", "group", "level", "variant")
UNPAIRED = (
    "The differences are plain subtractions. The results are not paired unit by unit and may share words or texts, so "
    "no interval and no test of a difference would be sound; each value has its own interval."
)


def names_of(runs: Sequence[Run]) -> list[str]:
    """Short names: the system, then what else is needed to distinguish the runs (language, folder, number)."""
    candidates: list[tuple[str, ...]] = []
    for number, run in enumerate(runs, start=1):
        info, system = run.manifest, run.manifest.system_label
        into = f"{system} → {info.target_lang}"
        full = f"{into} ({run.path.name if run.path else info.created})"
        both = f"{system}, {info.suite.source_lang} → {info.target_lang}"
        candidates.append((system, into, both, full, f"{full} #{number}"))
    return next(list(names) for names in zip(*candidates, strict=True) if len(set(names)) == len(names))


@by_keywords(CompareSettings)
def compare(runs: Sequence[Run | Path | str], settings: CompareSettings) -> Comparison:
    """Two or more runs of the same sentences: paired differences, ranking with ties, the sentences that differ.

    `measures` are compared (default: all that the runs have in common), each with its own direction or one you give it
    (`share_male:lower`, `share_female:nearer=0.5`). `margins` (measure to size) ask whether a system is no worse than
    another by more than that; where a frozen plan fixed one, it holds unless another is given. Seed, resamples and
    level (unless given) are those of the first run. Runs of other suites (other source languages, for example) are
    paired by the concepts that all have; another version of one suite is refused. Where every run was made by a frozen
    plan, the measures that all plans confirm are a family of their own, and the others exploratory. A system with runs
    of several suites or languages has a pooled row per measure.
    """
    loaded = [load_run(run) for run in runs]
    if len(loaded) < 2:
        raise BadInput(f"a comparison needs at least two runs, not {len(loaded)}")
    check_distinct(loaded)
    names = names_of(loaded)
    tables = {name: run.table for name, run in zip(names, loaded, strict=True)}
    paired = _paired(loaded, tables)
    chosen = [directed(spec) for spec in settings.measures or paired.usable(common_measures(loaded))]
    if not chosen:
        raise BadInput(f"{', '.join(names)} have no measure in common; `evenhand score RUN` estimates them again")
    allowed = _margins(loaded, settings.margins, [measure.name for measure in chosen])
    how = loaded[0].manifest.resampling
    if settings.level is not None:
        how["level"] = check_level(settings.level)

    how_paired = partial(compare_tables, paired.tables, clusters=paired.clusters, groupings=paired.groupings, **how)

    def compared(some: Sequence[Measure]) -> Comparison:
        return how_paired(measures=some, margins={m.name: allowed[m.name] for m in some if m.name in allowed})

    families = _families(loaded, chosen) if paired.by == "id" else {}
    parts = {kind: compared(some) for kind, some in families.items() if some}
    if families and not parts:
        raise BadInput("none of these measures can be compared between systems as a whole")
    comparison = compared(chosen) if not families else next(iter(parts.values()))
    if families:  # comparisons of the same runs by other measures, each its own family, as one
        ranking, harms = (pl.concat(getattr(part, name) for part in parts.values()) for name in ("ranking", "harms"))
        marked = [part.differences.with_columns(pl.lit(kind).alias(PLANNED)) for kind, part in parts.items()]
        differences = pl.concat(marked, how="diagonal")
        comparison = replace(comparison, differences=differences, ranking=ranking, harms=harms)
    rows = pl.DataFrame([*pooled_rows(loaded, chosen, how["level"])], schema=POOLED)
    info = loaded[0].manifest
    unclustered = [note for note in info.notes if note.kind is NoteKind.CLUSTERS and not info.suite.clusters]
    known = (*paired.caution, detectors_differ(loaded), *repeated_answers(loaded), *unclustered)
    return replace(comparison, cautions=tuple(filter(None, known)), paired_by=paired.by, pooled=rows)


@dataclass(frozen=True)
class Paired:
    """Tables with ids that pair their sentences, and by which column."""

    by: str
    tables: Mapping[str, pl.DataFrame]
    clusters: tuple[str, ...]
    groupings: tuple[Grouping, ...]
    caution: tuple[str, ...] = ()

    def usable(self, measures: Sequence[str]) -> list[str]:
        """The measures whose columns, and sets of sentences, all tables have."""
        if self.by == "id":
            return list(measures)
        known = set.intersection(*(set(table.columns) for table in self.tables.values()))
        free = [m for m in map(directed, measures) if self.groupings or type(m).bind is Measure.bind]
        return [m.name for m in free if known >= set(m.needs)]


def _paired(runs: Sequence[Run], tables: Mapping[str, pl.DataFrame]) -> Paired:
    """Runs of one suite by their ids, others by the concepts they share: sentences of a concept in the order of ids."""
    suites = [run.manifest.suite for run in runs]
    if len({suite.hash for suite in suites}) == 1:
        clusters = tuple(dict.fromkeys(c for suite in suites for c in suite.clusters))
        return Paired("id", tables, clusters, suites[0].groupings)
    first: dict[tuple[str, str], Run] = {}
    for run in runs:
        same_suite(run, first.setdefault((run.manifest.suite.name, run.manifest.suite.source_lang), run))
    column, shared = _concepts(list(tables.values()))
    if len(shared) < ENOUGH:
        other = next(run for run in runs if run.manifest.suite.hash != suites[0].hash)
        same_suite(other, runs[0], more=f", or of suites that share a column of concepts ({', '.join(CONCEPTS)})")
    named = pl.concat_str(column, pl.col("id").rank("dense").over(column).cast(pl.String), separator=" #")
    common = {name: table.with_columns(id=named) for name, table in tables.items()}
    of = ", ".join(f"{table[column].drop_nulls().n_unique():,} in {name}" for name, table in tables.items())
    caution = (
        f"these runs are of different sentences: they are paired by {column}, {len(shared):,} are common ({of}); "
        "a difference may come from the languages or suites as well as from the systems"
    )
    groupings = tuple(g for g in suites[0].groupings if all(g in suite.groupings for suite in suites))
    return Paired(column, common, (column,), groupings, (caution,))


def _concepts(tables: Sequence[pl.DataFrame]) -> tuple[str, list[str]]:
    """The first column of CONCEPTS with enough values that all tables have, and these values."""
    known = [c for c in CONCEPTS if all(c in table.columns for table in tables)]
    shared = {c: sorted(set.intersection(*(set(table[c].drop_nulls()) for table in tables))) for c in known}
    return next(((c, values) for c, values in shared.items() if len(values) >= ENOUGH), ("", []))


def value_of(run: Run, measure: Measure) -> RunValue | None:
    """A run's value of a measure, for pooling."""
    suite, how = run.manifest.suite, run.manifest.resampling
    return run_value(run.table, measure, clusters=suite.clusters, groupings=suite.groupings, **how)


def pooled_rows(runs: Sequence[Run], measures: Sequence[Measure], level: float) -> Iterator[PooledRow]:
    """A row per measure and system with runs of several suites or languages; none for others."""
    by_system: dict[str, dict[tuple[str, str], Run]] = {}
    for run in runs:
        info = run.manifest
        by_system.setdefault(info.system_label, {})[info.suite.hash, info.target_lang] = run
    for measure in filter(comparable, measures):
        for system, own in by_system.items():
            values = [value_of(run, measure) for run in own.values()] if len(own) > 1 else []
            known = [value for value in values if value is not None]
            if len(known) > 1:
                yield {"measure": measure.name, "system": system, **pool(known, measure, level)}


def _margins(runs: Sequence[Run], given: Mapping[str, float], measures: Sequence[str]) -> dict[str, float]:
    """The margins that are given, and those of the runs' plans; an error for one that cannot be used."""
    for name in given:
        if name not in measures:
            raise Unknown("measure with a margin", name, measures)
    margins = {**planned_margins(runs), **given}
    for name, size in margins.items():
        check_margin(name, size)
    return margins


def _families(runs: Sequence[Run], measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """The measures that all plans confirm, and the others; empty where a run was made without a plan."""
    if any(run.manifest.plan is None for run in runs):
        return {}
    planned = set.intersection(*(set(run.manifest.confirmatory) for run in runs))
    families: dict[str, list[Measure]] = {CONFIRMATORY: [], EXPLORATORY: []}
    for measure in filter(comparable, measures):
        families[CONFIRMATORY if (measure.name, ALL) in planned else EXPLORATORY].append(measure)
    return families


def planned_margins(runs: Sequence[Run]) -> dict[str, float]:
    """The margins that the runs' frozen plans fixed; not those on which two plans differ."""
    planned: dict[str, set[float]] = {}
    for run in runs:
        for measure, size in run.manifest.margins.items():
            planned.setdefault(measure, set()).add(size)
    return {measure: sizes.pop() for measure, sizes in planned.items() if len(sizes) == 1}


def detectors_differ(runs: Sequence[Run]) -> str | None:
    """A warning where runs into one language were judged by different detectors (version, tables, labelled forms); else
    None. Labels on single renderings do not count: judging again does not change them."""
    judged = {(run.manifest.target_lang, run.manifest.detector.split("+labels:")[0]) for run in runs}
    if len(judged) == len({run.manifest.target_lang for run in runs}):
        return None
    lengths = {run.manifest.rule for run in runs}
    if runs[0].manifest.suite.kind == CONTRASTIVE and len(lengths) > 1:
        ways = ", ".join(sorted(lengths))
        return f"these preferences were normalised in different ways ({ways}): score all by one --length"
    carried = {file.read_text(encoding="utf-8"): file for run in runs if (file := forms_of(run.path))}
    forms = "FILE (one file with the forms of all)" if len(carried) > 1 else next(iter(carried.values()), "")
    option = f"--detect --in-place --forms {forms}" if carried else "--detect --in-place"
    again = "; ".join(f"evenhand score {run.path} {option}" for run in runs if run.path)
    return (
        "these runs were judged by different detectors, so that a difference may be the detectors'; judge them alike "
        f"by: {again or 'score(run, detect=True)'}"
    )


def common_measures(runs: Sequence[Run]) -> list[str]:
    """The measures all these runs have estimates of, in the first run's order."""
    info = runs[0].manifest
    estimated = [set(run.estimates["measure"]) for run in runs]
    return [m for m in measures_of(info.suite, info.measures) if all(m in each for each in estimated)]


def check_distinct(runs: Sequence[Run]) -> None:
    """Refuse a folder that is given twice: compared with itself, any run is as good as before. A run that was labelled
    or judged again in memory is another one."""
    for first, second in combinations(runs, 2):
        same = first.path and second.path and first.path.resolve() == second.path.resolve()
        if same and first.verdicts.equals(second.verdicts):
            raise BadInput(f"{first.path} is given twice; name two different runs")


def same_suite(run: Run, other: Run, more: str = "") -> None:
    """Refuse runs of other sentences."""
    one, two = run.manifest.suite, other.manifest.suite
    if one.hash != two.hash:
        raise BadInput(
            f"{run.path or one.name} is a run of {one.name} {one.version} (#{one.hash}), {other.path or two.name} of "
            f"{two.name} {two.version} (#{two.hash}); only runs of the same sentences{more} can be compared"
        )


@dataclass(frozen=True)
class SideBySide:
    """One row per estimate that all have: its keys, `NAME`, `NAME low`, `NAME high` for each, `NAME - FIRST`."""

    names: list[str]
    table: pl.DataFrame = field(repr=False)
    alone: int
    """Estimates that only some of them have."""


def side_by_side(several: Sequence[Findings]) -> SideBySide:
    """The common estimates in the order of the first; a value that is undefined somewhere has no difference. Names are
    those of the folders, else the titles, numbered where these are not distinct."""
    labels = [one.path.name if one.path else one.manifest.title for one in several]
    names = [f"{name} #{n}" if labels.count(name) > 1 else name for n, name in enumerate(labels, start=1)]
    tables = [
        one.estimates.select(*KEYS, **{name: "value", f"{name} low": "low", f"{name} high": "high"})
        for name, one in zip(names, several, strict=True)
    ]
    joined = tables[0]
    for table in tables[1:]:
        joined = joined.join(table, on=KEYS, how="inner", nulls_equal=True, maintain_order="left")
    apart = [(pl.col(name) - pl.col(names[0])).alias(f"{name} - {names[0]}") for name in names[1:]]
    different = pl.concat([table.select(KEYS) for table in tables]).unique().height
    return SideBySide(names, joined.with_columns(apart), different - joined.height)


def doubts(runs: Iterable[Run]) -> list[str]:
    """Why nothing can be concluded from these runs: tables that were edited, no renderings, or all of them alike."""
    reasons: list[str] = []
    for run in runs:
        name = str(run.path or run.manifest.system_label)
        edited = [str(note) for note in run.manifest.notes if note.kind is NoteKind.EDITED]
        empty = [] if run.answers.height else ["it has no renderings"]
        reasons += [f"{name}: {why}" for why in (*edited, *empty, alike(run.answers)) if why]
    return list(dict.fromkeys(reasons))
