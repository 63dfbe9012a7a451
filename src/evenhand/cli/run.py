"""evenhand run: a project file, worked through."""

import json as json_text
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.check import Format, verdict
from evenhand.cli.options import chosen, verb
from evenhand.cli.output import REPORT, print_json, write_page_inside
from evenhand.errors import BadInput, MissingExtra, SystemFailed
from evenhand.options import Argument
from evenhand.report import require_charts
from evenhand.report.exchange.gates import WRITERS, as_json
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import MANIFEST
from evenhand.workflows.project import ProjectOutcome, run_project
from evenhand.workflows.project_file import FILE

GATE = "gate.json"


@verb
def run(
    file: Annotated[Path, Argument("the project file", "FILE")] = FILE,
    work: partial[ProjectOutcome] = chosen(run_project),
    format: Format = "text",
) -> None:
    """Audit every system of the project on every suite and language; one overview, one gate (exit 1 if it fails).

    Finished runs are kept. Exit code 2: the budget stopped it, or no conclusion is possible; 3: a system failed.
    The same command resumes.
    """
    quiet = format != "text"
    terminal = sys.stderr.isatty()

    def ask(acts: list[str]) -> bool:
        typer.echo("\n  ".join([f"{file} is new here, or has changed, and it:", *acts, ""]), err=True)
        return typer.confirm("Run it?", err=True)

    asking, progress = ask if sys.stdin.isatty() and terminal else None, terminal and not quiet
    outcome = work(file, ask=asking, progress=progress, tell=lambda line: typer.echo(line, err=quiet))
    page = _write(outcome)
    made, asked = len(outcome.runs), len(outcome.matrix.cells)
    title = f"{file}, {made} runs" if made == asked else f"{file}, {made} of {asked} runs"
    if format == "json":
        more = {"stopped": outcome.stopped, "failed": outcome.failed, "skipped": outcome.skipped}
        print_json({**as_json(outcome.gate), **more})
    elif quiet:
        typer.echo(WRITERS[format](outcome.gate, title), nl=False)
    else:
        _print(outcome, title, page)
    if outcome.failed:
        raise SystemFailed("; ".join(f"{name}: {why}" for name, why in outcome.failed.items()))
    if outcome.stopped:
        raise BadInput(f"stopped before the budget is passed: {outcome.stopped}. What was done is kept.")
    if outcome.gate.exit_code:
        raise typer.Exit(outcome.gate.exit_code)


def _write(outcome: ProjectOutcome) -> Path | None:
    """The reports that are not there yet, the overview and the gate; None where the packages for pages are missing."""
    content = json_text.dumps(as_json(outcome.gate), ensure_ascii=False, indent=2, allow_nan=False)
    outcome.output.mkdir(parents=True, exist_ok=True)
    write_text(outcome.output / GATE, content + "\n")
    if not outcome.runs and outcome.project.files.paths:
        return None  # files alone
    for one in outcome.runs:
        page, manifest = (one.path or Path()) / REPORT, (one.path or Path()) / MANIFEST
        if not page.is_file() or page.stat().st_mtime < manifest.stat().st_mtime:
            write_page_inside(one)
    try:
        require_charts("writing the overview")
        from evenhand.report.pages.overview import write_overview

        return write_overview(outcome, report=REPORT)
    except MissingExtra as error:
        typer.echo(f"no overview: {error}", err=True)
        return None


def _print(outcome: ProjectOutcome, title: str, page: Path | None) -> None:
    for mark, lines in (("DOUBT ", outcome.gate.doubts), ("FAILED", outcome.gate.failures)):
        for line in lines:
            typer.echo(f"{mark}  {line}")
    if page is not None:
        typer.echo(f"overview  {page}")
    checks = len(outcome.gate.checks)
    if not checks and not outcome.gate.doubts:
        done = "not done" if outcome.undone else "done"
        typer.echo(f"{done}: {title}, {outcome.kept} of them kept; nothing was gated")
    else:
        typer.echo(verdict(outcome.gate, title, f"passed: {title}, {checks} checks"))
