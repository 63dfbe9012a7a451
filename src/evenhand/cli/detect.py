"""evenhand detect: verdicts for pairs you already have."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TextIO

import polars as pl
import typer

from evenhand.atomic import replacing
from evenhand.detect import open_detector
from evenhand.detect.pairs import read_pairs
from evenhand.suites.suite import Kind

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

COLUMNS = ("id", "gender", "evidence", "how", "confidence", "reason", "adequate", "conflict")
PRONOUN_SOURCES = frozenset({"hu", "tr", "fi", "et", "eu", "fa", "ko", "ja", "id"})


@app.command()
def detect(
    pairs: str = typer.Argument(help="TSV with id, source, rendering and the focus; - reads standard input"),
    source: str = typer.Option("en", "--source", "-s", help="source language"),
    target: str = typer.Option(..., "--target", "-t", help="target language"),
    output: Path | None = typer.Option(None, "--output", "-o", help="write here instead of to standard output"),
    kind: str = typer.Option("auto", "--kind", help="auto, nouns or pronouns"),
    rule: str = typer.Option("evenhand", "--rule", help="pronoun rule: evenhand or cho2019"),
    forms: Path | None = typer.Option(None, "--forms", help="your own forms file (see `evenhand review`)"),
    json: bool = typer.Option(False, "--json", help="one JSON object a line"),
) -> None:
    """Say for every pair which gender the rendering gives the focus, and which words show it."""
    chosen: Kind = "pronouns" if kind == "pronouns" or (kind == "auto" and source in PRONOUN_SOURCES) else "nouns"
    detector = open_detector(chosen, source=source, target=target, rule=rule, user_forms=forms)
    counts: Counter[str] = Counter()

    def write(stream: TextIO) -> None:
        if not json:
            stream.write("\t".join(COLUMNS) + "\n")
        for batch in read_pairs(pairs, needs_focus=chosen == "nouns"):
            found = detector.detect(batch).select(COLUMNS)
            counts.update(found["gender"].to_list())
            stream.write(_lines(found, as_json=json))

    if output is None:
        write(sys.stdout)
    else:
        with replacing(output) as stream:
            write(stream)
    if output is not None or sys.stderr.isatty():
        told = ", ".join(f"{gender} {n:,}" for gender, n in sorted(counts.items()))
        typer.echo(f"{sum(counts.values()):,} verdicts ({told or 'none'}); detector {detector.fingerprint}", err=True)


def _lines(found: pl.DataFrame, *, as_json: bool) -> str:
    if as_json:
        return found.write_ndjson()
    # A tab or a line break inside evidence would break the table; both are blanks to a reader.
    clean = found.with_columns(pl.col("evidence", "reason").str.replace_all(r"[\t\r\n]+", " "))
    return clean.write_csv(separator="\t", include_header=False, quote_style="never", float_precision=3)
