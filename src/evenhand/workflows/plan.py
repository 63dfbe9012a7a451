"""Before an audit: what it would send and cost."""

from __future__ import annotations

from pathlib import Path

from evenhand.detect.validity import is_rendering
from evenhand.languages import code
from evenhand.options import by_keywords
from evenhand.suites.suite import Suite
from evenhand.systems.agenda import Plan
from evenhand.systems.agenda import plan as plan_requests
from evenhand.systems.memory import Memory
from evenhand.workflows.audit import memory_path, requests_of
from evenhand.workflows.probes import Passages, Translator, prepare
from evenhand.workflows.settings import SendSettings


@by_keywords(SendSettings)
def plan(suite: str | Path | Suite, system: Translator, settings: SendSettings) -> Plan:
    """What an audit with these settings would send, and cost at `price` per million characters; sends nothing.

    Answers in the memory that are older than `max_age` (days) count as not there, with `refresh` none does.
    """
    ready, target = prepare(suite, system, target=settings.target, asking=settings), code(settings.target)
    with Memory(Path(settings.memory or memory_path()), since=settings.since) as store:
        requests = list(requests_of(ready.suite, target, settings.samples))
        return plan_requests(
            ready.system,
            Passages(requests, settings.context).requests,
            store,
            limits=settings.limits,
            keeps=is_rendering(ready.suite.source_lang, target),
            price_per_million=settings.price,
        )
