"""evenhand check: a gate for CI."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from evenhand.cli.options import CHOSEN, LEVEL_OPTION, MARGIN
from evenhand.cli.output import number, print_json, print_table, say
from evenhand.errors import BadInput
from evenhand.measures.decisions.gate import Check, Gate, NotShown
from evenhand.measures.definitions.direction import margin as read_margin
from evenhand.report.exchange.gates import WRITERS, as_json
from evenhand.report.words.vocabulary import amount
from evenhand.results.runs import Run
from evenhand.storage.tables import count_decided, count_valid
from evenhand.workflows.changed import Change
from evenhand.workflows.check import accept_changes
from evenhand.workflows.check import gate as gate_run
from evenhand.workflows.compare import detectors_differ

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

Format = Literal["text", "json", "junit", "github"]


@app.command()
def check(
    folder: Path = typer.Argument(help="the run to check", metavar="RUN"),
    against: Path = typer.Option(
        ..., "--against", metavar="BASELINE", help="an earlier run's folder, or a TOML file of limits"
    ),
    measure: list[str] = CHOSEN,
    margin: list[str] = MARGIN,
    not_shown: NotShown | None = typer.Option(
        None,
        "--not-shown",
        help="what happens where too few sentences show either: default fail with a margin, pass without, an error "
        "where nothing at all can be tested",
    ),
    level: float | None = LEVEL_OPTION,
    sentences: bool = typer.Option(False, "--sentences", help="gate single strings as well: see --change"),
    change: Change = typer.Option(
        "to-male",
        "--change",
        help="the change of a string's person that fails: to-male is one that was not male and is now",
    ),
    accept: Path | None = typer.Option(
        None, "--accept", metavar="FILE", help="changes of strings that were looked at and accepted (TSV)"
    ),
    accept_new: bool = typer.Option(False, "--accept-new", help="write all of today's changes into that file first"),
    allow_memory: bool = typer.Option(
        False, "--allow-memory", help="gate answers of a remote system that are not newer than the baseline's"
    ),
    format: Format = typer.Option("text", "--format", help="how to print it; junit is XML, github are annotations"),
    json: bool = typer.Option(False, "--json", help="the same as --format json"),
) -> None:
    """Exit 1 when a limit is broken, a measure got worse, or a margin is not kept; one line says why for each."""
    run = Run.load(folder)
    if (accept is not None or accept_new) and not sentences:
        raise BadInput("--accept is about single strings: give --sentences too")
    if accept_new:
        if accept is None:
            raise BadInput("--accept-new needs --accept FILE, the file to write")
        typer.echo(f"{accept_changes(run, against, accept, sentences=change):,} changes added to {accept}", err=True)
    gate = gate_run(
        run,
        against,
        measures=measure,
        margins=dict(map(read_margin, margin)),
        not_shown=not_shown,
        level=level,
        sentences=change if sentences else None,
        accept=accept,
        allow_memory=allow_memory,
    )
    before = None if against.suffix == ".toml" else Run.load(against)
    warning = detectors_differ([run, before]) if before else None
    if warning:
        typer.echo(f"note: {warning}", err=True)
    title = f"{folder} against {against}"
    if json or format == "json":
        counts = {**_counted(run), "before": _counted(before) if before else None}
        print_json({**as_json(gate), "note": warning, **counts, "signature": run.signature})
    elif format in WRITERS:
        typer.echo(WRITERS[format](gate, title), nl=False)
    else:
        _print(
            gate,
            title,
            _told(run) + (f" (before {_told(before)})" if before else ""),
            f"at most ({100 * (level or run.manifest.level):.4g} %)",
        )
    if not gate.passed:
        raise typer.Exit(1)


def _counted(run: Run) -> dict[str, int | None]:
    return {"n": run.answers.height, "n_valid": count_valid(run.answers), "n_decided": count_decided(run.answers)}


def _told(run: Run) -> str:
    counted = _counted(run)
    valid = "" if counted["n_valid"] is None else f"{counted['n_valid']:,} valid, "
    return f"{amount(counted['n'] or 0, 'rendering')}, {valid}{counted['n_decided']:,} decided"


def _print(gate: Gate, title: str, counted: str, bound: str) -> None:
    typer.echo(counted)
    for failure in gate.failures:
        say(f"FAILED  {failure}", hang=8)
    measured = [check for check in gate.checks if check.kind != "sentence"]
    if measured:
        head = ("gated", "was", "now", "worse by", bound, "rule", "outcome")
        rows = [_row(check) for check in measured]
        keep = [n for n, name in enumerate(head) if name in ("gated", "outcome") or any(row[n] for row in rows)]
        print_table(None, [head[n] for n in keep], [[row[n] for n in keep] for row in rows])
    for why in dict.fromkeys(gate.not_gated.values()):
        say(f"not gated: {', '.join(n for n, other in gate.not_gated.items() if other == why)}: {why}")
    for note in gate.notes:
        say(f"sentences: {note}", hang=11)
    failed = len(gate.failures)
    typer.echo(f"failed: {title}, {failed} of {len(gate.checks)} checks" if failed else f"passed: {title}")


def _row(check: Check) -> tuple[str, ...]:
    numbers = (check.was, check.now, check.worse_by, check.at_most)
    return (check.name or check.kind, *(number(value) for value in numbers), check.rule, check.outcome)
