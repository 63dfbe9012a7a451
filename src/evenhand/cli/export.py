"""evenhand export: a run in other people's formats."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.cli.output import print_json

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def export(
    run: Path = typer.Argument(help="a run folder", metavar="RUN"),
    to: str = typer.Option(
        ..., "--to", metavar="FORMAT", help="eee, hf, mlflow, model-card, csv, json, latex or markdown"
    ),
    output: str = typer.Option(
        "export", "--output", "-o", metavar="PLACE", help="the folder, file or (mlflow) tracking URI to write to"
    ),
    organization: str = typer.Option("unknown", "--organization", metavar="NAME", help="eee: who evaluates"),
    relationship: str = typer.Option(
        "other",
        "--relationship",
        metavar="WORD",
        help="eee: of who evaluates to the model's makers (first_party, third_party, ...)",
    ),
    model_id: str = typer.Option("", "--model-id", metavar="OWNER/NAME", help="eee: the model's id"),
    developer: str = typer.Option("", "--developer", metavar="NAME", help="eee: who makes the model"),
    dataset: str = typer.Option("", "--dataset", metavar="OWNER/NAME", help="hf: the benchmark's id on the Hub"),
    experiment: str = typer.Option("evenhand", "--experiment", metavar="NAME", help="mlflow: the experiment's name"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
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
