"""What each kind of findings shows, for terminal, page, exports and explorer. A new kind is a function in a
module here and a line in KINDS; it may bring a template on findings.html."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TypeAlias

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.report.charts.figure import Figure
from evenhand.report.pages.typical import Typical, TypicalWords
from evenhand.report.words.headlines import Headline
from evenhand.report.words.tables import TextTable
from evenhand.report.words.vocabulary import WORDS
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.tsv import rows

Result: TypeAlias = Run | Findings
# kind -> module of this room and its function
KINDS = {
    "embeddings": ("embeddings", "shown"),
    "word-scores": ("embeddings", "ranking"),
    "mining": ("mining", "shown"),
    "corpus": ("corpus", "shown"),
    "amplification": ("amplification", "shown"),
}


@dataclass(frozen=True)
class Shown:
    """What a kind shows; `figures` is called only where charts are drawn, because it may need the report extra."""

    answer: Headline
    sections: Sequence[TextTable]
    limits: Sequence[str] = ()
    figures: Callable[[], list[Figure]] = list
    typical: Typical | TypicalWords | None = None
    """What the page opens with, where there is something to draw from."""
    template: str = "findings.html"
    context: Mapping[str, object] = field(default_factory=dict)
    """What a template of the kind's own needs besides."""


def shown(findings: Findings) -> Shown:
    """What these findings show; a kind that this version does not know is an error."""
    kind = findings.manifest.kind
    if kind not in KINDS:
        raise Unknown("kind of result", kind, KINDS, hint="A later version of Evenhand may have made it.")
    try:
        module, function = KINDS[kind]
        made: Shown = getattr(import_module(f"evenhand.report.pages.{module}"), function)(findings)
    except (LookupError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        where = findings.path or "findings"
        raise BadInput(f"{where}: not a result of the kind {kind} ({type(error).__name__}: {error})") from error
    return made


def limits(kind: str, *, mitigated: bool = True) -> tuple[str, ...]:
    """What the numbers of a kind do not say; a study without mitigations has none of theirs."""
    listed = (row for row in rows(WORDS / "limits.tsv") if row["kind"] == kind)
    return tuple(row["limit"] for row in listed if mitigated or not row["when"])


def of_one_kind(results: Sequence[Result]) -> tuple[list[Run], list[Findings]]:
    """The results as runs, or as findings of one kind; one list is empty, for others cannot stand on one page."""
    runs = [result for result in results if isinstance(result, Run)]
    findings = [result for result in results if isinstance(result, Findings)]
    kinds = {one.manifest.kind for one in findings} | ({"run"} if runs else set())
    if len(kinds) > 1:
        raise BadInput(f"results of different kinds ({', '.join(sorted(kinds))}) cannot be compared or share a page")
    return runs, findings
