"""What a board keeps of a run: who and what it is, its estimates, and a sample of its sentences by outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import polars as pl

from evenhand.gender import GENDERS, LOOKS, Gender
from evenhand.report.composition import counts, first_answers
from evenhand.report.pages.sentences import example
from evenhand.report.pages.several import Named, differing_sentences
from evenhand.results.runs import Run
from evenhand.workflows.board import Entered, Record

SIDES = 12  # sentences on which systems differ, side by side


@dataclass(frozen=True)
class OutcomeSample:
    """Sentences of one outcome: how many there are, and those drawn."""

    title: str
    total: int
    shown: list[dict[str, object]]


@dataclass(frozen=True)
class Extract:
    """One run as the pages and tables of a board need it."""

    key: str
    system: str
    suite: str
    suite_version: str
    suite_hash: str
    summary: str
    citation: str
    source_lang: str
    target_lang: str
    date: str
    level: float
    detector: str
    calibrated: bool
    signature: str
    clusters: list[str]
    counted: Record
    notes: list[str]
    estimates: list[Record]
    outcomes: list[OutcomeSample] = field(default_factory=list)

    @property
    def group(self) -> tuple[str, str, str]:
        return self.suite, self.suite_hash, self.target_lang

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> Extract:
        """What `asdict` made of one."""
        outcomes = content.get("outcomes")
        rest = {name: value for name, value in content.items() if name != "outcomes"}
        kept = [OutcomeSample(**one) for one in outcomes] if isinstance(outcomes, list) else []
        return cls(**rest, outcomes=kept)  # type: ignore[arg-type]  # values we wrote ourselves


def extract(entered: Entered, run: Run, *, seed: int, shown: int) -> Extract:
    """The run's numbers and, of each outcome, up to `shown` sentences drawn by the seed."""
    info, table = run.manifest, first_answers(run.table)
    clean = run.estimates.with_columns(pl.col(pl.Float64).fill_nan(None))
    answered = [info.answered_words] if info.answered_words else []
    return Extract(
        key=entered.key,
        system=info.system_name,
        suite=info.suite.name,
        suite_version=info.suite.version,
        suite_hash=info.suite.hash,
        summary=info.suite.summary,
        citation=info.suite.citation,
        source_lang=info.suite.source_lang,
        target_lang=info.target_lang,
        date=entered.date[:10],
        level=info.level,
        detector=info.detector,
        calibrated=info.calibration is not None,
        signature=run.signature,
        clusters=list(info.suite.clusters),
        counted=counts(table).row(0, named=True),
        notes=[*info.notes, *answered],
        estimates=clean.to_dicts(),
        outcomes=_outcomes(table, seed=seed, shown=shown) if shown else [],
    )


def _outcomes(table: pl.DataFrame, *, seed: int, shown: int) -> list[OutcomeSample]:
    """By the gender the source states, where it states one, and the gender of the rendering; wrong ones first.

    Sentences are in an order that depends on the seed and their id alone: two systems show the same ones where they
    made the same of them. A sentence that a suite has twice is shown once.
    """
    drawn = [hashlib.sha256(f"{seed}:{name}".encode()).digest() for name in table["id"].to_list()]
    table = table.with_columns(pl.Series("drawn", drawn)).sort("drawn", maintain_order=True)
    stated = pl.col("gold").cast(pl.String) if "gold" in table.columns else pl.lit(None, dtype=pl.String)
    table = table.with_columns(stated.alias("stated"))
    made: list[tuple[bool, OutcomeSample]] = []
    for gold in (*GENDERS, None):
        for gender in GENDERS:
            rows = table.filter(pl.col("stated").eq_missing(pl.lit(gold)), pl.col("gender") == gender)
            if rows.height:
                said = LOOKS[Gender(gender)].title
                title = said if gold is None else f"Stated {gold}: {said[0].lower()}{said[1:]}"
                other = rows.unique(["source", "rendering"], keep="first", maintain_order=True)
                examples = [asdict(example(row)) for row in other.head(shown).iter_rows(named=True)]
                made.append((gold == gender, OutcomeSample(title, rows.height, examples)))
    return [outcome for _, outcome in sorted(made, key=lambda pair: pair[0])]


def side_by_side(runs: Mapping[str, Run], *, shown: int) -> dict[str, object]:
    """How many sentences the systems of a group differ on, and the most telling, each with every system's rendering."""
    if len(runs) < 2 or not shown:
        return {"total": 0, "sentences": []}
    named: Sequence[Named] = [Named(name, run, first_answers(run.table)) for name, run in runs.items()]
    total, pairs = differing_sentences(named, SIDES)
    sentences = [
        {"source": asdict(pair.source), "renderings": [[name, asdict(one)] for name, one in pair.renderings]}
        for pair in pairs
    ]
    return {"total": total, "sentences": sentences}
