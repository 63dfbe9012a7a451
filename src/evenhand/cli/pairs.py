"""evenhand pairs: a system's own renderings with either gender."""

import sys
from pathlib import Path

import polars as pl
import typer

from evenhand.cli.audit import Subject
from evenhand.cli.options import verb
from evenhand.cli.output import print_json, write_whole
from evenhand.options import Json, OutputFile
from evenhand.storage.folders import MANIFEST
from evenhand.workflows.pairs import pairs as made_of

REASONS = 8


@verb
def pairs(
    subject: Subject,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Write pairs for `evenhand preference`: each rendering of a system, and the same with the other gender (TSV).

    SUITE may be the run folder of an audit; then no system is asked.
    """
    folder = (Path(subject.suite) / MANIFEST).is_file()
    made = made_of(
        subject.suite if folder else subject.probes(),
        system=subject.translator() if subject.system else None,
        target=subject.target,
        memory=subject.memory,
        progress=sys.stderr.isatty() and not json,
    )
    counts = {"pairs": made.table.height, "renderings": made.renderings, "declined": made.declined.total()}
    if output is not None or not json:
        clean = made.table.with_columns(pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " "))
        text = clean.write_csv(separator="\t", quote_style="never")
        write_whole(output, lambda stream: stream.write(text))
    if json:
        print_json({**counts, "reasons": dict(made.declined.most_common()), "table": made.table.to_dicts()})
        return
    end = ":" if made.declined else "."
    lines = ["{pairs:,} pairs of {renderings:,} renderings; {declined:,} declined".format_map(counts) + end]
    lines += [f"  {count:,}  {reason}" for reason, count in made.declined.most_common(REASONS)]
    typer.echo("\n".join(lines), err=True)
