"""evenhand check-file: the gender a translated file gives the persons in its strings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import chosen, verb
from evenhand.cli.output import print_json, print_table
from evenhand.gender import GENDERS
from evenhand.languages import name_of
from evenhand.options import Argument, Json, Option
from evenhand.persons import AS_IN
from evenhand.workflows.check_file import FAILURES, FileCheck, told
from evenhand.workflows.check_file import check_file as run_check

_SAYS = {
    "open": "leaves it open",
    "female": "states female",
    "male": "states male",
    "unclear": "states a gender, person unclear",
    "thing?": "may name a thing (--person)",
}
_HEADS = {
    "wrong": "wrong: the source states a gender, the translation gives the other",
    "open": "open: the source leaves the gender open, the translation gives one",
}


@verb
def check_file(
    path: Annotated[str, Argument("XLIFF, TMX, PO, JSON, CSV, TSV, JSONL or Parquet", "FILE")],
    check: partial[FileCheck] = chosen(run_check),
    fail_on: Annotated[
        tuple[str, ...], Option(f"exit 1 where there is one: {', '.join(FAILURES)}; may be repeated", "WHAT")
    ] = (),
    output: Annotated[
        Path | None,
        Option("write the file with notes here (JSON: the notes alone)", "FILE", "--output -o", in_place="path"),
    ] = None,
    suggest: Annotated[
        bool, Option("with -o: the notes say the string with the other gender, where mend knows it")
    ] = False,
    show: Annotated[int, Option("examples of each finding", "N", least=0)] = 10,
    json: Json = False,
) -> None:
    """Say which gender a translated file gives every person its strings name, beside what the source says.

    Exit codes: 0 done, 1 when --fail-on names something that is there, 2 when the file cannot be checked.
    """
    checked = check(path)
    failing = checked.failing(fail_on)
    if output is not None:
        checked.write(output, suggest=suggest)
    if json:
        print_json(_summary(checked, failing, fail_on))
    else:
        _print(path, checked, show)
        if output is not None:
            typer.echo(f"\n{'notes by key' if checked.catalogue.beside else 'with notes'}: {output}")
        if fail_on:
            strings = failing["unit"].n_unique()
            verdict = f"FAILED  {strings:,} string{'s' * (strings != 1)}" if strings else "passed: no string"
            typer.echo(f"\n{verdict} with {' or '.join(fail_on)}")
    if failing.height:
        raise typer.Exit(1)


def _print(path: str, checked: FileCheck, show: int) -> None:
    persons = checked.persons
    pending = "".join(f", {n:,} {why}" for why, n in checked.pending.items())
    languages = f"{name_of(checked.source_lang)} to {name_of(checked.target_lang)}"
    within = f"{persons.height:,} persons in {persons['unit'].n_unique():,} of them"
    typer.echo(f"{path}: {languages}, {checked.strings:,} strings{pending}; {within}, {AS_IN[checked.domain]}\n")
    if not persons.height:
        typer.echo("No string that is translated names a person.")
        return
    table = {(says, gender): n for says, gender, n in checked.counts().iter_rows()}
    rows = [
        (words, *(f"{table.get((says, gender), 0):,}" for gender in GENDERS))
        for says, words in _SAYS.items()
        if any((says, gender) in table for gender in GENDERS)
    ]
    print_table(None, ("the source", *GENDERS), rows)
    for finding, head in _HEADS.items():
        there = persons.filter(pl.col("finding") == finding)
        if there.height:
            typer.echo(f"\n{head} ({there.height:,})")
            for row in there.head(show).iter_rows(named=True):
                typer.echo(f"  line {row['line']}  {_short(row['source'])}  →  {_short(row['rendering'])}")
                typer.echo(f"      {told(row)}")
            if there.height > show:
                typer.echo(f"  and {there.height - show:,} more (--show {there.height}, --json, or -o)")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:69] + "…"


def _summary(checked: FileCheck, failing: pl.DataFrame, fail_on: Sequence[str]) -> dict[str, object]:
    return {
        "file": None if checked.path is None else str(checked.path),
        "source": checked.source_lang,
        "target": checked.target_lang,
        "strings": checked.strings,
        "pending": dict(checked.pending),
        "domain": checked.domain,
        "detector": checked.detector,
        "fail_on": fail_on,
        "failing": failing["unit"].n_unique(),
        "passed": failing.is_empty(),
        "counts": checked.counts().sort("says", "gender").to_dicts(),
        "persons": checked.persons.drop("unit").to_dicts(),
    }
