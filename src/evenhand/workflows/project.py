"""A project: every system asked every suite in every language it can, within a budget, and one gate over all runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evenhand.detect import open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.errors import BadInput, Unknown
from evenhand.languages import primary
from evenhand.measures.gate import Gate
from evenhand.measures.limits import estimated_by
from evenhand.references.reference import load_reference
from evenhand.runs import Run, SuiteInfo, check_output, read_manifest
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import System, check_pair, open_system
from evenhand.systems.agenda import Plan
from evenhand.workflows.against import load_references
from evenhand.workflows.answered import since
from evenhand.workflows.audit import audit, check_measures, manifest_of, open_for
from evenhand.workflows.check import gate, gate_limits
from evenhand.workflows.folder_names import default_folder
from evenhand.workflows.plan import plan
from evenhand.workflows.project_file import AskedSystem, Project, placed
from evenhand.workflows.unmarked import with_persons

AGAINST = "against"


@dataclass(frozen=True)
class Cell:
    """One run of the matrix: a suite through a system into a language."""

    suite: Suite
    asked: AskedSystem
    system: System
    target: str
    folder: Path
    references: tuple[str, ...]


@dataclass(frozen=True)
class Matrix:
    """What a project will do, and what of it cannot be done, each with the reason ("ours, winomt into ja: ...")."""

    cells: list[Cell]
    skipped: list[str]


@dataclass
class Outcome:
    """The runs that are there now, how many of them were already, why it stopped ("": it did not), and the gate."""

    runs: list[Run] = field(default_factory=list)
    kept: int = 0
    stopped: str = ""
    gate: Gate = field(default_factory=lambda: Gate([]))


def matrix_of(project: Project, *, replace_others: bool = False) -> Matrix:
    """All that the project asks for, checked: whatever is wrong is an error now, before anything is sent."""
    path, settings = project.path, project.settings
    with placed(f"{path}: suites"):
        suites = {spec: load_suite(spec) for spec in project.suites}
    with placed(f"{path}: forms"):
        given_forms(settings.forms)
    if project.gate.against is not None:
        _check_former(project, project.gate.against)
    references = _fitting(project, suites)
    cells: list[Cell] = []
    skipped: list[str] = []
    for asked in project.systems:
        with placed(asked.where):
            system = open_system(asked.spec, **asked.settings)
        for spec in asked.suites or project.suites:
            for target in asked.targets or project.targets:
                folder = default_folder(spec, asked.name, target, root=project.output)
                cell = Cell(suites[spec], asked, system, target, folder, references[spec])
                why = _cannot(cell)
                if why:
                    skipped.append(f"{asked.name}, {spec} into {target}: {why}")
                    continue
                with placed(asked.where):
                    _check(cell, project)
                cells.append(cell)
    if not cells:
        raise BadInput(f"{path}: nothing of it can be done ({'; '.join(skipped)})")
    folders = [cell.folder for cell in cells]
    twice = next((folder for folder in folders if folders.count(folder) > 1), None)
    if twice is not None:
        raise BadInput(f"{path}: two runs would be written to {twice}; give files or systems names that differ")
    if not replace_others:
        for cell in cells:
            suite, _ = with_persons(cell.suite)
            check_output(cell.folder, SuiteInfo.of(suite), cell.system.name, cell.target)
    return Matrix(cells, skipped)


def _check_former(project: Project, against: Path) -> None:
    where = f"{project.path}: gate: against"
    if not against.is_dir():
        raise BadInput(f"{where}: {against} is no folder")
    if against.resolve() == project.output.resolve():
        raise BadInput(f"{where}: {against} is where the new runs are written; copy the former ones elsewhere")


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


def _check(cell: Cell, project: Project) -> None:
    """Everything an audit would refuse, refused for all cells before the first is sent."""
    open_for(cell.system, cell.suite)
    suite, _ = with_persons(cell.suite)
    check_measures(suite, project.settings)
    open_detector(suite.kind, source=suite.source_lang, target=cell.target, user_forms=project.settings.forms)


def run_project(
    project: Project,
    matrix: Matrix,
    *,
    memory: Path | str | None = None,
    replace_others: bool = False,
    progress: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Work through the matrix; `tell` gets a line a run. A run that is there with the same signature is kept.

    Before each run it is counted what it would send; where that would pass the budget the work stops, and nothing of
    that run is sent.
    """
    outcome, characters, money = Outcome(), 0, 0.0
    done: list[Cell] = []
    for cell in matrix.cells:
        there = _kept(cell, project)
        if there is None:
            planned = plan(
                cell.suite,
                cell.system,
                target=cell.target,
                samples=cell.asked.samples,
                price=cell.asked.price_per_million,
                memory=memory,
                limits=cell.asked.limits,
                max_age=project.settings.max_age,
            )
            characters, money = characters + planned.characters, money + (planned.price or 0.0)
            outcome.stopped = _over(project, cell, planned, characters, money)
            if outcome.stopped:
                break
            settings = replace(
                project.settings,
                name=cell.asked.name,
                samples=cell.asked.samples,
                limits=cell.asked.limits,
                references=cell.references,
                replace=replace_others,
            )
            there = audit(
                cell.suite,
                cell.system,
                target=cell.target,
                output=cell.folder,
                memory=memory,
                settings=settings,
                progress=progress,
            )
            tell(f"made  {cell.folder} ({planned.characters:,} characters sent)")
        else:
            outcome.kept += 1
            tell(f"kept  {cell.folder}")
        outcome.runs.append(there)
        done.append(cell)
    outcome.gate = _gated(project, done, outcome.runs)
    return outcome


