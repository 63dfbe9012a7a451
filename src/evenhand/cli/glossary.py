"""evenhand glossary: what a measure, a symbol or a column means."""

from __future__ import annotations

from dataclasses import asdict

import typer

from evenhand.cli.output import print_json, print_table, say
from evenhand.errors import Unknown
from evenhand.report.words.glossary import Entry, entries, markdown

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def glossary(
    terms: list[str] = typer.Argument(None, help="measures, symbols or columns; all without one", metavar="[TERM]"),
    as_page: bool = typer.Option(False, "--markdown", help="the whole page of the docs"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Explain measures, symbols and columns: formula, range, direction, source, a worked example."""
    known = entries()
    for term in terms or ():
        if term not in known:
            raise Unknown("term", term, known)
    chosen = [known[term] for term in terms or known]
    if as_page:
        typer.echo(markdown(), nl=False)
    elif json:
        print_json([asdict(one) for one in chosen])
    elif terms:
        for one in chosen:
            _explain(one)
    else:
        print_table(None, ("term", "what it is"), [(one.term, one.formula) for one in chosen])
        say("\n`evenhand glossary TERM` tells range, direction, source and a worked example.")


def _explain(one: Entry) -> None:
    say(one.term if one.title == one.term else f"{one.term}: {one.title}")
    for name, fact in (
        ("formula", one.formula),
        ("says", one.explanation),
        ("range", one.range),
        ("direction", one.better),
        ("neutral", one.neutral),
        ("example", one.example),
        ("source", one.source),
    ):
        if fact:
            say(f"  {name:<10} {fact}", hang=13)
