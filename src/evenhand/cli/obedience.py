"""evenhand obedience: a run that asked for a gender beside one that did not."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import Columns, number, print_columns, print_json
from evenhand.options import Argument, Json
from evenhand.workflows.obedience import obedience as compared

SHOWN = ("measure", "group", "level", "value", "low", "high", "n", "n_clusters")
EXAMPLES = 10


@verb
def obedience(
    asked: Annotated[Path, Argument("run folder of `audit --ask GENDER`", "ASKED")],
    plain: Annotated[Path, Argument("run folder of the same audit without --ask", "PLAIN")],
    json: Json = False,
) -> None:
    """Report how often the system gave the requested gender, and how often other persons changed theirs."""
    estimates, others = compared(asked, plain)
    changed = others.filter(others["changed"].fill_null(value=False))
    rows = list(estimates.select(SHOWN).iter_rows(named=True))
    counted = {"others": others.height, "decided": others["changed"].count(), "changed": changed.height}
    if json:
        print_json({"estimates": rows, **counted, "changes": changed.to_dicts()})
        return
    names = ("measure", "group", "value", "low", "high", "n")
    columns: Columns = {name: name for name in names}
    columns["group"] = lambda row: f"{row['group']}={row['level']}" if row["level"] else "all"
    print_columns("asking for a gender", {**columns, "clusters": "n_clusters"}, rows)
    values = {str(row["level"]): row["value"] for row in rows if row["measure"] == "obeyed"}
    typer.echo(
        f"\nasked for, the gender was given in {number(values.get(''))} of the renderings; "
        f"without asking it was there in {number(values.get('no'))}"
    )
    typer.echo(
        f"{counted['others']:,} other persons, {counted['decided']:,} decided in both runs, "
        f"{counted['changed']:,} with another gender than without asking"
    )
    for row in changed.head(EXAMPLES).iter_rows(named=True):
        typer.echo(f"  {row['id']}: {row['person']} {row['before']} -> {row['after']}")
