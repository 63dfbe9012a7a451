"""evenhand detect: verdicts for pairs you already have."""

import sys
from collections import Counter
from dataclasses import replace
from typing import Annotated, TextIO

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import write_whole
from evenhand.options import Argument, JsonLines, OutputFile, Workers
from evenhand.workflows.detect import DetectSettings, judge_pairs
from evenhand.workflows.unmarked import Persons

COLUMNS = ("id", "gender", "evidence", "how", "confidence", "reason", "adequate", "conflict", "valid")


@verb
def detect(
    pairs: Annotated[
        str, Argument("table: id, source, rendering, and focus or **nurse** in source; - is stdin", "PAIRS")
    ],
    settings: DetectSettings,
    workers: Workers = 0,
    output: OutputFile = None,
    json: JsonLines = False,
) -> None:
    """Report for every pair which gender the rendering gives the focus, and which words show it.

    The focus may also be two columns, focus_start and focus_end. In an English source without one, every person that it
    names is judged.
    """
    persons, explain = Persons(settings.domain, source=settings.source), settings.explain
    verdicts, focused = judge_pairs(pairs, replace(settings, workers=workers), persons)
    columns = (*COLUMNS, *["focus"] * focused, *["stated"] * (focused and persons.translated))
    counts: Counter[str] = Counter()

    def write(stream: TextIO) -> None:
        if not json and not explain:
            stream.write("\t".join(columns) + "\n")
        for table in verdicts.batches:
            counts.update(table["gender"].to_list())
            if explain and not json:
                rows = table.select("id", "explanation").iter_rows()
                stream.write("".join(f"{id_}\n" + "".join(f"    {step}\n" for step in steps) for id_, steps in rows))
            else:
                stream.write(_lines(table.select(*columns, *["explanation"] * explain), as_json=json))

    write_whole(output, write)
    for note in (*persons.notes("pairs"), *_doubts(counts, persons.strings)):
        typer.echo(f"note: {note}", err=True)
    if output is not None or sys.stderr.isatty():
        told = ", ".join(f"{gender} {n:,}" for gender, n in sorted(counts.items()))
        typer.echo(f"verdicts: {sum(counts.values()):,} ({told or 'none'}); detector {verdicts.fingerprint}", err=True)


def _doubts(counts: Counter[str], unmarked: int) -> tuple[str, ...]:
    """What somebody who gave the wrong file, or the right one the wrong way round, should be told."""
    if not counts:
        return () if unmarked else ("it contains no pairs",)
    if set(counts) != {"unknown"}:
        return ()
    several = counts.total() > 1
    told = f"none of the {counts.total():,} pairs could be decided" if several else "the only pair could not be decided"
    return (f"{told}: are --source and --target right, source and rendering not swapped?",)


def _lines(shown: pl.DataFrame, *, as_json: bool) -> str:
    if as_json:
        return shown.write_ndjson()
    # A tab or a line break inside evidence would break the table; both are blanks to a reader.
    clean = shown.with_columns(pl.col("evidence", "reason").str.replace_all(r"[\t\r\n]+", " "))
    return clean.write_csv(separator="\t", include_header=False, quote_style="never", float_precision=3)
