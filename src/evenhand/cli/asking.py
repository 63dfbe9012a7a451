"""What `audit` and `plan` share: the options that say which probes are put to which system."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import Limits, System, open_system, settings_of


@dataclass(frozen=True)
class Asking:
    """A suite, a system and a target language; how often and how fast."""

    suite: Annotated[
        str,
        typer.Argument(
            help="a suite's name (`evenhand suites`), reader:PATH, or a table of your own (.tsv, .jsonl, .parquet)",
            metavar="SUITE",
        ),
    ]
    system: Annotated[
        str,
        typer.Option("--system", "-s", metavar="SPEC", help="who translates: a spec, as `evenhand systems` lists them"),
    ]
    target: Annotated[str, typer.Option("--target", "-t", metavar="LANG", help="target language, e.g. en")]
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="COLUMN=VALUE", help="ask only probes with this value (repeatable; empty: without one)"
        ),
    ] = None
    samples: Annotated[int, typer.Option("--samples", metavar="N", min=1, help="ask a sampling system this often")] = 1
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="a setting of the system (repeatable)")
    ] = None
    memory: Annotated[
        Path | None,
        typer.Option(
            "--memory",
            metavar="FILE",
            help="translation memory (default: $EVENHAND_MEMORY, else ~/.cache/evenhand/memory.sqlite)",
        ),
    ] = None
    requests_per_minute: Annotated[
        float | None, typer.Option("--requests-per-minute", metavar="N", help="send no more calls than this")
    ] = None
    characters_per_minute: Annotated[
        float | None, typer.Option("--characters-per-minute", metavar="N", help="send no more characters than this")
    ] = None
    texts_per_call: Annotated[
        int | None, typer.Option("--texts-per-call", metavar="N", min=1, help="put fewer texts into one call")
    ] = None

    def probes(self) -> Suite:
        return load_suite(self.suite).only(self.only or [])

    def answering(self) -> System:
        return open_system(self.system, **settings_of(self.setting or []))

    def limits(self, *, concurrency: int | None = None) -> Limits:
        return Limits(
            texts=self.texts_per_call,
            concurrency=concurrency,
            requests_per_minute=self.requests_per_minute,
            characters_per_minute=self.characters_per_minute,
        )
