"""The probes as an audit, its plan and a frozen plan send them: with the gender a system is asked for (wishes.tsv), in
parts, with a focus on each. The version of the wishes is part of the suite's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.languages import code, primary
from evenhand.mining.text import sentences
from evenhand.notes import Note, NoteKind
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import Answer, Request, Steerable, System
from evenhand.systems.registry import Translates, open_system
from evenhand.tsv import rows
from evenhand.workflows.settings import AskSettings
from evenhand.workflows.unmarked import with_persons

WAYS = ("whole", "sentences", "before")


class Passages:
    """The requests to send for those of a suite, and the suite's answers made of theirs. "whole": as they are.
    "sentences": every sentence by itself. "before": every sentence, with the probe's context and the sentences before
    it as its context, which DeepL and prompts carry. Answers are joined by a blank; one refused sentence refuses the
    passage; alternatives are kept where a passage is one sentence."""

    def __init__(self, asked: Sequence[Request], way: str) -> None:
        if way not in WAYS:
            raise Unknown("way to send a passage", way, WAYS)
        self.requests, self._sizes = list[Request](), list[int]()
        for request in asked:
            parts = [request.text] if way == "whole" else sentences(request.text) or [request.text]
            for number, text in enumerate(parts):
                earlier = " ".join(filter(None, (request.context, *parts[:number]))) or None
                context = {"whole": request.context, "before": earlier}.get(way)
                self.requests.append(replace(request, text=text, context=context))
            self._sizes.append(len(parts))

    def joined(self, answers: Sequence[Answer]) -> list[Answer]:
        """One answer per probe, in their order."""
        parts = iter(answers)
        return [_join(list(islice(parts, size))) for size in self._sizes]


def sent(suite: Suite, system: System, way: str) -> Suite:
    """The suite with the way in its version, and so in the signature; an error where the system answers by probe."""
    if way == "whole":
        return suite
    if way not in WAYS:
        raise Unknown("way to send a passage", way, WAYS)
    if system.batch.by_probe:
        raise BadInput(f"{system.name} answers whole probes and does not support --context {way}")
    if way == "before" and not system.batch.context:
        raise BadInput(f"{system.name} reads no context; use --context sentences, or whole")
    return replace(suite, version=f"{suite.version}[context={way}]")


def _join(answers: Sequence[Answer]) -> Answer:
    if len(answers) == 1:
        return answers[0]
    refusal = next((answer.refusal for answer in answers if answer.refusal is not None), None)
    text = "" if refusal is not None else " ".join(answer.text.strip() for answer in answers)
    return replace(answers[0], text=text, alternatives=(), refusal=refusal)


VERSION = "1"
GENDERS = ("female", "male", "neutral")
ASKS = (*GENDERS, "source")
WISHES = Path(__file__).with_name("wishes.tsv")
Translator = str | System | Translates


@dataclass(frozen=True)
class Prepared:
    """The suite with its wishes, its way of sending and its persons, the opened system, and what to say about it."""

    suite: Suite
    system: System
    notes: tuple[Note, ...]


def prepare(suite: str | Path | Suite, system: Translator, *, target: str, asking: AskSettings) -> Prepared:
    """An error, before anything is sent, where the suite, the system, the language and the settings do not fit."""
    probed = (suite if isinstance(suite, Suite) else load_suite(suite)).into(code(target))
    if asking.ask:
        probed = with_wishes(probed, asking.ask)
    scores = probed.kind == "contrastive"
    if scores and not hasattr(system, "scale"):
        raise BadInput(f"suite {probed.name} has renderings to score: use `evenhand preference {probed.name} --scorer`")
    answering = open_for(system, probed)  # a file of translations has the ids of the probes as they were given
    if asking.ask:
        check_wishes(answering, probed)
    probed, notes = with_persons(sent(probed, answering, asking.context))
    if probed.targets and primary(code(target)) not in probed.targets:
        raise Unknown(f"target language of suite {probed.name}", code(target), probed.targets)
    return Prepared(probed, answering, tuple(Note(text, NoteKind.UNMARKED) for text in notes))


def open_for(system: Translator, suite: Suite) -> System:
    """The system of a spec, shown the suite's probes where it wants to see them first."""
    opened = open_system(system)
    if hasattr(opened, "bind"):
        opened.bind(suite.probes)
    return opened


def with_wishes(suite: Suite, ask: str) -> Suite:
    """The suite with the columns `wanted` and `wish`, and the measure `obeyed`; `ask` is a gender for every probe, or
    "source" for the gold gender of each."""
    if ask not in ASKS:
        raise Unknown("gender to ask for", ask, ASKS)
    wishes = {row["ask"]: row["wish"] for row in rows(WISHES) if row["kind"] == suite.kind}
    if not wishes:
        raise BadInput(f"no gender can be asked for in suite {suite.name}: it is judged by {suite.kind}")
    probes = suite.probes
    if ask == "source" and "gold" not in probes.columns:
        raise BadInput(f"suite {suite.name} has no gold gender for --ask source")
    wanted = pl.col("gold").cast(pl.String) if ask == "source" else pl.lit(ask)
    focus = pl.col("focus") if "focus" in probes.columns else pl.lit("")
    table = probes.with_columns(wanted=pl.when(wanted.is_in(list(GENDERS))).then(wanted))
    sentence = pl.col("wanted").replace_strict(wishes, default=None, return_dtype=pl.String)
    table = table.with_columns(wish=sentence.str.replace("{focus}", focus.fill_null(""), literal=True))
    version = f"{suite.version}[ask={ask},wishes-{VERSION}]"
    return replace(suite, version=version, make=lambda: table, measures=("obeyed", *suite.measures))


#: How the parts of a probe were sent, by the mark that passages.py makes.
SENT = {
    "context=sentences": "one sentence at a time",
    "context=before": "one sentence at a time, those before it as context",
}


def version_words(version: str) -> str:
    """A suite's version as people read it: its marks (what was left of it, how it was sent, what was asked for) in
    words."""
    plain, *marks = version.removesuffix("]").split("[")
    return ", ".join([plain, *(_mark_words(mark.removesuffix("]")) for mark in marks)])


def _mark_words(mark: str) -> str:
    ask, wish, _ = mark.removeprefix("ask=").partition(f",wishes-{VERSION}")
    if wish and ask in ASKS:
        return f"asked for {'the gender of the source' if ask == 'source' else ask}"
    if mark in SENT:
        return SENT[mark]
    conditions = [condition.partition("=") for condition in mark.split(",")]
    words = [f"{column.replace('_', ' ')} {value or 'empty'}" for column, equals, value in conditions if equals]
    return f"only {' and '.join(words)}" if len(words) == len(conditions) and words else f"[{mark}]"


def check_wishes(system: System, suite: Suite) -> None:
    """An error, before anything is sent, where the system cannot be asked for what the probes want."""
    wanted = set(suite.probes["wanted"].drop_nulls().unique().to_list())
    can = system.asks if isinstance(system, Steerable) else frozenset()
    if wanted - can:
        takes = f"it can be asked for {', '.join(sorted(can))}" if can else "it cannot be asked for any"
        hint = "" if can else f"; mended:{system.name} may do it for languages that `evenhand mend` knows"
        raise BadInput(f"{system.name} cannot be asked for {', '.join(sorted(wanted - can))}: {takes}{hint}")
