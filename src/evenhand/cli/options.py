"""Options that mean the same thing for every verb that estimates."""

from __future__ import annotations

import typer

from evenhand.level import LEVEL

LEVEL_OPTION = typer.Option(
    None, "--level", metavar="X", help=f"confidence level of every interval (default: the run's own, else {LEVEL:g})"
)
MEASURE = typer.Option(
    [], "--measure", metavar="NAME", help="measure this too, besides what the suite asks for (repeatable)"
)
FORMS = typer.Option(
    None, "--forms", metavar="FILE", help="forms that people labelled (`evenhand review`); the run keeps a copy"
)
CHOSEN = typer.Option(
    [],
    "--measure",
    metavar="NAME[:WAY]",
    help="only this measure (repeatable); WAY, where you choose what is better, is higher, lower or nearer=X",
)
MARGIN = typer.Option(
    [],
    "--margin",
    metavar="NAME=D",
    help="is this measure shown to be no worse by more than D? P_S=0.02, accuracy=2% (repeatable)",
)
