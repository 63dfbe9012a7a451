"""evenhand score: estimate a run's measures again."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand import auditing
from evenhand.cli.output import estimates_json, print_estimates, print_json, print_signature
from evenhand.measures.calibration import Calibration
from evenhand.runs import Run

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def score(
    run: Path = typer.Argument(help="a run folder"),
    seed: int | None = typer.Option(None, "--seed", help="another root of randomness"),
    resamples: int | None = typer.Option(None, "--resamples", min=100, help="bootstrap resamples"),
    detect: bool = typer.Option(False, "--detect", help="judge the renderings again first, with today's detector"),
    calibration: Path | None = typer.Option(None, "--calibration", help="a file of `evenhand calibrate`"),
    output: Path | None = typer.Option(None, "--output", "-o", help="write here instead of into the run"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Estimate every measure of a run anew and keep the result in its folder."""
    loaded = Run.load(run)
    error_rates = Calibration.load(calibration) if calibration else None
    changed = auditing.rescore(loaded, seed=seed, resamples=resamples, detect=detect, calibration=error_rates)
    saved = changed.save(output or run)
    if json:
        print_json(estimates_json(saved))
        return
    print_estimates(saved.estimates)
    print_signature(saved)
