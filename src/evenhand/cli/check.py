"""evenhand check: a gate for CI."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.cli.output import print_json
from evenhand.runs import Run
from evenhand.tables import count_decided, count_valid
from evenhand.workflows.check import check as check_run
from evenhand.workflows.compare import detectors_differ

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def check(
    folder: Path = typer.Argument(help="the run to check", metavar="RUN"),
    against: Path = typer.Option(
        ..., "--against", metavar="BASELINE", help="an earlier run's folder, or a TOML file of limits"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Exit 1 when a limit is broken or a measure got significantly worse; one line says why for each."""
    run = Run.load(folder)
    failures = check_run(run, against)
    warning = None if against.suffix == ".toml" else detectors_differ([run, Run.load(against)])
    if warning:
        typer.echo(f"note: {warning}", err=True)
    counted = {"n": run.answers.height, "n_valid": count_valid(run.answers), "n_decided": count_decided(run.answers)}
    if json:
        print_json(
            {"passed": not failures, "failures": failures, "note": warning, **counted, "signature": run.signature}
        )
    else:
        valid = "" if counted["n_valid"] is None else f"{counted['n_valid']:,} valid, "
        typer.echo(f"{counted['n']:,} renderings, {valid}{counted['n_decided']:,} decided")
        for failure in failures:
            typer.echo(f"FAILED  {failure}")
        if not failures:
            typer.echo(f"passed: {folder} against {against}")
    if failures:
        raise typer.Exit(1)
