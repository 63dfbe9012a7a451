"""Systems, measures and suites of other packages that raise, lie or exit: one line, and the others stay usable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenhand.errors import BadInput, EvenhandError, SystemFailed
from evenhand.measures.definitions.registry import by_name
from evenhand.suites.registry import list_suites, load_suite
from evenhand.systems import list_systems, open_system, translate

Install = Callable[..., None]
RAISING = {
    "raises": "1 / 0",
    "exits": "import sys; sys.exit(3)",
    "recurses": "def f(): f()\nf()",
    "does_not_parse": "def (",
    "lies": "class Lies(type):\n    def __getattr__(cls, name): raise ValueError(name)\nclass It(metaclass=Lies): pass",
}
SYSTEM = """
from evenhand.systems import Answer, Batch
class It:
    takes = "[X]"
    batch = Batch()
    name = fingerprint = "it"
    def __init__(self, argument):
        if argument == "closed":
            raise KeyError("no such model")
    async def translate(self, requests):
        raise IndexError("list index out of range")
"""


@pytest.mark.parametrize("kind", RAISING)
@pytest.mark.parametrize("group", ["systems", "suites", "measures"])
def test_a_plug_in_that_raises_costs_itself_only(kind: str, group: str, install: Install) -> None:
    name = f"{kind}-{group}"
    install(f"evenhand.{group}", name, f"{kind}_{group}:It", RAISING[kind])
    opened: dict[str, Callable[[str], object]] = {"systems": open_system, "suites": load_suite, "measures": by_name}
    with pytest.raises(BadInput, match=rf"{name} of another package|{name}"):
        opened[group](name)
    assert "apertium" in {line.name for line in list_systems()}
    assert "pronouns-basque" in {entry.name for entry in list_suites()}


def test_a_plug_in_that_fails_when_it_is_opened_or_asked_is_told_in_a_line(install: Install) -> None:
    install("evenhand.systems", "failing", "failing_system:It", SYSTEM)
    with pytest.raises(EvenhandError, match="failing of another package cannot be opened: KeyError"):
        open_system("failing:closed")
    with pytest.raises(SystemFailed, match="it raised IndexError: list index out of range"):
        translate(open_system("failing"), ["x"], source="en", target="es")
