"""What a scorer is: a system or a metric that values a rendering it is given; and how the dispatcher asks one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, cast, runtime_checkable

import polars as pl

from evenhand import tsv
from evenhand.errors import BadInput, BadReply, Unknown
from evenhand.systems.protocol import Answer, Asked, Bindable, Closing, Paired, Request, fingerprint, fingerprint_of
from evenhand.systems.registry import Setting, SystemEntry, entries, open_system, opened_by

TABLE = Path(__file__).with_name("scorers.tsv")
Values = Literal["log-probability", "score"]


@dataclass(frozen=True, slots=True)
class Score:
    """A value, and the number of tokens it is the sum over (0 where it is not such a sum)."""

    value: float
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    """How to read a scorer's values: what they are, which way is better, and their range."""

    values: Values = "log-probability"
    better: Literal["higher", "lower"] = "higher"
    bounds: tuple[float, float] = (-math.inf, 0.0)

    def turned(self, value: float) -> float:
        """The value on a scale where higher is better: below the highest of the range, where that is known."""
        if self.better == "higher":
            return value
        return (self.bounds[1] if math.isfinite(self.bounds[1]) else 0.0) - value

    @classmethod
    def stated(cls, values: str, better: str, lowest: str = "", highest: str = "") -> Scale:
        """The scale that a user's settings name."""
        for name, given, known in (
            ("values", values, ("log-probability", "score")),
            ("better", better, ("higher", "lower")),
        ):
            if given not in known:
                raise Unknown(f"value of the setting {name}", given, known)
        try:
            ends = (float(lowest or -math.inf), float(highest or math.inf))
        except ValueError:
            raise BadInput(f"the settings lowest and highest are numbers, not {lowest!r} and {highest!r}") from None
        return cls(cast("Values", values), cast("Literal['higher', 'lower']", better), ends)


@runtime_checkable
class Scorer(Asked, Protocol):
    """Values renderings; every request has one, and the languages of all requests of a call are the same.

    Like a system it knows its wire format and nothing else. A translation system that has `scale` and `score` is one.
    """

    @property
    def scale(self) -> Scale: ...

    async def score(self, requests: list[Request]) -> list[Score]: ...


class ScoringSystem:
    """A scorer as the dispatcher asks it: the answer to a request is the score, written as text."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer, self.name, self.scale, self.batch = scorer, scorer.name, scorer.scale, scorer.batch
        self.remote = bool(getattr(scorer, "remote", False))
        self.may_change = bool(getattr(scorer, "may_change", self.remote))

    @property
    def fingerprint(self) -> str:
        return fingerprint("scores", scorer=self.scorer.fingerprint)

    def fingerprint_for(self, source: str, target: str) -> str:
        return fingerprint("scores", scorer=fingerprint_of(self.scorer, source, target))

    def pairs(self) -> set[tuple[str, str]] | None:
        return self.scorer.pairs() if isinstance(self.scorer, Paired) else None

    def bind(self, probes: pl.DataFrame) -> None:
        if isinstance(self.scorer, Bindable):
            self.scorer.bind(probes)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        scores = await self.scorer.score(requests)
        if len(scores) != len(requests):
            raise BadReply(f"{self.name} was given {len(requests)} renderings and scored {len(scores)}")
        low, high = self.scale.bounds
        for request, one in zip(requests, scores, strict=True):
            if not math.isfinite(one.value) or not low - 1e-6 <= one.value <= high + 1e-6:
                value = f"{one.value!r}, which is not a number" if math.isnan(one.value) else f"{one.value!r}"
                raise BadReply(f"{self.name} scored {request.rendering!r} with {value} from {low:g} to {high:g}")
        return [Answer(f"{one.value!r} {one.tokens}") for one in scores]

    async def aclose(self) -> None:
        if isinstance(self.scorer, Closing):
            await self.scorer.aclose()


def read_score(text: str) -> Score:
    """A score as it is in the translation memory."""
    value, _, tokens = text.partition(" ")
    return Score(float(value), int(tokens))


def is_score(source: str, answer: str) -> bool:
    """Whether an answer in the memory is a score."""
    try:
        return math.isfinite(read_score(answer).value)
    except ValueError:
        return False


def scorers() -> dict[str, SystemEntry]:
    """Our own scorers (scorers.tsv); translation systems that can score come to them."""
    return {row["name"]: SystemEntry(**row, languages="many") for row in tsv.rows(TABLE)}


def open_scorer(spec: str | Scorer, **settings: Setting) -> Scorer:
    """The scorer of a spec: one of scorers.tsv, or a translation system that can score; one that cannot is an error."""
    if not isinstance(spec, str):
        return spec
    name, _, argument = spec.partition(":")
    own = scorers()
    if name not in own and name not in entries():
        raise Unknown("scorer", name, ["pocket", *own])
    opened = opened_by(own[name], argument, settings) if name in own else open_system(spec, **settings)
    if not hasattr(opened, "score"):
        more = f"; scorers are pocket, {', '.join(own)}"
        raise BadInput(f"{opened.name} translates but cannot score a given translation{more}")
    return cast("Scorer", opened)
