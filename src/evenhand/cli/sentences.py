"""evenhand sentences: the renderings of a run, chosen and written as a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import typer

from evenhand.cli.output import console, say
from evenhand.errors import Unknown
from evenhand.report.exchange.tables import ROW_WRITERS
from evenhand.storage.atomic import write_text
from evenhand.workflows.sentences import BEFORE
from evenhand.workflows.sentences import sentences as chosen

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
_FOR_PEOPLE = ("id", "source", "gold", "rendering", "gender", *BEFORE)


@app.command()
def sentences(
    run: Path = typer.Argument(help="a run folder", metavar="RUN"),
    gender: list[str] = typer.Option([], "--gender", metavar="GENDER", help="renderings of this gender (repeatable)"),
    gold: list[str] = typer.Option([], "--gold", metavar="GENDER", help="whose source states this (repeatable)"),
    wrong: bool = typer.Option(False, "--wrong", help="whose gender is not the one the source states"),
    only: list[str] = typer.Option(
        [], "--only", metavar="COLUMN=VALUE", help="of probes with this value (repeatable; empty: without one)"
    ),
    group: list[str] = typer.Option(
        [], "--group", metavar="GROUPING=LEVEL", help="of one group of the report (repeatable)"
    ),
    pair: list[str] = typer.Option([], "--pair", metavar="ID", help="of this pair (repeatable)"),
    against: Path | None = typer.Option(
        None, "--against", metavar="RUN", help="whose gender has changed since this earlier run"
    ),
    was: list[str] = typer.Option([], "--was", metavar="GENDER", help="with --against: from this gender (repeatable)"),
    alternatives: bool = typer.Option(
        False, "--alternatives", help="a system's alternatives too (candidate > 0), which no measure counts"
    ),
    form: str | None = typer.Option(
        None, "--format", metavar="FORMAT", help=f"{', '.join(ROW_WRITERS)} (default: by the file's name, else tsv)"
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write here instead of to standard output"
    ),
) -> None:
    """List the renderings of a run by gender, stated gender, group, pair, or change since another run."""
    kind = form or (output.suffix.removeprefix(".") if output else "tsv")
    if kind not in ROW_WRITERS:
        raise Unknown("format of sentences", kind, ROW_WRITERS)
    table = chosen(
        run,
        gender=gender,
        gold=gold,
        only=only,
        group=group,
        pair=pair,
        wrong=wrong,
        against=against,
        was=was,
        alternatives=alternatives,
    )
    if form is None and output is None and console().is_terminal:
        for row in table.iter_rows(named=True):
            _print_sentence(row)
        return
    if kind == "md":
        table = table.select(c for c in _FOR_PEOPLE if c in table.columns)
    text = ROW_WRITERS[kind](table)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_text(output, text)
    typer.echo(f"{table.height:,} {'sentence' if table.height == 1 else 'sentences'} in {output}", err=True)


def _print_sentence(row: Mapping[str, object]) -> None:
    """A rendering for a person at a terminal: source, what was made of it, its gender and what tells it."""
    say(f"{row['id']}  {row['source']}", hang=2)
    say(str(row["rendering"] or "(empty)"), indent=2, hang=2)
    evidence = f", by {row['evidence']}" if row.get("evidence") else ""
    stated = f"; the source states {row['gold']}" if row.get("gold") else ""
    before = "".join(f"; {name.replace('_', ' ')}: {row[name]}" for name in BEFORE if row.get(name))
    say(f"{row['gender']}{evidence}{stated}{before}", indent=2, hang=2)
