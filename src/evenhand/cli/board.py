"""evenhand board: a static site of many runs."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from evenhand.cli.output import print_json

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def board(
    runs: list[Path] = typer.Argument(help="run folders, or folders that hold some", metavar="DIR"),
    output: Path = typer.Option(Path("site"), "--output", "-o", metavar="SITE", help="the folder of the site"),
    sentences: int = typer.Option(
        4, "--sentences", metavar="N", min=0, help="sentences shown of each outcome of a run; 0: numbers only"
    ),
    seed: int = typer.Option(0, "--seed", metavar="N", help="draws these sentences"),
    workers: int = typer.Option(
        min(2, os.cpu_count() or 1), "--workers", metavar="N", min=1, help="processes that compute"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Rankings with intervals and groups of ties, a page a system, a language and a run, every number to download.

    Opens from disk and asks no host for anything. A second build computes only what changed.
    """
    from evenhand.report.board.build import board as build

    built = build(runs, output, sentences=sentences, seed=seed, workers=workers)
    if json:
        print_json(
            {
                "index": str(built.index),
                "runs": built.runs,
                "systems": built.systems,
                "languages": built.languages,
                "suites": built.suites,
                "unranked": built.unranked,
                "changed": built.changed,
                "others": built.others,
                "built": built.built,
            }
        )
        return
    for line in built.others:
        typer.echo(f"left out   {line}")
    for line in built.unranked:
        typer.echo(f"not ranked {line}")
    if built.changed:
        typer.echo(f"changes    {built.changed} over time pass the corrected test")
    typer.echo(
        f"board      {built.index} (runs: {built.runs:,}, systems: {built.systems:,}, languages: {built.languages:,}, "
        f"suites: {built.suites:,}{'' if built.built else '; nothing changed'})"
    )
