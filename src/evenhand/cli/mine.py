"""evenhand mine: at-risk pairs from natural text."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.findings import print_findings
from evenhand.cli.options import chosen, verb
from evenhand.cli.output import print_json, print_places, progress_bar, result_json, write_page_inside
from evenhand.cores import cores, threads_each
from evenhand.errors import BadInput
from evenhand.languages import code
from evenhand.mining.steps import MiningSettings
from evenhand.mining.verified import export_verified
from evenhand.options import FORMS, Argument, Json, Option, Page, ResultFolder
from evenhand.pipeline.engines import Engine, Progress, open_engine
from evenhand.workflows.corpus import Audited
from evenhand.workflows.mine import Mined
from evenhand.workflows.mine import mine as run


@dataclass(frozen=True)
class Processes:
    """Who does the work: processes of this machine, or a Ray cluster."""

    engine: Annotated[str, Option("local (processes here) or ray", "NAME")] = "local"
    address: Annotated[str | None, Option("address of a Ray cluster, or auto", "ADDRESS")] = None
    workers: Annotated[int | None, Option("processes, or Ray actors", "N", least=1)] = None

    def open(self, *, memory_mb: int = 0) -> Engine:
        return open_engine(self.engine, workers=self.workers, address=self.address, memory_mb=memory_mb)


@dataclass(frozen=True)
class SubstituteSettings:
    """Which words are replaced by which: what `MiningSettings` says besides system and languages."""

    lm: Annotated[str, Option("masked language model: a name, a folder with model.onnx, hf:NAME", "NAME")] = "pocket"
    finder: Annotated[str, Option("person finder: lexicon, spacy:PIPELINE, hf:NAME", "NAME", "--person")] = "lexicon"
    perturb: Annotated[str, Option("the word that is replaced: noun, adjective or verb", "WORD")] = "noun"
    candidates: Annotated[int, Option("candidates taken from the language model", "N", least=1)] = 100
    accept: Annotated[int, Option("substitutes accepted for a sentence", "N", least=1)] = 10
    threshold: Annotated[float, Option("smallest share of person senses of a noun", "X", least=0.0, most=1.0)] = 0.5
    singular: Annotated[bool, Option("skip plural persons")] = False


@verb
def mine(
    output: ResultFolder,
    substitution: SubstituteSettings = SubstituteSettings(),
    work: partial[Mined] = chosen(run),
    processes: Processes = Processes(),
    text: Annotated[tuple[str, ...], Argument("text, JSONL, TSV, Parquet, folders, - for stdin", "TEXT")] = (),
    system: Annotated[str, Option("the system that translates (`evenhand systems`)", "SPEC", "--system -s")] = "",
    target: Annotated[tuple[str, ...], Option("target languages: fr,de (repeatable)", "LANGS", "--target -t")] = (),
    forms: Annotated[Path | None, FORMS] = None,
    report: Page = True,
    verified: Annotated[
        Path | None, Option("pairs.tsv with `verified` filled in; -o: its folder (DIR/es)", "FILE")
    ] = None,
    json: Json = False,
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
    targets = tuple(dict.fromkeys(code(one) for some in target for one in some.split(",") if one.strip()))
    own = None if forms is None else str(forms.absolute())
    settings = MiningSettings(system=system, targets=targets, forms=own, **vars(substitution))
    engine, threads = processes.open(), threads_each(processes.workers or cores())  # so that all cores are used
    with shown_progress() as progress:
        mined = work(text, settings, output=output, engine=engine, threads=threads, progress=progress)
    print_counted(mined, report=report, json=json)


def print_counted(made: Mined | Audited, *, report: bool, json: bool, more: dict[str, object] | None = None) -> None:
    """What a verb that goes through text in shards prints at its end."""
    findings = made.findings
    page = write_page_inside(findings) if report else None
    if json:
        shards = {"made": made.summary.made, "kept": made.summary.kept}
        facts = {"shards": shards, "seconds": round(made.seconds, 2), "report": str(page) if page else None}
        print_json({**result_json(findings), **facts, **(more or {})})
        return
    print_findings(findings)
    counts = f"shards: {made.summary.made:,} made, {made.summary.kept:,} kept"
    print_places(result=f"{findings.path}  ({counts})", report=page)


def _review(labels: Path, folder: Path, json: bool) -> None:
    done = export_verified(folder, labels)
    if json:
        print_json(done._asdict())
        return
    typer.echo("\n".join([f"{done.right} pairs verified, {done.wrong} rejected", *map(str, done.files)]))


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A bar on a terminal and nothing in a pipe."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn

    with progress_bar(MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()) as bar:
        yield Progress(
            stage=lambda name, total: bar.add_task(name, total=total),
            advance=lambda count: bar.advance(bar.task_ids[-1], count),
        )
