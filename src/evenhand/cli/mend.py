"""evenhand mend: the other form of renderings you have."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TextIO

import polars as pl
import typer

from evenhand.cli.held import write_whole
from evenhand.workflows.mend import Mending

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def mend(
    pairs: str = typer.Argument(
        help="table with id, source (English), rendering, focus (or focus_start, focus_end); - reads a TSV from stdin",
        metavar="PAIRS",
    ),
    target: str = typer.Option(
        ..., "--target", "-t", metavar="LANG", help="target language: de, es, fr, it, pt, ru or uk"
    ),
    to: str = typer.Option(
        ...,
        "--to",
        metavar="GENDER",
        help="female, male, source (what the English states: a column gold, or its words), both (two rows a pair), "
        "or neutral (German: die Lehrkraft, where the table has a word)",
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write here instead of to standard output"
    ),
    json: bool = typer.Option(False, "--json", help="one JSON object a line"),
    workers: int = typer.Option(
        0, "--workers", min=0, metavar="N", help="processes for large inputs; 0 takes one a core"
    ),
) -> None:
    """Rewrite every rendering so that the person of the focus has the wanted gender, or say why not."""
    mending = Mending(target=target, to=to)
    tables = mending.file(pairs, workers=workers)
    counts: Counter[str] = Counter()

    def write(stream: TextIO) -> None:
        for number, table in enumerate(tables):
            counts["declined"] += table.filter(mended="").height
            counts["changed"] += table.filter(pl.col("changed") != "").height
            counts["rows"] += table.height
            stream.write(table.write_ndjson() if json else _lines(table, header=number == 0))

    write_whole(output, write)
    if output is not None or sys.stderr.isatty():
        kept = counts["rows"] - counts["changed"] - counts["declined"]
        told = f"{counts['changed']:,} of {counts['rows']:,}; {kept:,} as they were, {counts['declined']:,} declined"
        typer.echo(f"mended: {told}", err=True)


def _lines(table: pl.DataFrame, *, header: bool) -> str:
    # A tab or a line break inside a sentence would break the table; both are blanks to a reader.
    clean = table.with_columns(pl.col("mended", "changed", "reason").str.replace_all(r"[\t\r\n]+", " "))
    return clean.write_csv(separator="\t", include_header=header, quote_style="never", float_precision=3)
