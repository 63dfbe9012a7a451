"""Before an audit: what it would send and cost."""

from __future__ import annotations

from pathlib import Path

from evenhand.detect.validity import is_rendering
from evenhand.languages import code
from evenhand.suites.suite import Suite
from evenhand.systems.agenda import Limits, Plan
from evenhand.systems.agenda import plan as plan_requests
from evenhand.systems.memory import Memory
from evenhand.systems.protocol import System
from evenhand.systems.registry import Translates
from evenhand.workflows.answered import since
from evenhand.workflows.audit import memory_path, requests_of
from evenhand.workflows.passages import Passages
from evenhand.workflows.put import put


def plan(
    suite: str | Path | Suite,
    system: str | System | Translates,
    *,
    target: str,
    samples: int = 1,
    price: float | None = None,
    memory: Path | str | None = None,
    limits: Limits | None = None,
    refresh: bool = False,
    max_age: float | None = None,
    ask: str = "",
    context: str = "whole",
) -> Plan:
    """What an audit with these settings would send, and cost at `price` per million characters; sends nothing.

    Answers in the memory that are older than `max_age` (days) count as not there, with `refresh` none does.
    """
    ready = put(suite, system, target=target, ask=ask, context=context)
    young = since(refresh=refresh, max_age=max_age)
    with Memory(Path(memory) if memory else memory_path(), since=young) as store:
        requests = Passages(list(requests_of(ready.suite, code(target), samples)), context).requests
        keeps = is_rendering(ready.suite.source_lang, code(target))
        return plan_requests(ready.system, requests, store, limits=limits, keeps=keeps, price_per_million=price)
