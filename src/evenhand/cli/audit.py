"""evenhand audit: translate, detect, score, report."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from evenhand.cli.asking import Asking
from evenhand.cli.estimates import print_estimates
from evenhand.cli.option_groups import grouped
from evenhand.cli.options import FORMS, LEVEL_OPTION, MEASURE
from evenhand.cli.output import estimates_json, print_json, print_signature, write_page_inside
from evenhand.detect import RULE
from evenhand.level import LEVEL
from evenhand.statistics.effective import RESAMPLES
from evenhand.workflows import audit as auditing
from evenhand.workflows.folder_names import default_folder
from evenhand.workflows.settings import Settings

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
@grouped
def audit(
    asking: Asking,
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FOLDER", help="run folder (default: runs/SUITE.SYSTEM.TARGET)"
    ),
    name: str = typer.Option("", "--name", metavar="NAME", help="what to call the system (default: its spec)"),
    seed: int = typer.Option(0, "--seed", metavar="N", help="root of the resampling's randomness"),
    resamples: int = typer.Option(RESAMPLES, "--resamples", metavar="N", min=100, help="bootstrap resamples"),
    level: float | None = LEVEL_OPTION,
    measure: list[str] = MEASURE,
    rule: str = typer.Option(RULE, "--rule", metavar="RULE", help="pronoun rule: evenhand or cho2019"),
    calibration: Path | None = typer.Option(
        None, "--calibration", metavar="FILE", help="a file of `evenhand calibrate`; adds corrected estimates"
    ),
    forms: Path | None = FORMS,
    reference: list[str] = typer.Option(
        [], "--reference", metavar="REF", help="compare with this reference: a name or a file (repeatable)"
    ),
    plan: Path | None = typer.Option(
        None,
        "--plan",
        metavar="FILE",
        help="a plan of `evenhand plan --freeze FILE`; names suite, system and target too",
    ),
    max_characters: int | None = typer.Option(
        None, "--max-characters", metavar="N", min=0, help="refuse to start when more characters would be sent"
    ),
    concurrency: int | None = typer.Option(None, "--concurrency", metavar="N", min=1, help="calls in flight at once"),
    replace: bool = typer.Option(False, "--replace", help="replace a run of another suite or system in the folder"),
    report: bool = typer.Option(True, help="write report.html into the run folder"),
    everything: bool = typer.Option(False, "--all", help="print every estimate, not the overall ones only"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Translate a suite, judge every rendering, estimate every measure, write the run folder and its report."""
    asking = asking.filled(plan)
    settings = Settings(
        samples=asking.samples,
        seed=seed,
        resamples=resamples,
        level=LEVEL if level is None else level,
        rule=rule,
        name=name,
        calibration=calibration,
        forms=forms,
        plan=plan,
        references=tuple(reference),
        measures=tuple(measure),
        max_characters=max_characters,
        limits=asking.limits(concurrency=concurrency),
        replace=replace,
        refresh=asking.refresh,
        max_age=asking.oldest(),
        ask=asking.ask,
        context=asking.context,
    )
    system = asking.answering()
    others = [*(asking.only or []), *(asking.setting or []), *asking.ways()]
    run = auditing.audit(
        asking.probes(),
        system,
        target=asking.target,
        output=output
        or default_folder(asking.suite, name or system.name, asking.target, others, samples=asking.samples, rule=rule),
        memory=asking.memory,
        settings=settings,
        progress=sys.stderr.isatty() and not json,
    )
    page = write_page_inside(run) if report else None
    if json:
        print_json({**estimates_json(run), "report": str(page) if page else None, "notes": run.manifest.notes})
        return
    print_estimates(run, everything=everything)
    print_signature(run)
    typer.echo(f"run        {run.path}")
    if page:
        typer.echo(f"report     {page}")
