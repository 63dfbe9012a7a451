"""evenhand report: one HTML page (and figures, tables) for one or several results."""

from pathlib import Path
from typing import Annotated

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_places
from evenhand.options import Argument, Json, Option
from evenhand.results.findings import load_result


@verb
def report(
    runs: Annotated[tuple[Path, ...], Argument("folders of results; several make a comparison", "RUN")],
    output: Annotated[
        Path, Option("the page; .csv, .json, .tex or .md write the estimates instead", "FILE", "--output -o")
    ] = Path("report.html"),
    figures: Annotated[Path | None, Option("folder for the charts as SVG, PNG and PDF", "FOLDER")] = None,
    tables: Annotated[Path | None, Option("folder for CSV, JSON, LaTeX, Markdown and a model card", "FOLDER")] = None,
    json: Json = False,
) -> None:
    """One self-contained page that opens from disk and loads nothing from other hosts."""
    from evenhand.report import report as write

    loaded = [load_result(run) for run in runs]
    page = write(loaded, output, figures=figures, tables=tables)
    if json:
        inside = {"figures": figures, "tables": tables}
        files = {name: sorted(map(str, folder.iterdir())) if folder else [] for name, folder in inside.items()}
        print_json({"report": str(page), **files, "signatures": [run.signature for run in loaded]})
        return
    print_places(report=page, figures=figures, tables=tables)
