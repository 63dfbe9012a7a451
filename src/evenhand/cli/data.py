"""evenhand data: published sets that lie elsewhere."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import inside, verbs
from evenhand.cli.output import print_json, print_table, say
from evenhand.options import Argument, Json, Option
from evenhand.workflows.outside import CheckedFile, check_data, get_data, outside_set, outside_sets


@verbs
def data() -> None:
    """List, check and download published data sets. Nothing is downloaded unless you ask."""


@inside(data, "list")
def list_sets(json: Json = False) -> None:
    """Citation, licence, repository and commit of every set, and the command that reads it."""
    sets = outside_sets().values()
    if json:
        print_json([asdict(one) for one in sets])
        return
    for one in sets:
        at = f" at {one.commit}" if one.commit else ", commit not known"
        say(f"{one.name}: {one.title}")
        say(f"{one.citation}; licence: {one.licence}", indent=2)
        say(f"{one.repository}{at}" if one.repository else "no repository known", indent=2)
        say(f"{len(one.files):,} files with SHA-256; read by: {one.read_by}", indent=2)
        if one.note:
            say(one.note, indent=2)


@inside(data)
def check(
    folder: Annotated[Path, Argument("a folder with one set or several", "DIR")],
    name: Annotated[str | None, Option("the expected set", "NAME")] = None,
    json: Json = False,
) -> None:
    """Compare the files of a folder with the SHA-256 of a set. Exit code 1 if one differs or is missing."""
    _print(check_data(folder, name), json)


@inside(data)
def get(
    name: Annotated[str, Argument("a set of `evenhand data list`", "NAME")],
    output: Annotated[Path | None, Option("default: a folder of its name", "FOLDER", "--output -o")] = None,
    repository: Annotated[str | None, Option("another address of its repository, or a folder", "ADDRESS")] = None,
    json: Json = False,
) -> None:
    """Clone a set's repository at its commit with git and unpack the set's files."""
    place, known = output or Path(name), outside_set(name)
    checked = get_data(name, place, repository=repository)
    if not json:
        say(f"{place}: {known.title}; licence: {known.licence}")
        say(f"read by: {known.read_by.replace('DIR', str(place))}")
    _print(checked, json)


def _print(checked: list[CheckedFile], json: bool) -> None:
    passed = all(one.passed for one in checked)
    if json:
        print_json({"passed": passed, "files": [asdict(one) for one in checked]})
    else:
        odd = [(one.set, one.path, one.state) for one in checked if one.state != "equal"]
        if odd:
            print_table(None, ("set", "file", "is"), odd)
        for name in dict.fromkeys(one.set for one in checked):
            states = [one.state for one in checked if one.set == name]
            typer.echo(f"{name}: {states.count('equal'):,} of {len(states):,} files equal")
    raise typer.Exit(0 if passed else 1)
