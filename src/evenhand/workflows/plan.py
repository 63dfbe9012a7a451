"""Before an audit: what it would send and cost."""

from __future__ import annotations

from pathlib import Path

from evenhand.detect.validity import is_rendering
from evenhand.languages import code
from evenhand.suites.suite import Suite
from evenhand.systems.agenda import Limits, Plan
from evenhand.systems.agenda import plan as plan_requests
from evenhand.systems.memory import Memory
from evenhand.workflows.audit import memory_path, requests_of
from evenhand.workflows.passages import Passages
from evenhand.workflows.probes import Translator, prepare
from evenhand.workflows.settings import Asking


def plan(
    suite: str | Path | Suite,
    system: Translator,
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
    asking = Asking(samples, ask, context, refresh, max_age, limits)
    return plan_audit(suite, system, target=target, asking=asking, price=price, memory=memory)


def plan_audit(
    suite: str | Path | Suite,
    system: Translator,
    *,
    target: str,
    asking: Asking,
    price: float | None = None,
    memory: Path | str | None = None,
) -> Plan:
    """The same with the settings of an audit."""
    ready = prepare(suite, system, target=target, asking=asking)
    with Memory(Path(memory) if memory else memory_path(), since=asking.since) as store:
        requests = Passages(list(requests_of(ready.suite, code(target), asking.samples)), asking.context).requests
        keeps = is_rendering(ready.suite.source_lang, code(target))
        return plan_requests(ready.system, requests, store, limits=asking.limits, keeps=keeps, price_per_million=price)
