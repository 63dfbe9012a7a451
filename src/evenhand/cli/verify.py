"""evenhand verify: whether a run, other findings or a board are what they claim to be."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenhand._version import __version__
from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table
from evenhand.errors import BadInput
from evenhand.options import Argument, Json, Option
from evenhand.results.findings import load_result
from evenhand.workflows.verify import Compared
from evenhand.workflows.verify import verify as verify_result

_WORDS = {True: "equal", False: "NOT EQUAL", None: "not compared"}


@verb
def verify(
    folder: Annotated[Path, Argument("the folder of a run, of other findings, or of a board", "RUN|BOARD")],
    full: Annotated[bool, Option("judge and estimate again as well; of a board: build it again")] = False,
    runs: Annotated[tuple[Path, ...], Option("with --full: the run folders that a board was made of", "DIR")] = (),
    json: Json = False,
) -> None:
    """Recompute digests and signature, with --full verdicts and estimates, and say what is equal and what is not.

    Exit codes: 0 everything compared is equal, 1 something is not, 2 the folder cannot be read.
    """
    from evenhand.report.board.build import is_board, verify_board

    board = is_board(folder)
    if runs and not (board and full):
        raise BadInput("--runs is for a board, with --full")
    rows = verify_board(folder, runs=runs if full else ()) if board else verify_result(folder, full=full)
    passed = all(row.equal is not False for row in rows)
    badge = _badge(folder, rows, board=board) if passed else None
    if json:
        print_json({"passed": passed, "compared": [asdict(row) for row in rows], "badge": badge})
    else:
        print_table(None, ("what", "is", "details"), [(row.what, _WORDS[row.equal], row.told) for row in rows])
        typer.echo(f"\n{badge}" if badge else f"\nNOT EQUAL: {folder} is not what it was when it was made")
    raise typer.Exit(0 if passed else 1)


def _badge(folder: Path, rows: list[Compared], *, board: bool) -> str:
    """A line of Markdown to paste."""
    tables = sum(row.what.endswith((".parquet", ".html")) for row in rows)
    others = [row.what for row in rows if row.equal and not row.what.endswith((".parquet", ".html", ".json", ".csv"))]
    what = ", ".join([f"{tables} {'pages' if board else 'tables'}", *others])
    name = folder.name if board else load_result(folder).short_signature
    return f"**Evenhand {__version__} verified** `{name}`: {what}"
