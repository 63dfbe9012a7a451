"""evenhand audit: translate, detect, score, report."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from evenhand.cli.estimates import print_run
from evenhand.cli.options import verb
from evenhand.cli.output import write_page_inside
from evenhand.detect import RULE
from evenhand.errors import BadInput
from evenhand.options import All, Argument, Json, MemoryFile, Only, Option, Page, SettingsOf
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import System, open_system, settings_of
from evenhand.systems.protocol import without_password
from evenhand.workflows import audit as workflow
from evenhand.workflows.frozen import read_plan
from evenhand.workflows.settings import AskSettings, Settings


@dataclass(frozen=True)
class Subject:
    """What is audited: a suite through a system into a language, as the command line names them."""

    suite: Annotated[str, Argument("a suite (`evenhand suites`), reader:PATH, or your own table", "SUITE")] = ""
    system: Annotated[str, Option("the system that translates (`evenhand systems`)", "SPEC", "--system -s")] = ""
    target: Annotated[str, Option("target language, e.g. en", "LANG", "--target -t")] = ""
    only: Only = ()
    settings: SettingsOf = ()
    memory: MemoryFile = None

    def checked(self, hint: str = "") -> Subject:
        """Itself; an error where something is missing."""
        for name, value in (("SUITE", self.suite), ("--system", self.system), ("--target", self.target)):
            if not value:
                raise BadInput(f"{name} is missing{hint}. `--help` explains.")
        return self

    def named(self, asking: AskSettings) -> dict[str, str | list[str]]:
        """Suite and system as they were given, for a plan; what is secret in an address is left out."""
        given: dict[str, str | list[str]] = {"suite": self.suite, "system": without_password(self.system)}
        given |= dict(way.split("=", 1) for way in ways(asking))
        lists = {"only": self.only, "set": [without_password(one) for one in self.settings]}
        return given | {name: list(value) for name, value in lists.items() if value}

    def probes(self) -> Suite:
        return load_suite(self.suite).only(self.only)

    def translator(self) -> System:
        return open_system(self.system, **settings_of(self.settings))


def ways(asking: AskSettings) -> list[str]:
    """What is asked for and how it is sent, where that is not the usual: ask=female, context=before."""
    return [f"ask={asking.ask}"] * bool(asking.ask) + [f"context={asking.context}"] * (asking.context != "whole")


def further(settings: Settings) -> list[str]:
    """What else names a run's folder: samples and rule, where they are not the usual ones."""
    return [f"samples={settings.samples}"] * (settings.samples > 1) + [settings.rule] * (settings.rule != RULE)


def _by_plan(subject: Subject, settings: Settings) -> tuple[Subject, Settings]:
    """Both with what a frozen plan names, where nothing else is given."""
    if settings.plan is None:
        return subject.checked(), settings
    plan = read_plan(settings.plan)
    text = {name: str(value) for name, value in plan.asked.items()}
    lists = {name: tuple(value) for name, value in plan.asked.items() if isinstance(value, list)}
    named = Subject(
        subject.suite or text.get("suite", ""),
        subject.system or text.get("system", ""),
        subject.target or plan.target,
        subject.only or (() if subject.suite else lists.get("only", ())),
        subject.settings or (() if subject.system else lists.get("set", ())),
        subject.memory,
    )
    context = settings.context if settings.context != "whole" else text.get("context", "whole")
    settings = replace(settings, ask=settings.ask or text.get("ask", ""), context=context)
    return named.checked("; the plan does not record its name"), settings


@verb
def audit(
    subject: Subject,
    settings: Settings,
    output: Annotated[Path | None, Option("default: runs/SUITE.SYSTEM.TARGET", "FOLDER", "--output -o")] = None,
    report: Page = True,
    everything: All = False,
    json: Json = False,
) -> None:
    """Translate a suite, judge every rendering, estimate every measure, write the run folder and its report."""
    subject, settings = _by_plan(subject, settings)
    system = subject.translator()
    others = [*sorted([*subject.only, *subject.settings, *ways(settings)]), *further(settings)]
    folder = workflow.default_folder(subject.suite, settings.name or system.name, subject.target, others)
    run = workflow.audit(
        subject.probes(),
        system,
        target=subject.target,
        output=output or folder,
        memory=subject.memory,
        settings=settings,
        progress=sys.stderr.isatty() and not json,
    )
    page = write_page_inside(run) if report else None
    print_run(run, everything=everything, json=json, more={"report": page and str(page)}, run=run.path, report=page)
