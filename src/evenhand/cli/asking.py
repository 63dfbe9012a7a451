"""What `audit` and `plan` share: the options that say which probes are put to which system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from evenhand.errors import BadInput
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import Limits, System, open_system, settings_of
from evenhand.systems.protocol import without_password
from evenhand.workflows.answered import age
from evenhand.workflows.frozen import Frozen, read_plan


@dataclass(frozen=True)
class Asking:
    """A suite, a system and a target language; how often and how fast."""

    suite: Annotated[
        str,
        typer.Argument(
            help="a suite's name (`evenhand suites`), reader:PATH, or a table of your own (.tsv, .jsonl, .parquet)",
            metavar="SUITE",
            show_default=False,
        ),
    ] = ""
    system: Annotated[
        str,
        typer.Option(
            "--system",
            "-s",
            metavar="SPEC",
            help="who translates: a spec, as `evenhand systems` lists them",
            show_default=False,
        ),
    ] = ""
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="LANG", help="target language, e.g. en", show_default=False)
    ] = ""
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
    ask: Annotated[
        str,
        typer.Option(
            "--ask",
            metavar="GENDER",
            help="ask the system for this gender of the focus: female, male, neutral, or source (the gold one)",
        ),
    ] = ""
    context: Annotated[
        str,
        typer.Option(
            "--context",
            metavar="WAY",
            help="probes of several sentences: whole, sentences (one by one), before (one by one, those before as "
            "context)",
        ),
    ] = "whole"
    memory: Annotated[
        Path | None,
        typer.Option(
            "--memory",
            metavar="FILE",
            help="translation memory (default: $EVENHAND_MEMORY, else ~/.cache/evenhand/memory.sqlite)",
        ),
    ] = None
    refresh: Annotated[bool, typer.Option("--refresh", help="ask everything anew, whatever the memory knows")] = False
    max_age: Annotated[
        str | None,
        typer.Option("--max-age", metavar="AGE", help="ask anew what was answered longer ago: 12h, 30d, 2w"),
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

    def filled(self, plan: Path | None = None) -> Asking:
        """The same with what a frozen plan names, where nothing else is given; an error where something is missing."""
        frozen = read_plan(plan) if plan else None
        asking = self if frozen is None else self._with(frozen)
        for name, value in (("SUITE", asking.suite), ("--system", asking.system), ("--target", asking.target)):
            if not value:
                also = "; the plan does not say how it was named" if frozen else ""
                raise BadInput(f"{name} is missing{also}. `--help` explains.")
        return asking

    def _with(self, plan: Frozen) -> Asking:
        named = plan.asked
        suite, only = ("", None) if self.suite else (str(named.get("suite", "")), _texts(named.get("only")))
        system, setting = ("", None) if self.system else (str(named.get("system", "")), _texts(named.get("set")))
        return replace(
            self,
            suite=self.suite or suite,
            only=self.only or only,
            system=self.system or system,
            setting=self.setting or setting,
            target=self.target or plan.target,
            ask=self.ask or str(named.get("ask", "")),
            context=self.context if self.context != "whole" else str(named.get("context", "whole")),
        )

    def ways(self) -> list[str]:
        """What is asked for and how it is sent, where that is not the usual: ask=female, context=before."""
        return [f"ask={self.ask}"] * bool(self.ask) + [f"context={self.context}"] * (self.context != "whole")

    def named(self) -> dict[str, str | list[str]]:
        """Suite and system as they were given, for a plan; what is secret in an address is left out."""
        given: dict[str, str | list[str]] = {"suite": self.suite, "system": without_password(self.system)}
        given |= dict(way.split("=", 1) for way in self.ways())
        lists = {"only": self.only, "set": [without_password(one) for one in self.setting or []]}
        return given | {name: list(value) for name, value in lists.items() if value}

    def oldest(self) -> float | None:
        """`max_age` in days."""
        return None if self.max_age is None else age(self.max_age)

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


def _texts(value: str | list[str] | None) -> list[str] | None:
    return list(value) if isinstance(value, list) else None
