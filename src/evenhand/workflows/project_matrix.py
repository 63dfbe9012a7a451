"""What a project will do: every system, suite and language of it that go together, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.detect import open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.errors import BadInput, Unknown, listed
from evenhand.languages import primary
from evenhand.measures.decisions.limits import estimated_by
from evenhand.measures.definitions.direction import directed
from evenhand.references.reference import load_reference
from evenhand.results.runs import check_output, read_manifest
from evenhand.suites.info import SuiteInfo
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import System, check_pair, open_system
from evenhand.workflows.against import load_references
from evenhand.workflows.audit import check_measures
from evenhand.workflows.check import why_not_gated
from evenhand.workflows.folder_names import default_folder
from evenhand.workflows.project_file import AskedSystem, Project, placed
from evenhand.workflows.put import open_for
from evenhand.workflows.rehearsal import rehearsed
from evenhand.workflows.settings import Settings
from evenhand.workflows.unmarked import with_persons


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


def matrix_of(project: Project) -> Matrix:
    """All that the project asks for, checked: whatever is wrong is an error now, before anything is sent."""
    path, settings = project.path, project.settings
    with placed(f"{path}: suites"):
        suites = {spec: load_suite(spec) for spec in project.suites}
        marked = {spec: with_persons(suite)[0] for spec, suite in suites.items()}
    with placed(f"{path}: forms"):
        given_forms(settings.forms)
    references = _fitting(project, suites)
    cells: list[Cell] = []
    skipped: list[str] = []
    for asked in project.systems:
        with placed(asked.where):
            system = open_system(asked.spec, **asked.settings)
        for spec in asked.suites or project.suites:
            own = replace(
                settings, name=asked.name, samples=asked.samples, limits=asked.limits, references=references[spec]
            )
            for target in asked.targets or project.targets:
                folder = default_folder(spec, asked.name, target, root=project.output)
                cell = Cell(suites[spec], marked[spec], asked, system, target, folder, own)
                why = _cannot(cell)
                if why:
                    skipped.append(f"{asked.name}, {spec} into {target}: {why}")
                    continue
                with placed(asked.where):
                    _check(cell)
                cells.append(cell)
    if not cells:
        raise BadInput(f"{path}: nothing of it can be done ({'; '.join(skipped)})")
    folders = [cell.folder for cell in cells]
    twice = next((folder for folder in folders if folders.count(folder) > 1), None)
    if twice is not None:
        raise BadInput(f"{path}: two runs would be written to {twice}; give files or systems names that differ")
    _check_gate(project, cells)
    if not settings.replace:
        for cell in cells:
            check_output(cell.folder, SuiteInfo.of(cell.marked), cell.system.name, cell.target)
    return Matrix(cells, skipped)


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


def _check(cell: Cell) -> None:
    """Everything an audit would refuse, refused for all cells before the first is sent."""
    open_for(cell.system, cell.suite)
    suite, settings = cell.marked, cell.settings
    check_measures(suite, settings)
    open_detector(suite.kind, source=suite.source_lang, target=cell.target, user_forms=settings.forms)


def _check_gate(project: Project, cells: Sequence[Cell]) -> None:
    """A limit or a margin on what no run will estimate, former runs that none can be held against: errors now."""
    held = project.gate
    if held.against is not None:
        _check_former(project, held.against, cells)
    if not project.limits and not held.measures and not held.margins:
        return
    suites = {cell.marked.hash: cell for cell in cells}
    tables = [
        rehearsed(
            cell.marked,
            measures=cell.settings.measures,
            references=load_references(cell.settings.references, cell.marked.probes),
        )
        for cell in suites.values()
    ]
    measured = sorted({name for table in tables for name in table["measure"].unique()})
    for limit in project.limits:
        if not any(estimated_by(table, limit) for table in tables):
            raise BadInput(
                f"{project.path}: no run will estimate {limit.where}, which has a limit; measures: {listed(measured)}"
            )
    asked = {directed(spec).name: spec for spec in held.measures}
    for name in (*asked, *held.margins):
        why = why_not_gated(directed(asked.get(name, name)), name in held.margins)
        if name not in measured:
            why = f"no run will estimate it; measures: {listed(measured)}"
        if why:
            raise BadInput(f"{project.path}: gate: {name} cannot be gated: {why}")


def _check_former(project: Project, against: Path, cells: Sequence[Cell]) -> None:
    where = f"{project.path}: gate: against"
    if not against.is_dir():
        raise BadInput(f"{where}: {against} is no folder")
    if against.resolve() == project.output.resolve():
        raise BadInput(f"{where}: {against} is where the new runs are written; copy the former ones elsewhere")
    former = ((read_manifest(against / cell.folder.name), cell) for cell in cells)
    if not any(held is not None and held.suite.hash == cell.marked.hash for held, cell in former):
        raise BadInput(
            f"{where}: {against} holds no run that these could be held against (same folder, same sentences)"
        )
