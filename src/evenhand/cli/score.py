"""evenhand score: estimate a run's measures again."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.estimates import print_run
from evenhand.cli.options import verb
from evenhand.cli.output import REPORT, Columns, interval, number, plain_rows, print_columns, write_page_inside
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.hypotheses import answer, read_hypotheses
from evenhand.options import All, Json, Option, RunFolder
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.storage.atomic import write_text
from evenhand.workflows.score import score as score_run
from evenhand.workflows.settings import RescoreSettings


@verb
def score(
    run: RunFolder,
    settings: RescoreSettings,
    occupations: Annotated[Path | None, Option("write E_o, E_t, B of occupations (TSV)", "FILE", writes=True)] = None,
    hypotheses: Annotated[str | None, Option("test the hypotheses of a TOML file, or of troles2021", "FILE")] = None,
    output: Annotated[Path | None, Option("write the scored run into this folder", "FOLDER", "--output -o")] = None,
    in_place: Annotated[bool, Option("write the scored run over the run itself")] = False,
    everything: All = False,
    json: Json = False,
) -> None:
    """Estimate every measure of a run again, with the run's settings and the given ones; `evenhand show` only prints.

    The estimates are only printed unless -o or --in-place writes them.
    """
    if output is not None and in_place:
        raise BadInput("give -o FOLDER for a new run or --in-place for this one, not both")
    place = run if in_place else output
    loaded = Run.load(run)
    compared = settings.references or (loaded.manifest.references and "references" not in settings.drop)
    if occupations and not compared:
        raise BadInput("--occupations needs a --reference to compare with")
    saved = score_run(loaded, **vars(replace(settings, output=place)))
    if occupations and (table := saved.occupations) is not None:
        first = table.filter(pl.col("reference") == table["reference"][0]).drop("reference", "kind")
        write_text(occupations, first.write_csv(separator="\t", quote_style="never"))
    if settings.detect and in_place:
        saved = _with_labels(run, saved, calibrated=settings.calibration is not None)
    if place is None:
        typer.echo("note: nothing was written; -o FOLDER or --in-place keeps these estimates", err=True)
    elif (place / REPORT).is_file():
        write_page_inside(saved)  # else the page beside the tables would show other numbers
    answers = None
    if hypotheses:
        info = saved.manifest
        answers = answer(read_hypotheses(hypotheses), saved.table, clusters=info.suite.clusters, **info.resampling)
    more = {} if answers is None else {"hypotheses": plain_rows(answers)}
    aside = partial(_print_answers, answers, interval_words(saved.manifest.level))
    print_run(saved, everything=everything, json=json, more=more, aside=aside)


def _with_labels(run: Path, saved: Run, *, calibrated: bool) -> Run:
    """People's labels outlive new verdicts."""
    if not reviews.settled(reviews.load_labels(run)).height:
        return saved
    typer.echo("note: people's labels override the new verdicts", err=True)
    if calibrated:
        typer.echo("note: a calibration does not apply to labelled verdicts; it was not used", err=True)
    return reviews.apply_labels(run)


def _print_answers(answers: pl.DataFrame | None, interval_name: str) -> None:
    if answers is None:
        return
    columns: Columns = {"id": "id", "hypothesis": "text", "difference": "value", interval_name: interval}
    columns["p adj."] = lambda row: number(row["p_adjusted"], 4)
    columns["answer"] = lambda row: f"{row['answer']} ({row['answer_independent']})"
    title = "\nhypotheses (by the cluster-robust test; in brackets by a chi-square over independent sentences)"
    print_columns(title, columns, answers.iter_rows(named=True))
    for row in answers.filter(pl.col("answer").str.ends_with("conditionally")).iter_rows(named=True):
        typer.echo(f"{row['id']}: {row['condition']}")
