"""evenhand export: a run in other people's formats."""

from typing import Annotated

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import print_json
from evenhand.options import Json, Option, RunFolder


@verb
def export(
    run: RunFolder,
    to: Annotated[str, Option("eee, hf, mlflow, model-card, csv, json, latex or markdown", "FORMAT")],
    output: Annotated[str, Option("folder, file or (mlflow) tracking URI", "PLACE", "--output -o")] = "export",
    organization: Annotated[str, Option("eee: who evaluates", "NAME")] = "unknown",
    relationship: Annotated[
        str, Option("eee: evaluator and model's makers (first_party, third_party)", "WORD")
    ] = "other",
    model_id: Annotated[str, Option("eee: the model's id", "OWNER/NAME")] = "",
    developer: Annotated[str, Option("eee: who makes the model", "NAME")] = "",
    dataset: Annotated[str, Option("hf: the benchmark's id on the Hub", "OWNER/NAME")] = "",
    experiment: Annotated[str, Option("mlflow: the experiment's name", "NAME")] = "evenhand",
    json: Json = False,
) -> None:
    """Every Eval Ever 0.3.0, Hugging Face's .eval_results, MLflow, a section of a model card, CSV, JSON, LaTeX."""
    from evenhand.report.exchange.every_eval_ever import Origin
    from evenhand.report.exchange.export import export as write

    origin = Origin(organization, relationship, model_id, developer)
    written = write(run, output, to=to, origin=origin, dataset=dataset, experiment=experiment)
    if json:
        print_json({"to": to, "written": written})
        return
    for name in written:
        typer.echo(f"written    {name}")
