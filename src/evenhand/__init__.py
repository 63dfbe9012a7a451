"""Evenhand measures gender bias in machine translation and word vectors, and shows the sentences that prove it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from evenhand._version import __version__

if TYPE_CHECKING:
    from evenhand.errors import BadInput, EvenhandError, MissingExtra, SystemFailed
    from evenhand.gender import Gender
    from evenhand.runs import Run
    from evenhand.suites.registry import list_suites, load_suite
    from evenhand.suites.suite import Suite
    from evenhand.systems import list_systems, open_system, translate
    from evenhand.workflows.audit import Settings, audit

_HOME = {
    "Settings": "workflows.audit",
    "audit": "workflows.audit",
    "BadInput": "errors",
    "EvenhandError": "errors",
    "MissingExtra": "errors",
    "SystemFailed": "errors",
    "Gender": "gender",
    "Run": "runs",
    "list_suites": "suites.registry",
    "load_suite": "suites.registry",
    "Suite": "suites.suite",
    "list_systems": "systems",
    "open_system": "systems",
    "translate": "systems",
}

__all__ = [
    "BadInput",
    "EvenhandError",
    "Gender",
    "MissingExtra",
    "Run",
    "Settings",
    "Suite",
    "SystemFailed",
    "__version__",
    "audit",
    "list_suites",
    "list_systems",
    "load_suite",
    "open_system",
    "translate",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `import evenhand` and `evenhand --help` stay quick."""
    if name not in _HOME:
        raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
    return getattr(import_module(f"evenhand.{_HOME[name]}"), name)
