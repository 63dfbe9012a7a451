"""evenhand audit: translate, detect, score, report."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from evenhand import auditing
from evenhand.cli.output import estimates_json, print_estimates, print_json, print_signature
from evenhand.errors import MissingExtra
from evenhand.systems import open_system, settings_of

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def audit(
    suite: str = typer.Argument(help="a suite's name, reader:PATH, or a table of your own"),
    system: str = typer.Option(..., "--system", "-s", help="a system's spec, as `evenhand systems` lists them"),
    target: str = typer.Option(..., "--target", "-t", help="target language, e.g. en"),
    output: Path | None = typer.Option(None, "--output", "-o", help="run folder (default: runs/SUITE.SYSTEM.TARGET)"),
    samples: int = typer.Option(1, "--samples", min=1, help="ask a sampling system this often"),
    seed: int = typer.Option(0, "--seed", help="root of all randomness"),
    resamples: int = typer.Option(auditing.RESAMPLES, "--resamples", min=100, help="bootstrap resamples"),
    rule: str = typer.Option("evenhand", "--rule", help="pronoun rule: evenhand or cho2019"),
    calibration: Path | None = typer.Option(None, "--calibration", help="a file of `evenhand calibrate`"),
    reference: list[str] = typer.Option([], "--reference", help="a reference to compare with (repeatable)"),
    setting: list[str] = typer.Option([], "--set", help="a setting of the system, NAME=VALUE (repeatable)"),
    memory: Path | None = typer.Option(None, "--memory", help="translation memory (default: the user's cache)"),
    max_characters: int | None = typer.Option(None, "--max-characters", help="refuse to send more than this"),
    report: bool = typer.Option(True, help="write report.html into the run folder"),
    everything: bool = typer.Option(False, "--all", help="print every estimate, not the overall ones only"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Translate a suite, judge every rendering, estimate every measure, write the run folder and its report."""
    settings = auditing.Settings(
        samples=samples,
        seed=seed,
        resamples=resamples,
        rule=rule,
        calibration=calibration,
        references=tuple(reference),
        max_characters=max_characters,
    )
    run = auditing.audit(
        suite,
        open_system(system, **settings_of(setting)),
        target=target,
        output=output or _default_folder(suite, system, target),
        memory=memory,
        settings=settings,
        progress=sys.stderr.isatty() and not json,
    )
    page = _write_report(run.path) if report and run.path else None
    if json:
        print_json({**estimates_json(run), "report": str(page) if page else None})
        return
    print_estimates(run.estimates, everything=everything)
    for note in run.manifest.notes:
        typer.echo(f"note: {note}")
    print_signature(run)
    typer.echo(f"run        {run.path}")
    if page:
        typer.echo(f"report     {page}")


def _default_folder(suite: str, system: str, target: str) -> Path:
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in f"{Path(suite).name}.{system}.{target}")
    return Path("runs") / safe[:120]


def _write_report(folder: Path) -> Path | None:
    from evenhand.report import write_report

    try:
        return write_report([folder], folder / "report.html")
    except MissingExtra as error:
        typer.echo(f"no report: {error}", err=True)
        return None
