"""evenhand report: one HTML page (and figures, tables) for one or several results."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.cli.output import print_json
from evenhand.results.findings import load_result

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def report(
    runs: list[Path] = typer.Argument(
        metavar="RUN", help="folders of runs, or of embeddings or mining results; several make a comparison"
    ),
    output: Path = typer.Option(
        Path("report.html"),
        "--output",
        "-o",
        metavar="FILE",
        help="the page; .csv, .json, .tex or .md write the estimates instead",
    ),
    figures: Path | None = typer.Option(
        None, "--figures", metavar="FOLDER", help="folder for the charts as SVG, PNG and PDF"
    ),
    tables: Path | None = typer.Option(
        None, "--tables", metavar="FOLDER", help="folder for CSV, JSON, LaTeX, Markdown and a model card"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """One self-contained page that opens from disk and asks no host for anything."""
    from evenhand.report import report as write

    loaded = [load_result(run) for run in runs]
    page = write(loaded, output, figures=figures, tables=tables)
    if json:
        print_json(
            {
                "report": str(page),
                "figures": [str(f) for f in sorted(figures.iterdir())] if figures else [],
                "tables": [str(t) for t in sorted(tables.iterdir())] if tables else [],
                "signatures": [run.signature for run in loaded],
            }
        )
        return
    typer.echo(f"report     {page}")
    if figures:
        typer.echo(f"figures    {figures}")
    if tables:
        typer.echo(f"tables     {tables}")
