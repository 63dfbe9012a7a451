"""What a run will ask: each question once, what the memory already knows, and the calls the rest is cut into."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from evenhand.errors import BadInput
from evenhand.options import Option
from evenhand.systems.memory import Keeps, Memory, key_of
from evenhand.systems.protocol import Answer, Batch, Request, System, check_pair, fingerprint_of


@dataclass(frozen=True, slots=True)
class Question:
    """A request with its key in the memory and the fingerprint that is part of it."""

    key: bytes
    fingerprint: str
    request: Request


@dataclass(frozen=True)
class Limits:
    """The user's own limits. None leaves the system's; sizes can only be made smaller than the system's."""

    texts: Annotated[int | None, Option("put fewer texts into one call", "N", "--texts-per-call", least=1)] = None
    characters: int | None = None
    concurrency: Annotated[int | None, Option("calls in flight at once", "N", least=1)] = None
    requests_per_minute: Annotated[float | None, Option("send no more calls than this", "N")] = None
    characters_per_minute: Annotated[float | None, Option("send no more characters than this", "N")] = None

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise BadInput(f"the limit {name} must be above 0, not {value}")

    def of(self, batch: Batch) -> Batch:
        own = {name: value for name, value in vars(self).items() if value is not None}
        sizes = {name: min(own[name], getattr(batch, name)) for name in ("texts", "characters") if name in own}
        return replace(batch, **own | sizes)


@dataclass(frozen=True)
class Plan:
    """What a run would send. `characters` counts code points of the texts in the calls, without prompts or context.

    `texts` are all that were asked for, `distinct` the different questions among them, `memory_hits` those already
    answered, `calls` how often the system would be asked (a local one at least: `Batch.seconds` cuts its calls by the
    time they take). `price` is None where no price per million was given,
    `minutes` (at least, by the limits per minute) where there is no such limit.
    """

    system: str
    texts: int
    distinct: int
    memory_hits: int
    sent: int
    characters: int
    calls: int
    price: float | None = None
    minutes: float | None = None


@dataclass(frozen=True)
class Agenda:
    """One key per request, in order; the answers known before anything is sent; the calls still to make."""

    keys: list[bytes]
    known: dict[bytes, Answer]
    hits: int
    calls: list[list[Question]]

    @property
    def sent(self) -> int:
        return sum(len(call) for call in self.calls)

    @property
    def characters(self) -> int:
        return sum(len(question.request.text) for call in self.calls for question in call)


def agenda_of(
    system: System, requests: Sequence[Request], memory: Memory | None, batch: Batch, keeps: Keeps | None = None
) -> Agenda:
    """Look up what is known and cut the rest into calls. Empty texts are answered by an empty text, unasked."""
    fingerprints: dict[tuple[str, str], str] = {}
    for pair in {(request.source, request.target) for request in requests}:
        check_pair(system, *pair)
        fingerprints[pair] = fingerprint_of(system, *pair)
    marks = [fingerprints[request.source, request.target] for request in requests]
    keys = [key_of(request, mark, by_probe=batch.by_probe) for request, mark in zip(requests, marks, strict=True)]
    questions: dict[bytes, Question] = {}
    for question in map(Question, keys, marks, requests):
        questions.setdefault(question.key, question)
    blank = {key: Answer("") for key, q in questions.items() if not q.request.text.strip()}
    wanted = [key for key in questions if key not in blank]
    remembered = memory.look_up(wanted, keeps) if memory is not None and batch.remembered else {}
    missing = (questions[key] for key in wanted if key not in remembered)
    return Agenda(keys, {**blank, **remembered}, len(remembered), list(cut(missing, batch)))


def cut(questions: Iterable[Question], batch: Batch) -> Iterator[list[Question]]:
    """Calls within the limits, in order; what may not share a call (languages, context, a wish, ...) does not. A text
    longer than `batch.characters` goes alone: only the system can say whether it takes it."""
    open_calls: dict[tuple[str | int | None, ...], tuple[list[Question], int]] = {}
    for question in questions:
        request = question.request
        context = request.context if batch.context else None
        group = (request.source, request.target, request.sample, context, request.ask, request.wish)
        call, size = open_calls.get(group, ([], 0))
        length = len(request.text)
        if call and (len(call) >= batch.texts or size + length > batch.characters):
            yield call
            call, size = [], 0
        call.append(question)
        open_calls[group] = (call, size + length)
    for call, _ in open_calls.values():
        yield call


def plan(
    system: System,
    requests: Iterable[Request],
    memory: Memory | None = None,
    *,
    limits: Limits | None = None,
    keeps: Keeps | None = None,
    price_per_million: float | None = None,
) -> Plan:
    """Exactly what `Dispatcher.run` would send for these requests, without sending it; `price_per_million` is per
    million characters, in any currency."""
    listed = list(requests)
    batch = (limits or Limits()).of(system.batch)
    agenda = agenda_of(system, listed, memory, batch, keeps)
    characters = agenda.characters
    rates = [(len(agenda.calls), batch.requests_per_minute), (characters, batch.characters_per_minute)]
    return Plan(
        system=system.name,
        texts=len(listed),
        distinct=len(set(agenda.keys)),
        memory_hits=agenda.hits,
        sent=agenda.sent,
        characters=characters,
        calls=len(agenda.calls),
        price=None if price_per_million is None else characters * price_per_million / 1_000_000,
        minutes=max((amount / rate for amount, rate in rates if rate), default=None),
    )
