"""A project, worked through: every run of its matrix within the budget, and one gate over all of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, field
from dataclasses import replace as changed
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand._version import __version__
from evenhand.detect import Detector, open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.errors import BadInput, SystemFailed, Unknown, listed
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.measures.decisions.gate import Gate
from evenhand.measures.decisions.limits import estimated_by
from evenhand.measures.definitions.direction import directed
from evenhand.options import Option, Refresh
from evenhand.references.reference import load_reference
from evenhand.results.runs import Manifest, Run, check_output, read_manifest
from evenhand.storage.tables import ESTIMATES, KEY, VERDICTS, conform
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite, SuiteInfo
from evenhand.systems import Answer, System, check_pair, open_system
from evenhand.systems.agenda import Plan
from evenhand.systems.http import only_key
from evenhand.systems.registry import named_servers
from evenhand.workflows.audit import audit, check_measures, default_folder, manifest_of, memory_path, plan, tabulate
from evenhand.workflows.check import NothingGated, gate, gate_limits, why_not_gated
from evenhand.workflows.compare import doubts
from evenhand.workflows.file_gate import gate_rules
from evenhand.workflows.probes import open_for
from evenhand.workflows.project_file import AskedSystem, Budget, Project, placed, read_project
from evenhand.workflows.reference_estimates import load_references
from evenhand.workflows.score import added_measures, estimated
from evenhand.workflows.settings import AskSettings, GateSettings, Settings
from evenhand.workflows.trust import Ask, check_trusted
from evenhand.workflows.unmarked import with_persons

AGAINST = "against"
_ROUNDING = 1e-9  # sums of prices are not exact: what fits the budget to the cent must not be stopped by a bit
_RESAMPLES = 100
_GENDERS = [Gender.FEMALE.value, Gender.MALE.value, Gender.NEUTRAL.value]


@dataclass(frozen=True)
class Cell:
    """One run of the matrix: a suite through a system into a language. `marked` has a focus on every probe."""

    suite: Suite
    marked: Suite
    asked: AskedSystem
    system: System
    target: str
    folder: Path
    settings: Settings


@dataclass(frozen=True)
class Matrix:
    """What a project will do, and what of it cannot be done, each with the reason ("ours, winomt into ja: ...")."""

    cells: list[Cell]
    skipped: list[str]


@dataclass
class ProjectOutcome:
    """What came of a project: its runs, in the order of the file, and one gate over all of them.

    `kept` counts the runs that were there already. `skipped` is what the file asks for and nobody can do, `undone`
    the folders of runs that were not made; `stopped` says why where the budget ended the work ("": it did not),
    `failed` why a system did not do its part. The gate is over the runs that are there.
    """

    project: Project
    matrix: Matrix
    runs: list[Run] = field(default_factory=list)
    kept: int = 0
    stopped: str = ""
    failed: dict[str, str] = field(default_factory=dict)
    gate: Gate = field(default_factory=lambda: Gate([]))

    @property
    def output(self) -> Path:
        """The folder of the runs."""
        return self.project.path.parent / self.project.output

    @property
    def skipped(self) -> list[str]:
        return self.matrix.skipped

    @property
    def undone(self) -> list[str]:
        made = {run.path.name for run in self.runs if run.path is not None}
        return [str(cell.folder) for cell in self.matrix.cells if cell.folder.name not in made]

    @property
    def passed(self) -> bool:
        """Everything was made, and the gate passed."""
        return self.gate.passed and not self.undone


def run_project(
    file: Path | str,
    *,
    memory: Path | str | None = None,
    replace: Annotated[bool, Option("replace runs of other sentences or systems in the folders")] = False,
    refresh: Refresh = False,
    trust: Annotated[bool, Option("run the commands and servers that the file names without a question")] = False,
    ask: Ask | None = None,
    progress: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> ProjectOutcome:
    """Work through a project file; `tell` gets a line per run. A run that is there with the same signature is kept.

    Before each run it is counted what it would send; where that would pass the budget the work stops, and nothing of
    that run is sent. A system that fails is not asked again; the others are. `replace` lets runs of something else in
    the folders be replaced, `refresh` asks everything again. A file that starts programs, names servers or leads out of
    its folder is refused unless the user agrees, once per content: by `ask`, which gets what it does, or by `trust`.
    Paths in the file are seen from its own folder, the working directory of the whole process meanwhile.
    """
    project = read_project(Path(file))
    check_trusted(project, trust=trust, ask=ask)
    project = changed(project, settings=changed(project.settings, replace=replace, refresh=refresh))
    store = Path(memory or memory_path()).absolute()
    with chdir(project.path.parent):
        matrix = matrix_of(project)
        for why in matrix.skipped:
            tell(f"skipped  {why}")
        outcome = ProjectOutcome(project, matrix)
        done = _work(outcome, store, progress, tell)
        outcome.gate = _gated(project, done, outcome.runs)
        if project.files.paths:
            files = gate_rules(project.files)
            outcome.gate = changed(outcome.gate, checks=[*outcome.gate.checks, *files.checks], notes=files.notes)
    outcome.runs = [
        changed(run, path=outcome.output / cell.folder.name) for cell, run in zip(done, outcome.runs, strict=True)
    ]
    return outcome


def matrix_of(project: Project) -> Matrix:
    """All that the project asks for, checked: whatever is wrong is an error now, before anything is sent."""
    path, settings = project.path, project.settings
    with placed(f"{path}: suites"):
        suites = {spec: load_suite(spec) for spec in project.suites}
        marked = {spec: with_persons(suite)[0] for spec, suite in suites.items()}
    with placed(f"{path}: forms"):
        given_forms(settings.forms)
    cells: list[Cell] = []
    skipped: list[str] = []
    for spec, cell in _cells(project, suites, marked):
        why = _cannot(cell)
        if why:
            skipped.append(f"{cell.asked.name}, {spec} into {cell.target}: {why}")
            continue
        with placed(cell.asked.where):  # everything an audit would refuse, refused before the first is sent
            open_for(cell.system, cell.suite)
            check_measures(cell.marked, cell.settings)
            _detector(cell)
        cells.append(cell)
    if not cells and not project.files.paths:
        raise BadInput(f"{path}: nothing of it can be done ({'; '.join(skipped)})")
    twice = [folder for folder, times in Counter(cell.folder for cell in cells).items() if times > 1]
    if twice:
        raise BadInput(f"{path}: two runs would be written to {twice[0]}; give files or systems names that differ")
    _check_gate(project, cells)
    for cell in cells if not settings.replace else ():
        check_output(cell.folder, SuiteInfo.of(cell.marked), cell.system.name, cell.target)
    return Matrix(cells, skipped)


def _cells(project: Project, suites: Mapping[str, Suite], marked: Mapping[str, Suite]) -> Iterator[tuple[str, Cell]]:
    """Every system with each of its suites in each of its languages; the suite as it was named."""
    references = _fitting(project, suites)
    for asked in project.systems:
        named = asked.key or named_servers(asked.spec, asked.settings)
        with placed(asked.where), only_key(asked.key) if named else nullcontext():
            system = open_system(asked.spec, **asked.settings)
        own = changed(project.settings, name=asked.name, samples=asked.samples, limits=asked.limits)
        for spec in asked.suites or project.suites:
            for target in asked.targets or project.targets:
                folder = default_folder(spec, asked.name, target, root=project.output)
                here = changed(own, references=references[spec])
                yield spec, Cell(suites[spec], marked[spec], asked, system, target, folder, here)


def _fitting(project: Project, suites: Mapping[str, Suite]) -> dict[str, tuple[str, ...]]:
    """The references that say something about a suite, by its spec; one that says nothing about any is an error."""
    fitting: dict[str, list[str]] = {spec: [] for spec in suites}
    with placed(f"{project.path}: references"):
        for name in project.settings.references:
            load_reference(name)
            refused: list[BadInput] = []
            for spec, suite in suites.items():
                try:
                    load_references([name], suite.probes)
                except BadInput as error:
                    refused.append(error)
                else:
                    fitting[spec].append(name)
            if len(refused) == len(suites):
                raise refused[0]
    return {spec: tuple(names) for spec, names in fitting.items()}


def _cannot(cell: Cell) -> str:
    """Why a system cannot do this; "" where it can."""
    suite, target = cell.suite, cell.target
    if suite.targets and primary(target) not in suite.targets:
        return f"the suite goes into {', '.join(suite.targets)} only"
    sources = sorted(set(suite.probes["source_lang"].to_list()))
    if primary(target) in map(primary, sources):
        return "it is the language of the suite"
    try:
        for source in sources:
            check_pair(cell.system, source, target)
    except Unknown:
        return f"the system does not translate from {', '.join(sources)} into {target}"
    return ""


def _detector(cell: Cell) -> Detector:
    suite, forms = cell.marked, cell.settings.forms
    return open_detector(suite.kind, source=suite.source_lang, target=cell.target, user_forms=forms)


def _check_gate(project: Project, cells: Sequence[Cell]) -> None:
    """A limit or a margin on what no run will estimate, former runs that none can be compared with: errors now."""
    gated = project.gate
    if project.against is not None:
        _check_former(project, project.against, cells)
    if not project.limits and not gated.measures and not gated.margins:
        return
    tables = [rehearsed(cell) for cell in {cell.marked.hash: cell for cell in cells}.values()]
    measured = pl.concat(tables, how="diagonal")["measure"].unique().sort().to_list()
    unmeasured = f"measures: {listed(measured)}"
    for limit in project.limits:
        if not any(estimated_by(table, limit) for table in tables):
            raise BadInput(f"{project.path}: no run will estimate {limit.where}, which has a limit; {unmeasured}")
    asked = {directed(spec).name: spec for spec in gated.measures}
    for name in (*asked, *gated.margins):
        why = why_not_gated(directed(asked.get(name, name)), name in gated.margins)
        if name not in measured:
            why = f"no run will estimate it; {unmeasured}"
        if why:
            raise BadInput(f"{project.path}: gate: {name} cannot be gated: {why}")


def _check_former(project: Project, against: Path, cells: Sequence[Cell]) -> None:
    where = f"{project.path}: gate: against"
    if not against.is_dir():
        raise BadInput(f"{where}: {against} is not a folder")
    if against.resolve() == project.output.resolve():
        raise BadInput(f"{where}: {against} is where the new runs are written; copy the earlier ones elsewhere")
    former = ((read_manifest(against / cell.folder.name), cell) for cell in cells)
    if not any(held is not None and held.suite.hash == cell.marked.hash for held, cell in former):
        raise BadInput(f"{where}: {against} holds no run to compare these with (same folder, same sentences)")


def rehearsed(cell: Cell) -> pl.DataFrame:
    """The estimates of a made-up run, made the same way: measure, group and level are those of a real one, no value
    means anything. Genders take turns, so that every measure has something to count."""
    suite, settings = cell.marked, cell.settings
    renderings = tabulate(suite, "", 1, [Answer("")] * len(suite))
    turns = [_GENDERS[number % len(_GENDERS)] for number in range(renderings.height)]
    judged = renderings.select(list(KEY)).with_columns(gender=pl.Series(turns), valid=pl.lit(value=True))
    added = added_measures(suite, settings.measures)
    manifest = Manifest(SuiteInfo.of(suite), "", "", "", "", 0, _RESAMPLES, __version__, measures=added)
    verdicts = conform(judged, VERDICTS, name="verdicts")
    run = Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES))
    return estimated(run, references=load_references(settings.references, suite.probes)).estimates


def _work(outcome: ProjectOutcome, memory: Path, progress: bool, tell: Callable[[str], None]) -> list[Cell]:
    """Make or keep run after run; the cells of those that are there."""
    characters, money = 0, 0.0  # sent and spent, also on a system that failed
    done: list[Cell] = []
    for cell in outcome.matrix.cells:
        if cell.asked.name in outcome.failed:
            continue
        there = _kept(cell)
        if there is not None:
            outcome.kept += 1
            tell(f"kept  {cell.folder}")
        else:
            target, price = cell.target, cell.asked.price_per_million
            asking = {name: getattr(cell.settings, name) for name in AskSettings.__dataclass_fields__}
            planned = plan(cell.suite, cell.system, target=target, price=price, memory=memory, **asking)
            characters, money = characters + planned.characters, money + (planned.price or 0.0)
            outcome.stopped = _over(outcome.project.budget, cell, planned, characters, money)
            if outcome.stopped:
                break
            settings = changed(cell.settings, max_characters=planned.characters)
            try:
                there = audit(
                    cell.suite,
                    cell.system,
                    target=target,
                    output=cell.folder,
                    memory=memory,
                    settings=settings,
                    progress=progress,
                )
            except SystemFailed as error:
                outcome.failed[cell.asked.name] = str(error)
                tell(f"failed  {cell.folder}")
                continue
            tell(f"made  {cell.folder} ({planned.characters:,} characters sent)")
        outcome.runs.append(there)
        done.append(cell)
    return done


def _kept(cell: Cell) -> Run | None:
    """The run in the cell's folder, if this audit would make the same one: equal signatures, answers young enough."""
    held, settings, suite = read_manifest(cell.folder), cell.settings, cell.marked
    if held is None:
        return None
    young = settings.since
    if young is not None and held.answered is not None and str(held.answered["oldest"]) < young:
        return None
    system = open_for(cell.system, cell.suite)
    wanted = manifest_of(suite, system, _detector(cell), target=cell.target, settings=settings)
    marks = tuple(reference.fingerprint for reference in load_references(settings.references, suite.probes))
    return Run.load(cell.folder) if held.signature == changed(wanted, references=marks).signature else None


