"""evenhand mine: at-risk pairs from natural text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich import progress as bars

from evenhand.cli.findings import print_findings
from evenhand.cli.options import FORMS, LEVEL_OPTION
from evenhand.cli.output import console, print_json, result_json, write_page_inside
from evenhand.errors import BadInput
from evenhand.languages import code
from evenhand.level import LEVEL

if TYPE_CHECKING:
    from evenhand.pipeline.engines import Progress

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def mine(
    text: list[str] = typer.Argument(
        None, metavar="TEXT", help="text, JSONL, TSV, Parquet (.gz, .xz, .zst too), folders, - for stdin"
    ),
    output: Path = typer.Option(
        ..., "--output", "-o", metavar="FOLDER", help="folder of the result; the same command continues it"
    ),
    system: str | None = typer.Option(
        None, "--system", "-s", metavar="SPEC", help="who translates, as `evenhand systems` lists them"
    ),
    target: str | None = typer.Option(
        None, "--target", "-t", metavar="LANGS", help="target languages, e.g. fr,de,es,ru"
    ),
    lm: str = typer.Option(
        "pocket", "--lm", metavar="NAME", help="masked language model: a name, a folder with model.onnx, hf:NAME"
    ),
    person: str = typer.Option(
        "lexicon", "--person", metavar="NAME", help="who finds persons: lexicon, spacy:PIPELINE, hf:NAME"
    ),
    perturb: str = typer.Option(
        "noun", "--perturb", metavar="WORD", help="the word that is replaced: noun, adjective or verb"
    ),
    field: str | None = typer.Option(None, "--field", metavar="NAME", help="column or key that holds the text"),
    candidates: int = typer.Option(
        100, "--candidates", metavar="N", min=1, help="candidates taken from the language model"
    ),
    accept: int = typer.Option(10, "--accept", metavar="N", min=1, help="substitutes accepted for a sentence"),
    threshold: float = typer.Option(
        0.5, "--threshold", metavar="X", min=0.0, max=1.0, help="least share of a noun's person senses"
    ),
    singular: bool = typer.Option(False, "--singular", help="leave plural persons out"),
    limit: int | None = typer.Option(None, "--limit", metavar="N", min=1, help="read about so many sentences"),
    engine: str = typer.Option("local", "--engine", metavar="NAME", help="local (processes here) or ray"),
    address: str | None = typer.Option(None, "--address", metavar="ADDRESS", help="address of a Ray cluster, or auto"),
    workers: int | None = typer.Option(
        None, "--workers", metavar="N", min=1, help="processes, or actors for each step"
    ),
    shard_size: int = typer.Option(2_000, "--shard-size", metavar="N", min=10, help="sentences in a shard"),
    memory: Path | None = typer.Option(
        None, "--memory", metavar="FILE", help="translation memory (default: one a shard)"
    ),
    forms: Path | None = FORMS,
    seed: int = typer.Option(0, "--seed", metavar="N", help="draws the pairs that are not at risk"),
    level: float | None = LEVEL_OPTION,
    fresh: bool = typer.Option(False, "--fresh", help="start over instead of continuing"),
    replace: bool = typer.Option(False, "--replace", help="replace what was mined through another system"),
    report: bool = typer.Option(True, help="write report.html into the folder"),
    verified: Path | None = typer.Option(
        None,
        "--verified",
        metavar="FILE",
        help="a pairs.tsv with its column `verified` filled in; -o is its language folder (DIR/es)",
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Find pairs of natural sentences that differ in one word and are translated with different genders.

    Sentences with exactly one person noun are kept; a masked language model replaces the noun; both are translated; a
    pair is at risk when one rendering is masculine and the other feminine (Gonen & Webster 2020).
    """
    if verified is not None:
        _review(verified, output, json)
        return
    if not text or not system or not target:
        raise BadInput("give text to read, --system and --target (or --verified with a reviewed pairs.tsv)")
    from evenhand.mining.steps import MiningSettings
    from evenhand.pipeline.engines import open_engine
    from evenhand.workflows.mine import mine as run

    chosen = MiningSettings(
        system=system,
        targets=tuple(dict.fromkeys(code(t) for t in target.split(",") if t.strip())),
        lm=lm,
        finder=person,
        perturb=perturb,  # type: ignore[arg-type]  # checked where it is used, with the known ones named
        threshold=threshold,
        candidates=candidates,
        accept=accept,
        singular=singular,
        forms=None if forms is None else str(forms.absolute()),
    )
    runner = open_engine(engine, workers=workers, address=address)
    threads = max(1, (os.cpu_count() or 1) // (workers or os.cpu_count() or 1))
    with shown_progress() as progress:
        mined = run(
            text,
            chosen,
            output=output,
            engine=runner,
            memory=memory,
            field=field,
            shard_size=shard_size,
            limit=limit,
            seed=seed,
            level=LEVEL if level is None else level,
            threads=threads,
            fresh=fresh,
            replace=replace,
            progress=progress,
        )
    page = write_page_inside(mined.findings) if report else None
    shards = {"made": mined.made, "kept": mined.kept}
    if json:
        told = {**result_json(mined.findings), "shards": shards, "seconds": round(mined.seconds, 2)}
        print_json({**told, "report": str(page) if page else None})
        return
    print_findings(mined.findings)
    typer.echo(f"result     {output}  (shards: {mined.made:,} made, {mined.kept:,} kept)")
    if page:
        typer.echo(f"report     {page}")


def _review(labels: Path, folder: Path, json: bool) -> None:
    from evenhand.mining.verified import export_verified

    done = export_verified(folder, labels)
    if json:
        print_json({"language": done.language, "right": done.right, "wrong": done.wrong, "files": list(done.files)})
        return
    typer.echo(f"{done.right} pairs verified, {done.wrong} rejected")
    for path in done.files:
        typer.echo(str(path))


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A bar on a terminal and nothing in a pipe."""
    from evenhand.pipeline.engines import Progress

    if not sys.stderr.isatty():
        yield Progress()
        return
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console(stderr=True)) as bar:

        def stage(name: str, total: int | None) -> None:
            bar.add_task(name, total=total)

        def advance(count: int) -> None:
            bar.advance(bar.task_ids[-1], count)

        yield Progress(stage, advance)
