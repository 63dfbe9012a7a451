"""evenhand systems: who can be asked."""

from __future__ import annotations

import typer

from evenhand.cli.output import print_json, print_table
from evenhand.systems import list_systems

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def systems(json: bool = typer.Option(False, "--json", help="machine-readable")) -> None:
    """List the translation systems and what each needs."""
    known = list_systems()
    if json:
        print_json([{"name": s.name, "takes": s.takes, "summary": s.summary, "needs": list(s.needs)} for s in known])
        return
    rows = [(f"{s.name}:{s.takes}" if s.takes else s.name, s.summary, ", ".join(s.needs)) for s in known]
    print_table(None, ("system", "what it is", "needs"), rows)
