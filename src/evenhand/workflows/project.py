"""A project, worked through: every run of its matrix within the budget, and one gate over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from dataclasses import replace as changed
from pathlib import Path

from evenhand.detect import open_detector
from evenhand.errors import SystemFailed
from evenhand.measures.decisions.gate import Gate
from evenhand.measures.decisions.limits import estimated_by
from evenhand.results.runs import Run, read_manifest
from evenhand.systems.agenda import Plan
from evenhand.workflows.against import load_references
from evenhand.workflows.answered import since
from evenhand.workflows.audit import audit, manifest_of, memory_path
from evenhand.workflows.check import NothingGated, gate, gate_limits
from evenhand.workflows.plan import plan
from evenhand.workflows.project_file import Budget, Project, placed, read_project
from evenhand.workflows.project_matrix import Cell, Matrix, matrix_of
from evenhand.workflows.put import open_for

AGAINST = "against"
_ROUNDING = 1e-9  # sums of prices are not exact: what fits the budget to the cent must not be stopped by a bit


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
    replace: bool = False,
    refresh: bool = False,
    progress: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> ProjectOutcome:
    """Work through a project file; `tell` gets a line a run. A run that is there with the same signature is kept.

    Before each run it is counted what it would send; where that would pass the budget the work stops, and nothing of
    that run is sent. A system that fails is not asked again; the others are. `replace` lets runs of something else in
    the folders be replaced, `refresh` asks everything anew. Paths in the file are seen from its own folder, which is
    the working directory of the whole process meanwhile.
    """
    project = read_project(Path(file))
    project = changed(project, settings=changed(project.settings, replace=replace, refresh=refresh))
    store = Path(memory or memory_path()).absolute()
    with chdir(project.path.parent):
        matrix = matrix_of(project)
        for why in matrix.skipped:
            tell(f"skipped  {why}")
        outcome = ProjectOutcome(project, matrix)
        done = _work(outcome, store, progress, tell)
        outcome.gate = _gated(project, done, outcome.runs)
    outcome.runs = [
        changed(run, path=outcome.output / cell.folder.name) for cell, run in zip(done, outcome.runs, strict=True)
    ]
    return outcome


def _work(outcome: ProjectOutcome, memory: Path, progress: bool, tell: Callable[[str], None]) -> list[Cell]:
    """Make or keep run after run; the cells of those that are there."""
    spent = Budget(0, 0.0)
    done: list[Cell] = []
    for cell in outcome.matrix.cells:
        if cell.asked.name in outcome.failed:
            continue
        there = _kept(cell)
        if there is not None:
            outcome.kept += 1
            tell(f"kept  {cell.folder}")
        else:
            settings = cell.settings
            planned = plan(
                cell.suite,
                cell.system,
                target=cell.target,
                samples=settings.samples,
                price=cell.asked.price_per_million,
                memory=memory,
                limits=settings.limits,
                refresh=settings.refresh,
                max_age=settings.max_age,
            )
            with_it = Budget(
                (spent.characters or 0) + planned.characters, (spent.money or 0.0) + (planned.price or 0.0)
            )
            outcome.stopped = _over(outcome.project.budget, cell, planned, with_it)
            if outcome.stopped:
                break
            try:
                there = audit(
                    cell.suite,
                    cell.system,
                    target=cell.target,
                    output=cell.folder,
                    memory=memory,
                    settings=changed(settings, max_characters=planned.characters),
                    progress=progress,
                )
            except SystemFailed as error:
                outcome.failed[cell.asked.name] = str(error)
                tell(f"failed  {cell.folder}")
                continue
            finally:
                spent = with_it
            tell(f"made  {cell.folder} ({planned.characters:,} characters sent)")
        outcome.runs.append(there)
        done.append(cell)
    return done


def _kept(cell: Cell) -> Run | None:
    """The run in the cell's folder, if this audit would make the same one: equal signatures, answers young enough."""
    held, settings, suite = read_manifest(cell.folder), cell.settings, cell.marked
    young = since(refresh=settings.refresh, max_age=settings.max_age)
    if held is None:
        return None
    if young is not None and held.answered is not None and str(held.answered["oldest"]) < young:
        return None
    system = open_for(cell.system, cell.suite)
    detector = open_detector(suite.kind, source=suite.source_lang, target=cell.target, user_forms=settings.forms)
    wanted = manifest_of(suite, system, detector, target=cell.target, settings=settings)
    marks = tuple(reference.fingerprint for reference in load_references(settings.references, suite.probes))
    return Run.load(cell.folder) if held.signature == changed(wanted, references=marks).signature else None


def _over(budget: Budget, cell: Cell, planned: Plan, with_it: Budget) -> str:
    """Why this run would pass the budget; "" where it would not."""
    characters, money = with_it.characters or 0, with_it.money or 0.0
    run = f"{cell.folder} would send {planned.characters:,} characters"
    if budget.characters is not None and characters > budget.characters:
        return f"{run}, {characters:,} in all; the budget is {budget.characters:,}"
    if budget.money is not None and money > budget.money * (1 + _ROUNDING):
        return f"{run} for {planned.price or 0:,.2f}, {money:,.2f} in all; the budget is {budget.money:,.2f}"
    return ""


def _gated(project: Project, cells: Sequence[Cell], runs: Sequence[Run]) -> Gate:
    """One gate over all runs: checks carry the name of their run's folder."""
    parts = [part for cell, run in zip(cells, runs, strict=True) for part in _gates(project, cell, run)]
    checks = [
        changed(check, name=f"{folder}: {check.name}" if check.name else folder)
        for folder, one in parts
        for check in one.checks
    ]
    left = {f"{folder}: {name}": why for folder, one in parts for name, why in one.not_gated.items()}
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
        try:
            yield folder, gate(run, former, measures=measures, margins=margins, allow_memory=held.allow_memory)
        except NothingGated as error:
            yield folder, Gate([], error.left)
