"""evenhand serve: explore results in the browser, review verdicts, try sentences."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.systems import systems_at_hand

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def serve(
    runs: list[Path] = typer.Argument(
        metavar="FOLDER", help="folders of runs, of other results, or folders that hold some"
    ),
    host: str = typer.Option(
        "127.0.0.1", "--host", metavar="ADDRESS", help="where to listen; another machine's access needs a token"
    ),
    port: int = typer.Option(8765, "--port", metavar="N", min=0, max=65535, help="0 takes a free one"),
    system: list[str] = typer.Option(
        [],
        "--system",
        "-s",
        metavar="SPEC",
        help="a system for the try-it page (repeatable; default: those installed here)",
    ),
) -> None:
    """Show runs at http://127.0.0.1:8765/ until interrupted. Labels given there are kept in the run folders.

    Of a folder that is no result itself every result below it is listed, also those that come later.
    """
    from evenhand.report.web.serving import serve as start

    start(
        runs,
        host=host,
        port=port,
        systems=system or systems_at_hand(),
        announce=lambda url: typer.echo(f"Evenhand is at {url}"),
    )
