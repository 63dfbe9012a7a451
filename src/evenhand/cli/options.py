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
