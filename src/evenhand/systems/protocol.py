"""What a translation system is: a function with a name."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Request:
    """One text to translate. `sample` numbers repeated questions to a sampling system."""

    text: str
    source: str
    target: str
    context: str | None = None
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a text, further candidates, or the system's own words of refusal (then `text` is empty)."""

    text: str
    alternatives: tuple[str, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """How much a system takes at once, and how often it may be asked."""

    texts: int = 50
    characters: int = 5_000
    concurrency: int = 4
    requests_per_minute: float | None = None
    characters_per_minute: float | None = None


@runtime_checkable
class System(Protocol):
    """Knows its wire format and nothing else; batching, retries, memory and progress belong to the dispatcher.

    All requests of one `translate` call share source, target and context. A system may also have
    `def pairs(self) -> set[tuple[str, str]] | None` (language pairs it can do; None when it cannot say).
    """

    name: str
    fingerprint: str
    batch: Batch

    async def translate(self, requests: list[Request]) -> list[Answer]: ...


@dataclass(frozen=True, slots=True)
class Described:
    """A line of `evenhand systems`."""

    name: str
    takes: str
    summary: str
    needs: tuple[str, ...] = field(default=())


def fingerprint(name: str, **settings: str | int | float | bool | None) -> str:
    """A short stable hash of everything that changes a system's output."""
    text = json.dumps({"name": name, **settings}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
