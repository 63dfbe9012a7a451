"""evenhand preference: what a model or a metric would rather say."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.estimates import print_run
from evenhand.cli.options import verb
from evenhand.cli.output import print_columns, write_page_inside
from evenhand.detect.preference import LENGTHS
from evenhand.options import All, Argument, Json, MemoryFile, Only, Option, Page, Target
from evenhand.results.runs import Run, load_run
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import MANIFEST
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import settings_of
from evenhand.systems.own_scorers import ScoreFile
from evenhand.systems.scoring import Scorer, open_scorer
from evenhand.workflows import preference as workflow
from evenhand.workflows.audit import default_folder
from evenhand.workflows.halves import CONTRASTIVE
from evenhand.workflows.pairs import metric_pairs
from evenhand.workflows.settings import Settings

REVIEW = "disagreements.tsv"


def _asked(suite: str, scorer: Scorer, only: tuple[str, ...], target: str) -> tuple[Suite | Run, Scorer]:
    """What is scored, and by whom: a suite's pairs, a run's renderings, or many systems' scores in one file."""
    if (Path(suite) / MANIFEST).is_file():
        return load_run(suite), scorer
    loaded = load_suite(suite).only(only)
    if loaded.kind != CONTRASTIVE and isinstance(scorer, ScoreFile) and scorer.of_systems:
        return metric_pairs(loaded, scorer.path, scorer.column, target=target, scale=scorer.scale)
    return loaded, scorer


@verb
def preference(
    suite: Annotated[str, Argument("a contrastive suite, a table of pairs, or (--rule) a run folder", "SUITE")],
    scorer: Annotated[str, Option("the scorer: pocket, ctranslate2:DIR, openai:MODEL, chrF, file:PATH, ...", "SCORER")],
    target: Target,
    settings: Annotated[Settings, (*workflow.OF_TRANSLATIONS, "rule")],
    rule: Annotated[str, Option("contrastive: a second opinion on the verdicts of a run", "RULE")] = "",
    length: Annotated[str, Option(f"unit of probabilities: {', '.join(LENGTHS)}", "WAY")] = LENGTHS[0],
    beside: Annotated[str, Option("compare with a run's or a system's outputs", "RUN_OR_SPEC")] = "",
    only: Only = (),
    set_: Annotated[tuple[str, ...], Option("a setting of the scorer (repeatable)", "NAME=VALUE", "--set")] = (),
    memory: MemoryFile = None,
    output: Annotated[Path | None, Option("default: runs/SUITE.SCORER.TARGET", "FOLDER", "--output -o")] = None,
    report: Page = True,
    everything: All = False,
    json: Json = False,
) -> None:
    """Score the feminine and the masculine half of every pair and estimate which one the scorer prefers.

    --rule contrastive scores the renderings of a run under "the female ..." and "the male ..." instead: a second
    opinion on its verdicts, with a list of disagreements.
    """
    asked, by = _asked(suite, open_scorer(scorer, **settings_of(set_)), only, target)
    others = sorted([*only, *set_, *filter(None, [rule]), *([length] if length != LENGTHS[0] else [])])
    folder = output or default_folder(f"preference.{Path(suite).name}", by.name, target, others)
    run = workflow.preference(
        asked,
        by,
        target=target,
        length=length,
        beside=beside or None,
        rule=rule,
        output=folder,
        memory=memory,
        settings=settings,
        progress=sys.stderr.isatty() and not json,
    )
    page = write_page_inside(run) if report else None
    sheet = folder / REVIEW if rule else None
    if sheet:
        write_text(sheet, workflow.review_list(run).write_csv(separator="\t", quote_style="never"))
    more, places = {"report": page and str(page)}, {"run": run.path, "report": page, "disagreements": sheet}
    print_run(run, everything=everything, json=json, more=more, aside=partial(_print_outputs, run), **places)


def _print_outputs(run: Run) -> None:
    """How the preference divides the outputs of a system, where there are some beside."""
    if workflow.OUTPUT in run.probes.columns:
        columns = {name: name for name in ("output", "pairs", "prefers_feminine", "P_feminine")}
        rows = workflow.explained(run).iter_rows(named=True)
        print_columns("outputs, and the half that is preferred for them", columns, rows)
        typer.echo("")