def _over(budget: Budget, cell: Cell, planned: Plan, characters: int, money: float) -> str:
    """Why this run would pass the budget, `characters` and `money` in all; "" where it would not."""
    run = f"{cell.folder} would send {planned.characters:,} characters"
    if budget.characters is not None and characters > budget.characters:
        return f"{run}, {characters:,} in all; the budget is {budget.characters:,}"
    if budget.money is not None and money > budget.money * (1 + _ROUNDING):
        return f"{run} for {planned.price or 0:,.2f}, {money:,.2f} in all; the budget is {budget.money:,.2f}"
    return ""


def _gated(project: Project, cells: Sequence[Cell], runs: Sequence[Run]) -> Gate:
    """One gate over all runs: checks carry the name of their run's folder."""
    parts = [part for cell, run in zip(cells, runs, strict=True) for part in _gates(project, cell, run)]
    named = (
        (f"{folder}: {check.name}" if check.name else folder, check) for folder, one in parts for check in one.checks
    )
    checks = [changed(check, name=name) for name, check in named]
    left = {f"{folder}: {name}": why for folder, one in parts for name, why in one.not_gated.items()}
    doubted = dict.fromkeys([*doubts(runs), *(doubt for _, one in parts for doubt in one.doubts)])
    return Gate(checks, left, doubts=list(doubted))


