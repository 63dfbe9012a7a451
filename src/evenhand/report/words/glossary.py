"""Every measure, symbol and column explained, from what a measure declares in code, words/glossary.tsv and
words/measures.tsv. docs/glossary.md is what `evenhand glossary --markdown` prints."""

import inspect
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import isfinite, isinf

from evenhand.errors import MissingExtra
from evenhand.measures.definitions.optimal import optimal_measures
from evenhand.measures.definitions.registry import by_name, names
from evenhand.plugins import plugins
from evenhand.report.words.vocabulary import WORDS, direction_words, wording
from evenhand.statistics.measure import Measure
from evenhand.tsv import rows

HEADS = ("term", "what it is", "range", "direction", "example", "source")
KINDS = {"measure": "Measures", "symbol": "Symbols and terms", "column": "Columns of the tables"}
ALWAYS = ("valid", "decided", "interval", "p_adjusted", "cluster", "effective counts", "design effect", "signature")
AGAINST_A_REFERENCE = ("B", "E_t", "E_o", "share_women")
_NOT_IN_AN_ANCHOR = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(frozen=True)
class GlossaryEntry:
    """One term; what is not known of it, or does not apply, is empty."""

    term: str
    kind: str
    title: str
    formula: str
    explanation: str
    range: str
    better: str
    neutral: str
    source: str
    example: str

    @property
    def anchor(self) -> str:
        """Its place on a page."""
        return f"term-{_NOT_IN_AN_ANCHOR.sub('-', self.term).strip('-')}"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What is known of it, each with its name."""
        names = ("formula", "says", "range", "direction", "neutral point", "example", "source")
        texts = (self.formula, self.explanation, self.range, self.better, self.neutral, self.example, self.source)
        return [(name, text) for name, text in zip(names, texts, strict=True) if text]

    @property
    def summary(self) -> str:
        """On one line, for a pointer that rests on the term."""
        parts = (self.formula, f"range {self.range}" if self.range else "", self.better, self.source)
        return "; ".join(part for part in parts if part)


@cache
def entries() -> Mapping[str, GlossaryEntry]:
    """All terms by name: ours in the table's order, then the measures of other packages; a measure whose package is
    missing is left out."""
    declared: dict[str, Measure] = {measure.name: measure for measure in optimal_measures()}
    for name in names():
        with suppress(MissingExtra):
            declared[name] = by_name(name)
    known = {row["term"]: _entry(row, declared.get(row["term"])) for row in rows(WORDS / "glossary.tsv")}
    others = {name: _foreign(measure) for name, measure in declared.items() if name not in known}
    return {**known, **others}


def used(measures: Iterable[str], more: Iterable[str] = ALWAYS) -> list[GlossaryEntry]:
    """The entries a page needs: its measures in their order, what they are made of, and what every page has."""
    wanted = list(dict.fromkeys(measures))
    made_of = AGAINST_A_REFERENCE if any(name.startswith(("B_", "error", "wrong_")) for name in wanted) else ()
    return [entries()[name] for name in dict.fromkeys((*wanted, *made_of, *more)) if name in entries()]


def _entry(row: Mapping[str, str], measure: Measure | None) -> GlossaryEntry:
    words = wording(row["term"])
    value = f" = {row['value']}" if row["value"] else ""
    return GlossaryEntry(
        term=row["term"],
        kind=row["kind"],
        title=words.title,
        formula=row["formula"],
        explanation=words.explanation,
        range=row["range"] or (_range(measure.bounds) if measure else ""),
        better=row["better"] or (_better(measure) if measure else ""),
        neutral=row["neutral"] or (_number(measure.neutral) if measure else ""),
        source=row["source"],
        example=f"{row['given']}: {row['worked']}{value}" if row["given"] else "",
    )


def _foreign(measure: Measure) -> GlossaryEntry:
    """The entry of a measure that another package brings: what it declares, and the first line of its docstring."""
    summary = (inspect.getdoc(type(measure)) or "").partition("\n")[0]
    package = plugins("measures").get(measure.name)
    source = f"the package {package.dist.name}" if package is not None and package.dist is not None else ""
    better, neutral = _better(measure), _number(measure.neutral)
    span = _range(measure.bounds)
    return GlossaryEntry(measure.name, "measure", measure.name, summary, "", span, better, neutral, source, "")


def _range(bounds: tuple[float, float]) -> str:
    low, high = bounds
    if isinf(low) and isinf(high):
        return "unbounded"
    return f"{_number(low)} and above" if isinf(high) else f"{_number(low)} to {_number(high)}"


def _better(measure: Measure) -> str:
    return direction_words(measure) or "no direction is better"


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−") if isfinite(value) else ""


def markdown() -> str:
    """The whole glossary as a page of the docs."""
    parts = [
        "# Glossary",
        "",
        "Every measure, symbol and column with its formula, range, direction, a worked example and its source. "
        "`evenhand glossary TERM` prints one entry. In the examples “female>male 1” is one rendering as a man of a "
        "source that states a woman. [Reading results](reading-results.md) says how to report the numbers.",
    ]
    for kind, title in KINDS.items():
        chosen = [one for one in entries().values() if one.kind == kind]
        heads = ("column", "holds", "range", "direction") if kind == "column" else HEADS
        parts += ["", f"## {title}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
        parts += [f"| {' | '.join(map(_text, _cells(one)[: len(heads)]))} |" for one in chosen]
    return "\n".join(parts) + "\n"


def _cells(one: GlossaryEntry) -> tuple[str, ...]:
    """An entry as a row of the page."""
    title = one.term if one.title == one.term else f"{one.term}: {one.title}"
    says = ". ".join(part[:1].upper() + part[1:] for part in (one.formula, one.explanation) if part)
    first = (one.term, one.formula) if one.kind == "column" else (title, says)
    return (*first, one.range, one.better, one.example, one.source)


def _text(words: str) -> str:
    """Markdown in which a formula stays one."""
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", words)
