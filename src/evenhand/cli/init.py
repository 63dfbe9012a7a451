"""evenhand init: a commented project file."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.systems import list_systems
from evenhand.workflows.project_file import FILE, write_project

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
POCKET, SERVER = "pocket", "libretranslate:http://localhost:5000"


@app.command()
def init(
    file: Path = typer.Argument(FILE, metavar="[FILE]", help="the file to write"),
    system: str | None = typer.Option(
        None, "--system", "-s", metavar="SPEC", help="who translates (default: pocket, where it is installed)"
    ),
    suite: str = typer.Option("pronouns-hungarian", "--suite", metavar="SUITE", help="what is asked"),
    target: str = typer.Option("en", "--target", "-t", metavar="LANG", help="target language"),
) -> None:
    """Write a project file with one system, and everything else it can hold as comments; never replaces one."""
    installed = POCKET in {one.name for one in list_systems()}
    write_project(file, system=system or (POCKET if installed else SERVER), suite=suite, target=target)
    typer.echo(f"wrote {file}; `evenhand run{'' if file == FILE else f' {file}'}` works through it")
