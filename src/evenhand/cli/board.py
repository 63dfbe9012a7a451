"""evenhand board: a static site of many runs."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import print_json
from evenhand.cores import cores
from evenhand.options import Argument, Json, Option


@verb
def board(
    runs: Annotated[tuple[Path, ...], Argument("run folders, or folders of runs", "DIR")],
    output: Annotated[Path, Option("the folder of the site", "SITE", "--output -o")] = Path("site"),
    sentences: Annotated[int, Option("sentences shown of each outcome of a run; 0: numbers only", "N", least=0)] = 4,
    seed: Annotated[int, Option("seed of their random choice", "N")] = 0,
    workers: Annotated[int, Option("parallel processes", "N", least=1)] = min(2, cores()),
    json: Json = False,
) -> None:
    """Rankings with intervals and groups of ties, a page per system, language and run, every number to download.

    Opens from disk and loads nothing from other hosts.
    """
    from evenhand.report.board.build import board as build

    built = build(runs, output, sentences=sentences, seed=seed, workers=workers)
    if json:
        print_json(asdict(built))
        return
    for line in built.others:
        typer.echo(f"left out   {line}")
    for line in built.unranked:
        typer.echo(f"not ranked {line}")
    if built.changed:
        typer.echo(f"changes    {built.changed} significant over time")
    typer.echo(
        f"board      {built.index} (runs: {built.runs:,}, systems: {built.systems:,}, languages: {built.languages:,}, "
        f"suites: {built.suites:,})"
    )
