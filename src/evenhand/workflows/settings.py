"""How an audit is made and scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evenhand.detect import RULE
from evenhand.level import LEVEL, check_level
from evenhand.statistics.effective import RESAMPLES
from evenhand.system_names import check_name
from evenhand.systems.agenda import Limits


@dataclass(frozen=True)
class Settings:
    """How a run is made and scored. What changes its tables is in the signature; the last three only change the asking.

    `name` is what the system is called in signature, tables and pages (default: its spec, without paths).
    `measures` come to those of the suite; `forms` is a file of forms that people labelled, of which the run keeps a
    copy; `plan` is a file of `plan --freeze` that the audit is held against. `limits` keeps below a service's own
    limits (calls at once, requests and characters a minute); `max_characters` refuses to start when more would be
    sent; `replace` lets the output folder's run of something else be replaced. `refresh` asks everything anew, whatever
    the translation memory knows; `max_age` (days) asks anew what was answered longer ago. `ask` is a gender the system
    is asked to give the focus (female, male, neutral), or "source": the gold one of each probe. `context` is how a
    probe of several sentences is sent (`evenhand.workflows.passages`).
    """

    samples: int = 1
    seed: int = 0
    resamples: int = RESAMPLES
    level: float = LEVEL
    rule: str = RULE
    name: str = ""
    calibration: Path | None = None
    forms: Path | None = None
    plan: Path | None = None
    references: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    max_characters: int | None = None
    limits: Limits | None = None
    replace: bool = False
    refresh: bool = False
    max_age: float | None = None
    ask: str = ""
    context: str = "whole"

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.name:
            check_name(self.name)
