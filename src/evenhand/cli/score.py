"""evenhand score: estimate a run's measures again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.estimates import print_estimates
from evenhand.cli.options import verb
from evenhand.cli.output import (
    REPORT,
    estimates_json,
    interval,
    number,
    plain_rows,
    print_columns,
    print_json,
    print_signature,
    write_page_inside,
)
from evenhand.detect.own_forms import forms_of, given_forms, keep_in
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.hypotheses import answer, read_hypotheses
from evenhand.measures.definitions import registry
from evenhand.options import All, Json, Option, RunFolder
from evenhand.references.reference import Reference
from evenhand.results.runs import Run, check_output
from evenhand.review import labels as reviews
from evenhand.storage.atomic import write_text
from evenhand.workflows.reference_estimates import load_references
from evenhand.workflows.reference_estimates import occupations as by_each_occupation
from evenhand.workflows.score import score as score_run
from evenhand.workflows.settings import RescoreSettings


@verb
def score(
    run: RunFolder,
    settings: RescoreSettings,
    occupations: Annotated[
        Path | None,
        Option("also write E_o, E_t and B of every occupation here (TSV), by the first reference", "FILE", writes=True),
    ] = None,
    hypotheses: Annotated[
        str | None, Option("answer the hypotheses of a TOML file, or of a shipped one (troles2021)", "FILE")
    ] = None,
    output: Annotated[
        Path | None, Option("write a new run folder instead of into the run", "FOLDER", "--output -o")
    ] = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """Estimate every measure of a run anew and keep the result in its folder."""
    loaded = Run.load(run)
    info, place = loaded.manifest, output or run
    if output is not None:
        check_output(output, info.suite, info.system, info.target_lang)
    references = load_references(settings.references, loaded.probes)
    changed = score_run(loaded, **vars(replace(settings, references=references)))
    for note in _dropped(loaded, changed, settings):
        typer.echo(f"note: {note}", err=True)
    if occupations is not None:
        _write_occupations(occupations, changed, references)
    saved = changed.save(place)
    keep_in(place, given_forms(settings.forms) or forms_of(run))
    if settings.detect and output is None and reviews.settled(reviews.load_labels(run)).height:
        saved = reviews.apply_labels(run, references=references)  # what people said outlives new verdicts
        typer.echo("note: people's labels stand over the new verdicts", err=True)
        if settings.calibration is not None:
            typer.echo("note: a calibration does not hold for labelled verdicts; it was not applied", err=True)
    if (place / REPORT).is_file():
        write_page_inside(saved)  # else the page beside the tables would show other numbers
    answers = _answers(saved, hypotheses) if hypotheses else None
    if json:
        more = {} if answers is None else {"hypotheses": plain_rows(answers)}
        print_json({**estimates_json(saved), "notes": saved.manifest.notes, **more})
        return
    print_estimates(saved, everything=everything)
    if answers is not None:
        _print_answers(answers, interval_words(saved.manifest.level))
    print_signature(saved)


def _write_occupations(path: Path, run: Run, references: Sequence[Reference]) -> None:
    if not references:
        raise BadInput("--occupations needs a --reference to compare with")
    write_text(path, by_each_occupation(run, references[0]).write_csv(separator="\t", quote_style="never"))


def _dropped(run: Run, changed: Run, settings: RescoreSettings) -> Iterator[str]:
    """What the run has and the new estimates have not, because it was not asked for again."""
    info = run.manifest
    if info.references and not settings.references:
        yield f"without --reference, the comparison with {', '.join(info.references)} is dropped"
    if info.calibration and settings.calibration is None:
        yield "without --calibration, the run's corrected estimates are dropped"
    gone = set(run.estimates["measure"]) - set(changed.estimates["measure"])
    missing = [name for name in registry.names() if name in gone]
    if missing:  # runs of 0.1.0 have chrF and BLEU unasked
        asked = " ".join(f"--measure {name}" for name in missing)
        yield f"without {asked}, these estimates of the run are dropped"


def _answers(run: Run, source: str) -> pl.DataFrame:
    info = run.manifest
    return answer(read_hypotheses(source), run.table, clusters=info.suite.clusters, **info.resampling)


def _print_answers(answers: pl.DataFrame, interval_name: str) -> None:
    print_columns(
        "\nhypotheses (by the cluster-robust test; in brackets by a chi-square over independent sentences)",
        {
            "id": "id",
            "hypothesis": "text",
            "difference": "value",
            interval_name: interval,
            "p adj.": lambda row: number(row["p_adjusted"], 4),
            "answer": lambda row: f"{row['answer']} ({row['answer_independent']})",
        },
        answers.iter_rows(named=True),
    )
    for row in answers.filter(pl.col("answer").str.ends_with("conditionally")).iter_rows(named=True):
        typer.echo(f"{row['id']}: {row['condition']}")
