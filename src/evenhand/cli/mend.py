"""evenhand mend: the other form of renderings you have."""

import sys
from collections import Counter
from typing import Annotated, TextIO

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import write_whole
from evenhand.options import Argument, JsonLines, Option, OutputFile, Workers
from evenhand.workflows.mend import Mending


@verb
def mend(
    pairs: Annotated[str, Argument("table with id, source (English), rendering, focus; - is stdin", "PAIRS")],
    target: Annotated[str, Option("target language: ca, cs, de, es, fr, it, pl, pt, ru or uk", "LANG", "--target -t")],
    to: Annotated[str, Option("female, male, source (what it states), both (two rows) or neutral", "GENDER")] = "",
    style: Annotated[
        str, Option("a house style instead of --to: neutral, pair, slash, star, colon, point, brackets, x, e", "NAME")
    ] = "",
    output: OutputFile = None,
    json: JsonLines = False,
    workers: Workers = 0,
) -> None:
    """Rewrite every rendering so that the person in focus gets the wanted gender, or give the reason for declining."""
    mending = Mending(target=target, to=to, style=style)
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
