"""evenhand score: estimate a run's measures again."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import typer

from evenhand.cli.estimates import print_estimates
from evenhand.cli.options import FORMS, LEVEL_OPTION, MEASURE
from evenhand.cli.output import (
    REPORT,
    estimates_json,
    interval,
    number,
    print_json,
    print_signature,
    print_table,
    write_page_inside,
)
from evenhand.detect.own_forms import forms_of, keep_in
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.calibration import Calibration
from evenhand.measures.decisions.hypotheses import answer, read_hypotheses
from evenhand.measures.definitions import registry
from evenhand.results.runs import Run, check_output
from evenhand.review import labels as reviews
from evenhand.storage.atomic import write_text
from evenhand.workflows.against import load_references
from evenhand.workflows.against import occupations as by_each_occupation
from evenhand.workflows.score import score as score_run

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def score(
    run: Path = typer.Argument(help="a run folder", metavar="RUN"),
    seed: int | None = typer.Option(None, "--seed", metavar="N", help="another root of the resampling's randomness"),
    resamples: int | None = typer.Option(None, "--resamples", metavar="N", min=100, help="bootstrap resamples"),
    level: float | None = LEVEL_OPTION,
    measure: list[str] = MEASURE,
    detect: bool = typer.Option(False, "--detect", help="judge the renderings again first, with today's detector"),
    forms: Path | None = FORMS,
    calibration: Path | None = typer.Option(
        None, "--calibration", metavar="FILE", help="a file of `evenhand calibrate`; adds corrected estimates"
    ),
    reference: list[str] = typer.Option(
        [], "--reference", metavar="REF", help="compare with this reference: a name or a file (repeatable)"
    ),
    occupations: Path | None = typer.Option(
        None,
        "--occupations",
        metavar="FILE",
        help="also write E_o, E_t and B of every occupation here (TSV), by the first reference",
    ),
    hypotheses: str | None = typer.Option(
        None,
        "--hypotheses",
        metavar="FILE",
        help="answer the hypotheses of a TOML file, or of a shipped one (troles2021)",
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FOLDER", help="write a new run folder instead of into the run"
    ),
    everything: bool = typer.Option(False, "--all", help="print every estimate, not the overall ones only"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Estimate every measure of a run anew and keep the result in its folder."""
    loaded = Run.load(run)
    info = loaded.manifest
    if output is not None:
        check_output(output, info.suite, info.system, info.target_lang)
    error_rates = Calibration.load(calibration) if calibration else None
    references = load_references(reference, loaded.probes)
    if info.references and not references:
        typer.echo(f"note: without --reference, the comparison with {', '.join(info.references)} is dropped", err=True)
    if info.calibration and error_rates is None:
        typer.echo("note: without --calibration, the run's corrected estimates are dropped", err=True)
    changed = score_run(
        loaded,
        seed=seed,
        resamples=resamples,
        level=level,
        measures=measure,
        detect=detect,
        forms=forms,
        calibration=error_rates,
        references=references,
    )
    kept = set(changed.estimates["measure"])
    gone = [name for name in registry.names() if name in set(loaded.estimates["measure"]) and name not in kept]
    if gone:  # runs of 0.1.0 have chrF and BLEU unasked
        asked = " ".join(f"--measure {name}" for name in gone)
        typer.echo(f"note: without {asked}, these estimates of the run are dropped", err=True)
    if occupations is not None:
        if not references:
            raise BadInput("--occupations needs a --reference to compare with")
        write_text(
            occupations, by_each_occupation(changed, references[0]).write_csv(separator="\t", quote_style="never")
        )
    saved = changed.save(output or run)
    keep_in(output or run, forms or forms_of(run))
    if detect and output is None and reviews.settled(reviews.load_labels(run)).height:
        saved = reviews.apply_labels(run, references=references)  # what people said outlives new verdicts
        typer.echo("note: people's labels stand over the new verdicts", err=True)
        if error_rates is not None:
            typer.echo("note: a calibration does not hold for labelled verdicts; it was not applied", err=True)
    if saved.path and (saved.path / REPORT).is_file():
        write_page_inside(saved)  # else the page beside the tables would show other numbers
    answers = _answers(saved, hypotheses) if hypotheses else None
    if json:
        told = (
            {}
            if answers is None
            else {"hypotheses": answers.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()}
        )
        print_json({**estimates_json(saved), "notes": saved.manifest.notes, **told})
        return
    print_estimates(saved, everything=everything)
    if answers is not None:
        _print_answers(answers, interval_words(saved.manifest.level))
    print_signature(saved)


def _answers(run: Run, source: str) -> pl.DataFrame:
    info = run.manifest
    return answer(
        read_hypotheses(source),
        run.table,
        clusters=info.suite.clusters,
        seed=info.seed,
        resamples=info.resamples,
        level=info.level,
    )


def _print_answers(answers: pl.DataFrame, interval_name: str) -> None:
    print_table(
        "\nhypotheses (by the cluster-robust test; in brackets by a chi-square over independent sentences)",
        ("id", "hypothesis", "difference", interval_name, "p adj.", "answer"),
        [
            (
                r["id"],
                r["text"],
                number(r["value"]),
                interval(r),
                number(r["p_adjusted"], 4),
                f"{r['answer']} ({r['answer_independent']})",
            )
            for r in answers.iter_rows(named=True)
        ],
    )
