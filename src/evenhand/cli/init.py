"""evenhand init: a commented project file."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.options import Argument, Option
from evenhand.systems import list_systems
from evenhand.workflows.project_file import FILE, write_project
from evenhand.workflows.trust import trusted

POCKET, SERVER = "pocket", "libretranslate:http://localhost:5000"


@verb
def init(
    file: Annotated[Path, Argument("the file to write", "FILE")] = FILE,
    system: Annotated[str | None, Option("the translation system (default: pocket)", "SPEC", "--system -s")] = None,
    suite: Annotated[str, Option("the suite", "SUITE")] = "pronouns-hungarian",
    target: Annotated[str, Option("target language", "LANG", "--target -t")] = "en",
) -> None:
    """Write a project file with one system and every other setting as a comment. It never replaces a file."""
    installed = POCKET in {one.name for one in list_systems()}
    write_project(file, system=system or (POCKET if installed else SERVER), suite=suite, target=target)
    trusted(file)
    typer.echo(f"wrote {file}; `evenhand run{'' if file == FILE else f' {file}'}` runs it")
