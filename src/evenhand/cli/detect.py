"""evenhand detect: verdicts for pairs you already have."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TextIO

import polars as pl
import typer

from evenhand.cli.held import write_whole
from evenhand.detect import RULE
from evenhand.detect.verdicts import Judging
from evenhand.languages import primary
from evenhand.workflows.unmarked import Persons

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

COLUMNS = ("id", "gender", "evidence", "how", "confidence", "reason", "adequate", "conflict", "valid")


@app.command()
def detect(
    pairs: str = typer.Argument(
        help="table with id, source, rendering and focus (or focus_start, focus_end, or **nurse** in the source; "
        "without one, every person that an English source names is judged); - reads a TSV from stdin",
        metavar="PAIRS",
    ),
    source: str = typer.Option("en", "--source", "-s", metavar="LANG", help="source language"),
    target: str = typer.Option(..., "--target", "-t", metavar="LANG", help="target language"),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write here instead of to standard output"
    ),
    kind: str = typer.Option(
        "auto",
        "--kind",
        metavar="KIND",
        help="nouns, pronouns, speaker (I), listener (you), or auto: pronouns where the source has one word for both",
    ),
    rule: str = typer.Option(
        RULE,
        "--rule",
        metavar="RULE",
        help="evenhand; published ones: cho2019 (pronouns), stanovsky2019 (nouns; needs a column alignment)",
    ),
    forms: Path | None = typer.Option(
        None, "--forms", metavar="FILE", help="your own forms file (see `evenhand review`)"
    ),
    pool: bool = typer.Option(
        False, "--pool", help="also learn word translations from the rows at hand; verdicts then depend on them"
    ),
    workers: int = typer.Option(
        0, "--workers", min=0, metavar="N", help="processes for large inputs; 0 takes one a core"
    ),
    explain: bool = typer.Option(False, "--explain", help="for every pair the steps to its verdict, in plain words"),
    json: bool = typer.Option(False, "--json", help="one JSON object a line"),
) -> None:
    """Say for every pair which gender the rendering gives the focus, and which words show it."""
    judging = Judging.of(target=target, source=source, kind=kind, rule=rule, forms=forms, explain=explain)
    persons = Persons()
    english = primary(source) == "en"
    verdicts = judging.file(pairs, pool=pool, workers=workers, mark=persons.mark if english else None)
    counts: Counter[str] = Counter()

    def write(stream: TextIO) -> None:
        if not json and not explain:
            stream.write("\t".join(COLUMNS) + "\n")
        for table in verdicts.batches:
            counts.update(table["gender"].to_list())
            if explain and not json:
                stream.write(_chains(table))
            else:
                stream.write(_lines(table.select(*COLUMNS, *(["explanation"] if explain else [])), as_json=json))

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
