"""evenhand check-file: the gender a translated file gives the persons in its strings."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import typer

from evenhand.cli.output import print_json, print_table
from evenhand.gender import GENDERS
from evenhand.languages import name_of
from evenhand.workflows.check_file import FAILURES, FileCheck, told
from evenhand.workflows.check_file import check_file as run_check

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

_SAYS = {
    "open": "leaves it open",
    "female": "states female",
    "male": "states male",
    "unclear": "may tell, unclear of whom",
    "thing?": "may name a thing (--person)",
}
_HEADS = {
    "wrong": "wrong: the source states a gender, the translation gives the other",
    "open": "open: the source leaves the gender open, the translation gives one",
}


@app.command("check-file")
def check_file(
    path: str = typer.Argument(help="XLIFF, TMX, PO, JSON, CSV, TSV, JSONL or Parquet", metavar="FILE"),
    target: str = typer.Option("", "--target", "-t", metavar="LANG", help="target language, if the file does not say"),
    source: str = typer.Option("", "--source", "-s", metavar="LANG", help="source language, if the file does not say"),
    sources: Path | None = typer.Option(
        None, "--sources", metavar="FILE", help="the source strings, by id, for a file of one language (en.json)"
    ),
    fail_on: list[str] = typer.Option(
        [], "--fail-on", metavar="WHAT", help=f"exit 1 where there is one: {', '.join(FAILURES)}; may be repeated"
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write the file with notes here (JSON: the notes alone)"
    ),
    suggest: bool = typer.Option(
        False, "--suggest", help="with -o: the notes say the string with the other gender, where mend knows it"
    ),
    show: int = typer.Option(10, "--show", min=0, metavar="N", help="examples of each finding"),
    forms: Path | None = typer.Option(
        None, "--forms", metavar="FILE", help="your own forms file (see `evenhand review`)"
    ),
    persons: list[str] = typer.Option(
        [], "--person", metavar="WORD", help="a word that names a person in these strings (driver); may be repeated"
    ),
    things: list[str] = typer.Option([], "--thing", metavar="WORD", help="a word that names a thing; may be repeated"),
    format: str = typer.Option("auto", "--format", metavar="FORMAT", help="the file's format, if its name misleads"),
    workers: int = typer.Option(0, "--workers", min=0, metavar="N", help="processes; 0 takes one a core"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Say which gender a translated file gives every person its strings name, beside what the source says.

    Exit codes: 0 done, 1 when --fail-on names something that is there, 2 when the file cannot be checked.
    """
    checked = run_check(
        path,
        target=target,
        source=source,
        sources=sources,
        forms=forms,
        persons=persons,
        things=things,
        format=format,
        workers=workers,
    )
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
    typer.echo(f"{path}: {languages}, {checked.strings:,} strings{pending}; {within}\n")
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


def _summary(checked: FileCheck, failing: pl.DataFrame, fail_on: list[str]) -> dict[str, object]:
    return {
        "file": None if checked.path is None else str(checked.path),
        "source": checked.source_lang,
        "target": checked.target_lang,
        "strings": checked.strings,
        "pending": dict(checked.pending),
        "detector": checked.detector,
        "fail_on": fail_on,
        "failing": failing["unit"].n_unique(),
        "passed": failing.is_empty(),
        "counts": checked.counts().sort("says", "gender").to_dicts(),
        "persons": checked.persons.drop("unit").to_dicts(),
    }