def _kept(cell: Cell, project: Project) -> Run | None:
    """The run in the cell's folder, if this audit would make the same one: equal signatures, answers young enough."""
    held = read_manifest(cell.folder)
    if held is None:
        return None
    settings = replace(project.settings, name=cell.asked.name, samples=cell.asked.samples)
    system = open_for(cell.system, cell.suite)
    suite, _ = with_persons(cell.suite)
    detector = open_detector(suite.kind, source=suite.source_lang, target=cell.target, user_forms=settings.forms)
    wanted = manifest_of(suite, system, detector, target=cell.target, settings=settings)
    marks = tuple(reference.fingerprint for reference in load_references(cell.references, suite.probes))
    young = since(refresh=False, max_age=settings.max_age)
    if young is not None and held.answered is not None and str(held.answered["oldest"]) < young:
        return None
    return Run.load(cell.folder) if held.signature == replace(wanted, references=marks).signature else None


def _over(project: Project, cell: Cell, planned: Plan, characters: int, money: float) -> str:
    budget, run = project.budget, f"{cell.folder} would send {planned.characters:,} characters"
    if budget.characters is not None and characters > budget.characters:
        return f"{run}, {characters:,} in all; the budget is {budget.characters:,}"
    if budget.money is not None and money > budget.money:
        return f"{run} for {planned.price or 0:,.2f}, {money:,.2f} in all; the budget is {budget.money:,.2f}"
    return ""


def _gated(project: Project, cells: Sequence[Cell], runs: Sequence[Run]) -> Gate:
    """One gate over all runs: checks carry the name of their run's folder."""
    parts = [part for cell, run in zip(cells, runs, strict=True) for part in _gates(project, cell, run)]
    checks = [
        replace(check, name=f"{folder}: {check.name}" if check.name else folder)
        for folder, one in parts
        for check in one.checks
    ]
    left = {f"{folder}: {name}": why for folder, one in parts for name, why in one.not_gated.items()}
    compared = [cell for cell in cells if f"{cell.folder.name}: {AGAINST}" not in left]
    if runs and project.gate.against is not None and not compared:
        raise BadInput(f"{project.path}: gate: {project.gate.against} holds no run that these could be held against")
    for limit in project.limits:
        if runs and not any(estimated_by(run.estimates, limit) for run in runs):
            raise BadInput(f"{project.path}: no run estimates {limit.where}, which has a limit")
    return Gate(checks, left)


def _gates(project: Project, cell: Cell, run: Run) -> Iterator[tuple[str, Gate]]:
    folder = cell.folder.name
    if project.limits:
        taken = [limit for limit in project.limits if estimated_by(run.estimates, limit)]
        left = {limit.where: "not estimated" for limit in project.limits if limit not in taken}
        yield folder, gate_limits(run, taken, left=left)
    held = project.gate
    if held.against is None:
        return
    former = held.against / folder
    before, measured = read_manifest(former), set(run.estimates["measure"].to_list())
    measures = [spec for spec in held.measures if spec.partition(":")[0] in measured]
    margins = {name: size for name, size in held.margins.items() if name in measured}
    why = ""
    if before is None or before.suite.hash != run.manifest.suite.hash:
        why = f"no run at {former}" if before is None else f"{former} is of other sentences"
    elif held.measures and not measures:
        why = "none of the gate's measures is estimated"
    if why:
        yield folder, Gate([], {AGAINST: why})
        return
    with placed(f"{project.path}: gate"):
        compared = gate(run, former, measures=measures, margins=margins, allow_memory=held.allow_memory)
    yield folder, compared
