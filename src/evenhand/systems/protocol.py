"""What a translation system is: a function with a name."""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

import polars as pl

from evenhand.errors import BadInput, SystemFailed, Unknown, Unreachable, listed
from evenhand.languages import check_code, name_of
from evenhand.languages import code as usual_code
from evenhand.tsv import rows

TABLE = Path(__file__).with_name("systems.tsv")

_PASSWORD = re.compile(r"(?<=://)[^\s]*@|[^\s/:=@]+:[^\s/@]+@")
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Request:
    """One text to translate. `sample` numbers repeated questions to a sampling system.

    `probe` is the id of the probe the text belongs to; only systems that answer by id look at it (`Batch.by_probe`).
    `ask` is a gender the system is asked to give (female, male, neutral), `wish` the same as an English sentence that
    says whom; only systems that are `Steerable` get them. Where `rendering` is given, the request asks for its
    score (with `reference`, where the suite has one) instead of a translation.
    """

    text: str
    source: str
    target: str
    context: str | None = None
    sample: int = 0
    probe: str | None = None
    ask: str | None = None
    wish: str | None = None
    rendering: str | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a text, further candidates, or the system's own words of refusal (then `text` is empty).

    `version` is what the system called itself when it answered, if it reports one; `asked_at` (UTC) is filled in by the
    memory. Two answers are equal whatever their date and version.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    refusal: str | None = None
    version: str | None = field(default=None, compare=False)
    asked_at: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Batch:
    """How much a system takes at once, how often it may be asked, and what its answers depend on.

    `context`: the system reads the context, so that texts with different contexts may not share a call.
    `by_probe`: the answer depends on the probe's id, so that equal texts of two probes are two questions.
    `remembered`: answers are worth keeping in the translation memory (false where they already lie in a file).
    `seconds`: how long a call should take, for systems on this machine: calls are cut by the time the last ones took,
    so that progress is seen and an interrupt loses little. None: calls go out whole.
    """

    texts: int = 50
    characters: int = 5_000
    concurrency: int = 4
    requests_per_minute: float | None = None
    characters_per_minute: float | None = None
    context: bool = True
    by_probe: bool = False
    remembered: bool = True
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("texts", "characters", "concurrency"):
            if getattr(self, name) < 1:
                raise BadInput(f"a system's {name} must be at least 1, not {getattr(self, name)}")


class Asked(Protocol):
    """What the dispatcher asks: a translation system or a scorer."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def batch(self) -> Batch: ...


@runtime_checkable
class System(Asked, Protocol):
    """Knows its wire format and nothing else; batching, retries, memory and progress belong to the dispatcher.

    All requests of one `translate` call share source, target and sample, and the context where `batch.context` is set.
    A system may also be any of the four small protocols below.
    """

    async def translate(self, requests: list[Request]) -> list[Answer]: ...


@runtime_checkable
class Bindable(Protocol):
    """A system that must see the whole probes table before it is asked (`file:`, `simulated:`)."""

    def bind(self, probes: pl.DataFrame) -> None: ...


@runtime_checkable
class Paired(Protocol):
    """A system that knows its language pairs; None when it cannot say."""

    def pairs(self) -> set[tuple[str, str]] | None: ...


@runtime_checkable
class Versioned(Protocol):
    """A system whose fingerprint depends on the language pair (one model or data package per pair)."""

    def fingerprint_for(self, source: str, target: str) -> str: ...


@runtime_checkable
class Steerable(Protocol):
    """A system that can be asked for a gender: which of female, male and neutral it takes."""

    @property
    def asks(self) -> frozenset[str]: ...


@runtime_checkable
class Closing(Protocol):
    """A system that holds connections; the dispatcher closes them when a run ends."""

    async def aclose(self) -> None: ...


class TryAgain(SystemFailed):
    """A failure that may pass: too many requests, a server error, a time-out. The dispatcher waits and asks again.

    `after`: seconds the server asked us to wait (Retry-After). `otherwise`: what to raise when every try has failed.
    """

    def __init__(
        self, message: str, *, after: float | None = None, otherwise: type[SystemFailed] = Unreachable
    ) -> None:
        super().__init__(message)
        self.after = after
        self.otherwise = otherwise


def fingerprint_of(system: Asked, source: str, target: str) -> str:
    """The system's fingerprint for one language pair: what the memory's key and a run's signature hold."""
    return system.fingerprint_for(source, target) if isinstance(system, Versioned) else system.fingerprint


def check_pair(system: System, source: str, target: str) -> None:
    """An error for what is no language, or a pair that the system says it cannot do, with the list of what it can."""
    for language in (source, target):
        check_code(language)
    pairs = system.pairs() if isinstance(system, Paired) else None
    if pairs is not None and (source, target) not in pairs:
        known = {f"{usual_code(s)}-{usual_code(t)}" for s, t in pairs}
        if source not in {usual_code(s) for s, _ in pairs}:
            many = ", ".join(row["name"] for row in rows(TABLE) if row["languages"])
            unread = f"{system.name} does not read {name_of(source)}; it translates {listed(sorted(known))}"
            raise BadInput(f"{unread}. Systems for many languages: {many}; file:PATH takes translations you have.")
        raise Unknown(f"language pair of {system.name}", f"{source}-{target}", known)


@dataclass(frozen=True, slots=True)
class Described:
    """A line of `evenhand systems`."""

    name: str
    takes: str
    summary: str
    needs: tuple[str, ...] = field(default=())


def without_password(text: str) -> str:
    """A spec, a setting or an address as it may be shown: without the user and password of a URL."""
    return _PASSWORD.sub("", text)


def unbroken(text: str) -> str:
    """The text without lone surrogates (broken input, JSON escapes), which no file of ours could hold."""
    return text if text.isascii() else _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def at_least_none(name: str, number: int) -> dict[str, int]:
    """A setting that counts, as keyword of a fingerprint or a question: nothing for 0, so that those asked before the
    setting was there stay the same; below 0 is wrong use."""
    if number < 0:
        raise BadInput(f"the setting {name} must be 0 or more, not {number}")
    return {name: number} if number else {}


def fingerprint(name: str, **settings: str | int | float | bool | None) -> str:
    """A short stable hash of everything that changes a system's output."""
    text = json.dumps({"name": name, **settings}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
