"""evenhand serve: explore results in the browser, review verdicts, try sentences."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.errors import require
from evenhand.options import Argument, Option
from evenhand.systems import systems_at_hand


@verb
def serve(
    runs: Annotated[tuple[Path, ...], Argument("run folders, other results, or folders that contain them", "FOLDER")],
    host: Annotated[str, Option("where to listen; another machine's access needs a token", "ADDRESS")] = "127.0.0.1",
    port: Annotated[int, Option("0: any free port", "N", least=0, most=65535)] = 8765,
    system: Annotated[tuple[str, ...], Option("for the try-it page (repeatable)", "SPEC", "--system -s")] = (),
) -> None:
    """Show runs at http://127.0.0.1:8765/ until interrupted. Labels given there are kept in the run folders.

    For a folder that is not a result itself, it lists every result below it, including later ones.
    """
    for module in ("starlette", "uvicorn", "jinja2"):
        require(module, purpose="the explorer", extra="serve")
    from evenhand.report.web.app import serve as start

    systems = system or systems_at_hand()
    start(runs, host=host, port=port, systems=systems, announce=lambda url: typer.echo(f"Evenhand is at {url}"))
