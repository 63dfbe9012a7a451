"""How a probe of several sentences is sent: whole, sentence by sentence, or each with those before it as context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand.errors import BadInput, Unknown
from evenhand.mining.text import sentences
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import Answer, Request, System

WAYS = ("whole", "sentences", "before")


class Passages:
    """The requests to send for those of a suite, and the suite's answers made of theirs.

    "whole": as they are. "sentences": every sentence by itself. "before": every sentence, with the probe's context and
    the sentences before it as its context, which DeepL and prompts carry. Answers are joined by a blank; one refused
    sentence refuses the passage; alternatives are kept where a passage is one sentence.
    """

    def __init__(self, asked: Sequence[Request], way: str) -> None:
        if way not in WAYS:
            raise Unknown("way to send a passage", way, WAYS)
        parts = [[request] if way == "whole" else _cut(request, before=way == "before") for request in asked]
        self.requests = [request for part in parts for request in part]
        self._sizes = [len(part) for part in parts]

    def joined(self, answers: Sequence[Answer]) -> list[Answer]:
        """One answer a probe, in their order."""
        whole, place = [], 0
        for size in self._sizes:
            whole.append(_join(answers[place : place + size]))
            place += size
        return whole


def sent(suite: Suite, system: System, way: str) -> Suite:
    """The suite with the way in its version, and so in the signature; an error where the system answers by probe."""
    if way == "whole":
        return suite
    if way not in WAYS:
        raise Unknown("way to send a passage", way, WAYS)
    if system.batch.by_probe:
        raise BadInput(f"{system.name} answers whole probes; it cannot be asked by --context {way}")
    if way == "before" and not system.batch.context:
        raise BadInput(f"{system.name} reads no context; use --context sentences, or whole")
    return replace(suite, version=f"{suite.version}[context={way}]")


def _cut(request: Request, *, before: bool) -> list[Request]:
    parts = sentences(request.text) or [request.text]
    made = []
    for number, text in enumerate(parts):
        context = " ".join(filter(None, (request.context, *parts[:number]))) or None if before else None
        made.append(replace(request, text=text, context=context))
    return made


def _join(answers: Sequence[Answer]) -> Answer:
    if len(answers) == 1:
        return answers[0]
    refusal = next((answer.refusal for answer in answers if answer.refusal is not None), None)
    text = "" if refusal is not None else " ".join(answer.text.strip() for answer in answers)
    return replace(answers[0], text=text, alternatives=(), refusal=refusal)