def _gates(project: Project, cell: Cell, run: Run) -> Iterator[tuple[str, Gate]]:
    """The run against the project's limits, and against the former run of the same folder."""
    folder = cell.folder.name
    if project.limits:
        taken = [limit for limit in project.limits if estimated_by(run.estimates, limit)]
        left = {limit.where: "not estimated" for limit in project.limits if limit not in taken}
        yield folder, gate_limits(run, taken, left=left) if run.answers.height else Gate([])
    if project.against is not None:
        with placed(f"{project.path}: gate"):
            yield folder, _against(project.against / folder, run, project.gate)


def _against(former: Path, run: Run, gating: GateSettings) -> Gate:
    """The run against a former one, by those of the gate's measures that it has."""
    measured, before = set(run.estimates["measure"].to_list()), read_manifest(former)
    measures = [spec for spec in gating.measures if spec.partition(":")[0] in measured]
    margins = {name: size for name, size in gating.margins.items() if name in measured}
    if before is None:
        return Gate([], {AGAINST: f"no run at {former}"})
    if before.suite.hash != run.manifest.suite.hash:
        return Gate([], {AGAINST: f"{former} has other sentences"})
    if gating.measures and not measures:
        return Gate([], {AGAINST: "none of the gate's measures is estimated"})
    try:
        return gate(run, former, **{**vars(gating), "measures": measures, "margins": margins})
    except NothingGated as error:
        return Gate([], error.left)


def _why_not_compared(former: Path, run: Run) -> str:
    before = read_manifest(former)
    same = before is not None and before.suite.hash == run.manifest.suite.hash
    return "" if same else f"{former} has other sentences" if before else f"no run at {former}"
