"""evenhand show: print a run, findings, or a comparison of several again."""

from pathlib import Path
from typing import Annotated

from evenhand.cli.compare import Shown, print_comparison
from evenhand.cli.estimates import print_run
from evenhand.cli.findings import print_findings
from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_places, result_json
from evenhand.options import All, Argument, Json
from evenhand.results.findings import Findings, load_result
from evenhand.workflows.settings import CompareSettings


@verb
def show(
    folders: Annotated[tuple[Path, ...], Argument("a folder of a run or findings; several are compared", "RUN")],
    everything: All = False,
    json: Json = False,
) -> None:
    """Print a result as the command that made it did. Nothing is written."""
    results = [load_result(folder) for folder in folders]
    if len(results) > 1:
        print_comparison(results, CompareSettings(), Shown(everything=everything, json=json))
        return
    result = results[0]
    if not isinstance(result, Findings):
        print_run(result, everything=everything, json=json, run=result.path)
    elif json:
        print_json(result_json(result))
    else:
        print_findings(result)
        print_places(result=result.path)
