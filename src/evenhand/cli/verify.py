"""evenhand verify: whether a run or other findings are what they claim to be."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenhand._version import __version__
from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table
from evenhand.options import Argument, Json, Option
from evenhand.results.findings import load_result
from evenhand.workflows.verify import Compared
from evenhand.workflows.verify import verify as verify_result

_WORDS = {True: "equal", False: "NOT EQUAL", None: "not compared"}


@verb
def verify(
    folder: Annotated[Path, Argument("the folder of a run or of other findings", "RUN")],
    full: Annotated[bool, Option("judge and estimate again as well")] = False,
    json: Json = False,
) -> None:
    """Recompute digests and signature, with --full verdicts and estimates, and list what is equal and what differs.

    Exit codes: 0 everything compared is equal, 1 something differs, 2 the folder cannot be read.
    """
    rows = verify_result(folder, full=full)
    passed = all(row.equal is not False for row in rows)
    badge = _badge(folder, rows) if passed else None
    if json:
        print_json({"passed": passed, "compared": [asdict(row) for row in rows], "badge": badge})
    else:
        print_table(None, ("what", "is", "details"), [(row.what, _WORDS[row.equal], row.told) for row in rows])
        typer.echo(f"\n{badge}" if badge else f"\nNOT EQUAL: {folder} is not what it was when it was made")
    raise typer.Exit(0 if passed else 1)


def _badge(folder: Path, rows: list[Compared]) -> str:
    """A line of Markdown to paste."""
    tables = sum(row.what.endswith(".parquet") for row in rows)
    others = [row.what for row in rows if row.equal and not row.what.endswith((".parquet", ".json", ".csv"))]
    what = ", ".join([f"{tables} tables", *others])
    return f"**Evenhand {__version__} verified** `{load_result(folder).short_signature}`: {what}"
