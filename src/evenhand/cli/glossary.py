"""evenhand glossary: what a measure, a symbol or a column means."""

from dataclasses import asdict
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table, say
from evenhand.errors import Unknown
from evenhand.options import Argument, Json, Option
from evenhand.report.words.glossary import entries, markdown


@verb
def glossary(
    terms: Annotated[tuple[str, ...], Argument("measures, symbols or columns (default: all)", "TERM")] = (),
    as_page: Annotated[bool, Option("the whole page of the docs", flags="--markdown")] = False,
    json: Json = False,
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
            say(one.term if one.title == one.term else f"{one.term}: {one.title}")
            for name, fact in one.facts:
                say(f"  {name.removesuffix(' point'):<10} {fact}", hang=13)
    else:
        print_table(None, ("term", "what it is"), [(one.term, one.formula) for one in chosen])
        say("\n`evenhand glossary TERM` prints range, direction, source and a worked example.")
