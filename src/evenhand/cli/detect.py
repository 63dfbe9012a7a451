"""evenhand detect: verdicts for pairs you already have."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, TextIO

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import write_whole
from evenhand.detect import RULE
from evenhand.detect.verdicts import Judging
from evenhand.languages import primary
from evenhand.options import DOMAIN, OWN_FORMS, Argument, JsonLines, Option, OutputFile, Workers
from evenhand.persons import Domain
from evenhand.workflows.unmarked import Persons

COLUMNS = ("id", "gender", "evidence", "how", "confidence", "reason", "adequate", "conflict", "valid")


@verb
def detect(
    pairs: Annotated[
        str,
        Argument(
            "table with id, source, rendering and focus (or focus_start, focus_end, or **nurse** in the source; "
            "without one, every person that an English source names is judged); - reads a TSV from stdin",
            "PAIRS",
        ),
    ],
    target: Annotated[str, Option("target language", "LANG", "--target -t")],
    source: Annotated[str, Option("source language", "LANG", "--source -s")] = "en",
    output: OutputFile = None,
    kind: Annotated[
        str,
        Option(
            "nouns, pronouns, speaker (I), listener (you), or auto: pronouns where the source has one word for both",
            "KIND",
        ),
    ] = "auto",
    rule: Annotated[
        str,
        Option("evenhand; published ones: cho2019 (pronouns), stanovsky2019 (nouns; needs a column alignment)", "RULE"),
    ] = RULE,
    forms: Annotated[Path | None, OWN_FORMS] = None,
    pool: Annotated[
        bool, Option("also learn word translations from the rows at hand; verdicts then depend on them")
    ] = False,
    workers: Workers = 0,
    explain: Annotated[bool, Option("for every pair the steps to its verdict, in plain words")] = False,
    domain: Annotated[Domain, DOMAIN] = "prose",
    json: JsonLines = False,
) -> None:
    """Say for every pair which gender the rendering gives the focus, and which words show it."""
    judging = Judging.of(target=target, source=source, kind=kind, rule=rule, forms=forms, explain=explain)
    persons = Persons(domain)
    focus = judging.kind == "nouns" and primary(source) == "en"
    verdicts = judging.file(pairs, pool=pool, workers=workers, mark=persons.mark if focus else None)
    columns = (*COLUMNS, *(["focus"] if focus else []))
    counts: Counter[str] = Counter()

    def write(stream: TextIO) -> None:
        if not json and not explain:
            stream.write("\t".join(columns) + "\n")
        for table in map(persons.labelled, verdicts.batches) if focus else verdicts.batches:
            counts.update(table["gender"].to_list())
            if explain and not json:
                stream.write(_chains(table))
            else:
                stream.write(_lines(table.select(*columns, *(["explanation"] if explain else [])), as_json=json))

    write_whole(output, write)
    for note in (*persons.notes("pairs"), *_doubts(counts, persons.strings)):
        typer.echo(f"note: {note}", err=True)
    if output is not None or sys.stderr.isatty():
        told = ", ".join(f"{gender} {n:,}" for gender, n in sorted(counts.items()))
        typer.echo(f"verdicts: {sum(counts.values()):,} ({told or 'none'}); detector {verdicts.fingerprint}", err=True)


def _doubts(counts: Counter[str], unmarked: int) -> tuple[str, ...]:
    """What somebody who gave the wrong file, or the right one the wrong way round, should be told."""
    if not counts:
        return () if unmarked else ("there are no pairs in it",)
    if set(counts) != {"unknown"}:
        return ()
    several = counts.total() > 1
    told = f"none of the {counts.total():,} pairs could be decided" if several else "the only pair could not be decided"
    return (f"{told}: are --source and --target right, source and rendering not swapped?",)


def _chains(table: pl.DataFrame) -> str:
    rows = table.select("id", "explanation").iter_rows()
    return "".join(f"{id_}\n" + "".join(f"    {step}\n" for step in steps) for id_, steps in rows)


def _lines(shown: pl.DataFrame, *, as_json: bool) -> str:
    if as_json:
        return shown.write_ndjson()
    # A tab or a line break inside evidence would break the table; both are blanks to a reader.
    clean = shown.with_columns(pl.col("evidence", "reason").str.replace_all(r"[\t\r\n]+", " "))
    return clean.write_csv(separator="\t", include_header=False, quote_style="never", float_precision=3)
