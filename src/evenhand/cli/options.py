"""Options that mean the same thing for every verb that asks a system."""

from __future__ import annotations

import typer

from evenhand.level import LEVEL

SUITE = typer.Argument(
    help="a suite's name (`evenhand suites`), reader:PATH, or a table of your own (.tsv, .jsonl, .parquet)",
    metavar="SUITE",
)
ONLY = typer.Option(
    [], "--only", metavar="COLUMN=VALUE", help="ask only probes with this value (repeatable; empty: without one)"
)
SYSTEM = typer.Option(
    ..., "--system", "-s", metavar="SPEC", help="who translates: a spec, as `evenhand systems` lists them"
)
TARGET = typer.Option(..., "--target", "-t", metavar="LANG", help="target language, e.g. en")
SAMPLES = typer.Option(1, "--samples", metavar="N", min=1, help="ask a sampling system this often")
LEVEL_OPTION = typer.Option(
    None, "--level", metavar="X", help=f"confidence level of every interval (default: the run's own, else {LEVEL:g})"
)
MEASURE = typer.Option(
    [], "--measure", metavar="NAME", help="measure this too, besides what the suite asks for (repeatable)"
)
FORMS = typer.Option(
    None, "--forms", metavar="FILE", help="forms that people labelled (`evenhand review`); the run keeps a copy"
)
SETTING = typer.Option([], "--set", metavar="NAME=VALUE", help="a setting of the system (repeatable)")
MEMORY = typer.Option(
    None,
    "--memory",
    metavar="FILE",
    help="translation memory (default: $EVENHAND_MEMORY, else ~/.cache/evenhand/memory.sqlite)",
)
CONCURRENCY = typer.Option(None, "--concurrency", metavar="N", min=1, help="calls in flight at once")
REQUESTS_PER_MINUTE = typer.Option(None, "--requests-per-minute", metavar="N", help="send no more calls than this")
CHARACTERS_PER_MINUTE = typer.Option(
    None, "--characters-per-minute", metavar="N", help="send no more characters than this"
)
TEXTS_PER_CALL = typer.Option(None, "--texts-per-call", metavar="N", min=1, help="put fewer texts into one call")
