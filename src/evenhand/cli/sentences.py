"""evenhand sentences: the renderings of a run, chosen and written as a table."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import chosen, verb
from evenhand.cli.output import console, say
from evenhand.errors import Unknown
from evenhand.options import Option, OutputFile, RunFolder
from evenhand.report.exchange.tables import ROW_WRITERS
from evenhand.storage.atomic import write_text
from evenhand.workflows.sentences import BEFORE
from evenhand.workflows.sentences import sentences as select_sentences

_FOR_PEOPLE = ("id", "source", "gold", "rendering", "gender", *BEFORE)


@verb
def sentences(
    run: RunFolder,
    select: partial[pl.DataFrame] = chosen(select_sentences),
    form: Annotated[str | None, Option(f"{', '.join(ROW_WRITERS)}", "FORMAT", "--format")] = None,
    output: OutputFile = None,
) -> None:
    """List the renderings of a run by gender, stated gender, group, pair, or change since another run."""
    kind = form or (output.suffix.removeprefix(".") if output else "tsv")
    if kind not in ROW_WRITERS:
        raise Unknown("format of sentences", kind, ROW_WRITERS)
    table = select(run)
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
