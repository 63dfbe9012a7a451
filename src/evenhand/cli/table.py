"""evenhand table: a paper's tables and figures, filled with your runs."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.findings import print_section
from evenhand.cli.options import verb
from evenhand.cli.output import plain_rows, print_columns, print_json, say
from evenhand.errors import Unknown
from evenhand.options import Argument, Json, Option
from evenhand.report.studies import FORMATS, STUDIES, StudyTables, elements_of
from evenhand.report.studies import table as make

NAMES = {"text": ".txt", "latex": ".tex", "csv": ".csv", "html": ".html"}


@verb
def table(
    study: Annotated[str, Argument(f"one of {', '.join(STUDIES)}", "STUDY")] = "",
    runs: Annotated[tuple[Path, ...], Argument("folders of runs, findings or the authors' data", "RUN")] = (),
    element: Annotated[tuple[str, ...], Option("only this table or figure (repeatable; --list)", "KEY")] = (),
    published: Annotated[bool, Option("add the paper's own numbers")] = False,
    intervals: Annotated[bool, Option("print intervals", flags="--intervals/--no-intervals")] = True,
    to: Annotated[str, Option(f"print as {', '.join(NAMES)}", "FORMAT")] = "",
    output: Annotated[
        Path | None, Option(".txt .tex .csv .html, a figure as .svg .pdf .png, or a folder", "PATH", "--output -o")
    ] = None,
    listed: Annotated[bool, Option("list what each study offers and needs", flags="--list")] = False,
    json: Json = False,
) -> None:
    """A paper's tables and figures in the paper's layout, any number of systems side by side."""
    if listed or not study:
        _print_list([study] if study else list(STUDIES), json=json)
        return
    if to and to not in NAMES:
        raise Unknown("table format", to, NAMES)
    made = make(study, runs, elements=element, published=published, intervals=intervals)
    written = [] if output is None else made.write(output)
    if json:
        print_json({"study": study, "cells": plain_rows(made.frame()), "written": [str(path) for path in written]})
    elif written:
        typer.echo("\n".join(f"written    {path}" for path in written))
    elif to:
        typer.echo(FORMATS[NAMES[to]](made), nl=False)
    else:
        _print_tables(made)


def _print_tables(made: StudyTables) -> None:
    for section in made.sections:
        print_section(section)
        say(f"{section.lead}\n" if section.lead else "")
    for note in (*made.notes, *made.missing):
        say(note, hang=2)


def _print_list(studies: list[str], *, json: bool) -> None:
    rows = [
        {"study": name, "key": one.key, "element": one.name, "shows": one.title, "needs": one.needs}
        for name in studies
        for one in elements_of(name)
    ]
    if json:
        print_json(rows)
        return
    print_columns(None, {name: name for name in ("study", "key", "element", "shows", "needs")}, rows)
