"""evenhand detect: verdicts for pairs you already have."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

import polars as pl
import typer

from evenhand.atomic import replacing
from evenhand.detect import open_detector
from evenhand.detect.pairs import read_pairs
from evenhand.errors import BadInput, Unknown
from evenhand.suites.suite import Kind

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

COLUMNS = ("id", "gender", "evidence", "how", "confidence", "reason", "adequate", "conflict")
KINDS = ("auto", "nouns", "pronouns")
_IN_MEMORY = 64 * 1024**2
PRONOUN_SOURCES = frozenset({"hu", "tr", "fi", "et", "eu", "fa", "ko", "ja", "id"})


@app.command()
def detect(
    pairs: str = typer.Argument(
        help="TSV with id, source, rendering and focus (or focus_start, focus_end); - reads standard input",
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
        help="nouns, pronouns, or auto: pronouns where the source has one word for both",
    ),
    rule: str = typer.Option("evenhand", "--rule", metavar="RULE", help="pronoun rule: evenhand or cho2019"),
    forms: Path | None = typer.Option(
        None, "--forms", metavar="FILE", help="your own forms file (see `evenhand review`)"
    ),
    json: bool = typer.Option(False, "--json", help="one JSON object a line"),
) -> None:
    """Say for every pair which gender the rendering gives the focus, and which words show it."""
    if kind not in KINDS:
        raise Unknown("kind", kind, KINDS)
    if forms is not None and not forms.is_file():
        raise BadInput(f"{forms}: no such file of forms")
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
        # held back until all is judged: what lies in a pipe or a file after an error would pass for the whole
        with SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="utf-8", newline="\n") as held:
            write(cast("TextIO", held))
            held.seek(0)
            shutil.copyfileobj(held, sys.stdout)
    else:
        with replacing(output) as stream:
            write(stream)
    if output is not None or sys.stderr.isatty():
        told = ", ".join(f"{gender} {n:,}" for gender, n in sorted(counts.items()))
        typer.echo(f"verdicts: {sum(counts.values()):,} ({told or 'none'}); detector {detector.fingerprint}", err=True)


def _lines(found: pl.DataFrame, *, as_json: bool) -> str:
    if as_json:
        return found.write_ndjson()
    # A tab or a line break inside evidence would break the table; both are blanks to a reader.
    clean = found.with_columns(pl.col("evidence", "reason").str.replace_all(r"[\t\r\n]+", " "))
    return clean.write_csv(separator="\t", include_header=False, quote_style="never", float_precision=3)
