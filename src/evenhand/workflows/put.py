"""What an audit puts to a system: the probes as they are sent. The same for an audit, its plan and a frozen plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import Unknown
from evenhand.languages import code, primary
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import System
from evenhand.systems.registry import open_system
from evenhand.workflows.passages import sent
from evenhand.workflows.unmarked import with_persons
from evenhand.workflows.wishes import asking, check_asked


@dataclass(frozen=True)
class Put:
    """The suite with its wishes, its way of sending and its persons, the opened system, and what to tell of it."""

    suite: Suite
    system: System
    notes: tuple[str, ...]


def put(
    suite: str | Path | Suite,
    system: str | System | Callable[[list[str]], list[str]],
    *,
    target: str,
    ask: str = "",
    context: str = "whole",
) -> Put:
    """An error, before anything is sent, where the suite, the system, the language and the settings do not fit."""
    asked = (suite if isinstance(suite, Suite) else load_suite(suite)).into(code(target))
    if ask:
        asked = asking(asked, ask)
    answering = open_for(system, asked)  # a file of translations has the ids of the probes as they were given
    if ask:
        check_asked(answering, asked)
    asked, notes = with_persons(sent(asked, answering, context))
    if asked.targets and primary(code(target)) not in asked.targets:
        raise Unknown(f"target language of suite {asked.name}", code(target), asked.targets)
    return Put(asked, answering, notes)


def open_for(system: str | System | Callable[[list[str]], list[str]], suite: Suite) -> System:
    """The system of a spec, shown the suite's probes where it wants to see them first."""
    opened = open_system(system)
    bind = getattr(opened, "bind", None)
    if bind is not None:
        bind(suite.probes)
    return opened
