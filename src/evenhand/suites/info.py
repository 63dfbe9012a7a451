"""A suite as runs remember it."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.suites.suite import Grouping, Kind, Suite


@dataclass(frozen=True)
class SuiteInfo:
    """What a run keeps of its suite, so that it can be scored and shown again without it."""

    name: str
    version: str
    hash: str
    kind: Kind
    source_lang: str
    clusters: tuple[str, ...] = ()
    groupings: tuple[Grouping, ...] = ()
    measures: tuple[str, ...] = ()
    summary: str = ""
    citation: str = ""

    @classmethod
    def of(cls, suite: Suite) -> SuiteInfo:
        return cls(
            name=suite.name,
            version=suite.version,
            hash=suite.hash,
            kind=suite.kind,
            source_lang=suite.source_lang,
            clusters=suite.clusters,
            groupings=suite.groupings,
            measures=suite.measures,
            summary=suite.summary,
            citation=suite.citation,
        )
