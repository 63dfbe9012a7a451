"""evenhand pairs: a system's own renderings with either gender."""

import sys
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, write_whole
from evenhand.options import Argument, Json, MemoryFile, Only, Option, OutputFile, SettingsOf
from evenhand.storage.folders import MANIFEST
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system, settings_of
from evenhand.workflows.pairs import pairs as made_of

REASONS = 8


@verb
def pairs(
    suite: Annotated[str, Argument("a suite, or the run folder of an audit", "SUITE")],
    system: Annotated[str, Option("the system that translates (not with a run folder)", "SPEC", "--system -s")] = "",
    target: Annotated[str, Option("target language: one of those of `evenhand mend`", "LANG", "--target -t")] = "",
    only: Only = (),
    settings: SettingsOf = (),
    memory: MemoryFile = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Write pairs for `evenhand preference`: each rendering of a system, and the same with the other gender (TSV)."""
    folder = (Path(suite) / MANIFEST).is_file()
    made = made_of(
        suite if folder else load_suite(suite).only(only),
        system=open_system(system, **settings_of(settings)) if system else None,
        target=target,
        memory=memory,
        progress=sys.stderr.isatty() and not json,
    )
    counts = {"pairs": made.table.height, "renderings": made.renderings, "declined": made.declined.total()}
    if output is not None or not json:
        clean = made.table.with_columns(pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " "))
        write_whole(output, lambda stream: clean.write_csv(stream, separator="\t", quote_style="never"))
    if json:
        print_json({**counts, "reasons": dict(made.declined.most_common()), "table": made.table.to_dicts()})
        return
    end = ":" if made.declined else "."
    typer.echo(
        f"{counts['pairs']:,} pairs of {counts['renderings']:,} renderings; {counts['declined']:,} declined{end}",
        err=True,
    )
    for reason, count in made.declined.most_common(REASONS):
        typer.echo(f"  {count:,}  {reason}", err=True)
