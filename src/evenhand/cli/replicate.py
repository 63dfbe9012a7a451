"""evenhand replicate: a paper's tables, recomputed beside the published ones."""

import math
from dataclasses import asdict, fields
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import Columns, number, print_columns, print_json
from evenhand.errors import BadInput, Unknown
from evenhand.options import Argument, Option
from evenhand.replicate.cell import TableCell, printed_remarks, summary

PAPERS = tuple(
    "cho2019 troles2021 stanovsky2019 gonen2020 farkas2022 zhou2019 gate2023 pikuliak2024 deepspin2025".split()
)
RULES = {"stanovsky2019": ("evenhand", "stanovsky2019")}  # papers that can be judged in more than one way
MARK = {True: "equal", False: "DIFFERENT", None: ""}


@verb
def replicate(
    paper: Annotated[str, Argument(f"one of {', '.join(PAPERS)}", "PAPER")],
    data: Annotated[Path, Option("folder with the authors' published data", "FOLDER")],
    system: Annotated[str | None, Option("only this system", "NAME")] = None,
    rule: Annotated[str | None, Option("of stanovsky2019: evenhand or stanovsky2019 only", "RULE")] = None,
    json: Annotated[bool, Option("one JSON array on stdout and nothing else")] = False,
) -> None:
    """Recompute a paper's tables from its published data and show which cells agree."""
    if paper not in PAPERS:
        raise Unknown("paper", paper, PAPERS)
    if not data.is_dir():
        raise BadInput(f"{data}: no such folder; --data names the folder with the authors' files")
    if rule is not None and rule not in RULES.get(paper, ()):
        raise Unknown(f"rule for {paper}", rule, RULES.get(paper, ()), hint="Other papers have one rule only.")
    module = import_module(f"evenhand.replicate.{paper}")
    options = {"system": system} | ({"rule": rule} if rule else {})
    rows: list[TableCell] = module.replicate(data, **options)
    own: list[str] = module.remarks(data, **options) if hasattr(module, "remarks") else []
    if json:
        print_json([asdict(r) | {"computed": r.computed if math.isfinite(r.computed) else None} for r in rows])
    else:
        columns: Columns = {field.name: field.name for field in fields(TableCell)[1:]}
        columns["published"] = lambda row: number(row["published"], 4)
        columns["computed"] = lambda row: number(row["computed"], 6)
        columns["agrees"] = lambda row: MARK[row["agrees"]]
        print_columns(f"{paper}: published and recomputed", columns, map(asdict, rows))
        typer.echo("\n" + "\n".join(summary(rows)))
    for remark in (*own, *printed_remarks(paper)):
        typer.echo(f"{'warning: ' if json else '- '}{remark}", err=json)
