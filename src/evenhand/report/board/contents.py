"""The contents of a board, put together: groups of runs that can be compared, systems, languages, names of pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import polars as pl

from evenhand.errors import EvenhandError
from evenhand.gender import GENDERS, LOOKS, Gender
from evenhand.measures.decisions.pooled import RunValue, pool
from evenhand.measures.definitions.direction import directed
from evenhand.report.composition import counts, first_answers
from evenhand.report.pages.page import LEAD
from evenhand.report.pages.sentences import Example, example
from evenhand.report.pages.several import Differing, Named, differing_sentences
from evenhand.report.words.vocabulary import direction_words, language
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ALL
from evenhand.workflows.board import Entered, Ranked, Record
from evenhand.workflows.compare import value_of
from evenhand.workflows.probes import version_words

POOLED = ("accuracy", "P_S", "TFG")  # measures that are pooled over languages and suites
SIDES = 12  # sentences on which systems differ, side by side


@dataclass(frozen=True)
class OutcomeSample:
    """Sentences of one outcome: how many there are, and those drawn."""

    title: str
    total: int
    shown: list[Example]


@dataclass(frozen=True)
class Extract:
    """One run as the pages and tables of a board need it; `values` has what pooling needs of the leading measures
    (measures/decisions/pooled.py)."""

    key: str
    date: str
    info: Manifest
    signature: str
    counted: Record
    estimates: list[Record]
    values: dict[str, RunValue]
    outcomes: list[OutcomeSample]

    @property
    def system(self) -> str:
        return self.info.system_name

    @property
    def target_lang(self) -> str:
        return self.info.target_lang

    @property
    def columns(self) -> Record:
        """What a row of a table names its run by."""
        suite, languages = (
            self.info.suite,
            {"source_lang": self.info.suite.source_lang, "target_lang": self.target_lang},
        )
        named = {"suite": suite.name, "suite_version": suite.version, **languages}
        return {**named, "system": self.system, "run": self.key, "date": self.date}


def extract(entered: Entered, run: Run, *, seed: int, shown: int) -> Extract:
    """The run's numbers and, of each outcome, up to `shown` sentences drawn by the seed."""
    table, known = first_answers(run.table), run.estimates.filter(group=ALL, variant="raw")["measure"].to_list()
    return Extract(
        key=entered.key,
        date=entered.date[:10],
        info=run.manifest,
        signature=run.signature,
        counted=counts(table).row(0, named=True),
        estimates=run.estimates.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts(),
        values={n: value for n in POOLED if n in known and (value := value_of(run, directed(n))) is not None},
        outcomes=_outcomes(table, seed=seed, shown=shown) if shown else [],
    )


def _outcomes(table: pl.DataFrame, *, seed: int, shown: int) -> list[OutcomeSample]:
    """By stated gender, where there is one, and gender of the rendering, wrong ones first; drawn by seed and id alone,
    so that two systems show the same sentences."""
    drawn = [sha256(f"{seed}:{name}".encode()).digest() for name in table["id"].to_list()]
    table = table.with_columns(pl.Series("drawn", drawn)).sort("drawn", maintain_order=True)
    stated = pl.col("gold").cast(pl.String) if "gold" in table.columns else pl.lit(None, dtype=pl.String)
    table = table.with_columns(stated.alias("stated"))
    made: list[tuple[bool, OutcomeSample]] = []
    for gold in (*GENDERS, None):
        for gender in GENDERS:
            rows = table.filter(pl.col("stated").eq_missing(pl.lit(gold)), pl.col("gender") == gender)
            if rows.height:
                named = LOOKS[Gender(gender)].title
                title = named if gold is None else f"Stated {gold}: {named[0].lower()}{named[1:]}"
                other = rows.unique(["source", "rendering"], keep="first", maintain_order=True)
                examples = [example(row) for row in other.head(shown).iter_rows(named=True)]
                made.append((gold == gender, OutcomeSample(title, rows.height, examples)))
    return [outcome for _, outcome in sorted(made, key=lambda pair: pair[0])]


def side_by_side(runs: Mapping[str, Run], *, shown: int) -> tuple[int, list[Differing]]:
    """How many sentences the systems of a group differ on, and the most telling, each with every system's rendering."""
    if len(runs) < 2 or not shown:
        return 0, []
    return differing_sentences([Named(name, run, first_answers(run.table)) for name, run in runs.items()], SIDES)


GroupKey = tuple[str, str, str]


@dataclass(frozen=True)
class Group:
    """Systems on the same sentences into one language: every run by system (`series`, oldest first), how the last ones
    rank, and the steps between the others (`changes`)."""

    series: Mapping[str, Sequence[Extract]]
    ranked: Ranked
    changes: Mapping[str, Sequence[Record]]
    sides: tuple[int, Sequence[Differing]] = (0, ())

    @cached_property
    def current(self) -> dict[str, Extract]:
        return {system: runs[-1] for system, runs in self.series.items()}

    @property
    def key(self) -> str:
        """What its page of sentences is called after."""
        return f"{self.any.info.suite.name}|{self.any.info.suite.hash}|{self.any.target_lang}"

    @property
    def any(self) -> Extract:
        """One of its runs, for what they all share."""
        return next(iter(self.current.values()))

    @cached_property
    def ranks(self) -> dict[tuple[str, str], Record]:
        """By measure and system: rank, value, letters; a system that is left out has none."""
        return {(str(row["measure"]), str(row["system"])): row for row in self.ranked.rows}

    def rank(self, run: Extract, measure: str) -> Record | None:
        """A run's place in its group, if it is its system's last run and ranked."""
        return self.ranks.get((measure, run.system)) if run is self.current[run.system] else None

    @cached_property
    def measures(self) -> list[str]:
        """The measures of a whole run that its systems share, the leading one first, those without a direction last."""
        shared = [name for name in overall(self.any) if all(name in overall(run) for run in self.current.values())]
        return sorted(shared, key=lambda name: (LEAD.index(name) if name in LEAD else len(LEAD), better(name) == ""))

    @property
    def lead(self) -> str | None:
        return self.measures[0] if self.measures else None

    @property
    def title(self) -> str:
        return f"{self.any.info.suite.name} {version_words(self.any.info.suite.version)}"


@dataclass(frozen=True)
class Contents:
    """Everything on the board. `others` says what lay in the folders and is no run."""

    groups: Mapping[GroupKey, Group]
    others: Sequence[str]
    numbers_only: bool
    seed: int

    @cached_property
    def grouped(self) -> list[tuple[Group, Extract]]:
        """Every run with its group."""
        return [(group, run) for group in self.groups.values() for runs in group.series.values() for run in runs]

    @cached_property
    def runs(self) -> list[Extract]:
        return [run for _, run in self.grouped]

    @cached_property
    def systems(self) -> list[str]:
        return sorted({run.system for run in self.runs}, key=str.casefold)

    @cached_property
    def languages(self) -> list[str]:
        return sorted({run.target_lang for run in self.runs}, key=language)

    @cached_property
    def suites(self) -> dict[tuple[str, str], list[Group]]:
        """Groups by suite (name and hash), the suites with most runs first."""
        by_suite: dict[tuple[str, str], list[Group]] = {}
        for (name, mark, _), group in self.groups.items():
            by_suite.setdefault((name, mark), []).append(group)
        order = sorted(by_suite, key=lambda suite: -sum(len(group.current) for group in by_suite[suite]))
        return {suite: by_suite[suite] for suite in order}

    @cached_property
    def pooled(self) -> list[Record]:
        """A row for each measure and system with runs of several suites or languages, by each one's last runs."""
        rows: list[Record] = []
        for measure in POOLED:
            for system in self.systems:
                runs = [group.current[system] for group in self.groups.values() if system in group.current]
                values = [run.values[measure] for run in runs if measure in run.values]
                if len(values) > 1:
                    made = pool(values, directed(measure), runs[0].info.level)
                    rows.append({"measure": measure, "system": system, **made})
        return rows

    @cached_property
    def pages(self) -> dict[tuple[str, str], str]:
        """The file of each page by its kind and what it is of: language, system, run, sentences."""
        named = [("language", code) for code in self.languages] + [("system", name) for name in self.systems]
        named += [("sentences", group.key) for group in self.groups.values()]
        pages = _file_names(named)
        return pages | {("run", run.key): f"run-{run.key}.html" for run in self.runs}

    @cached_property
    def changed(self) -> list[tuple[Group, str, Record]]:
        """Every change of a system from one date to the next that passes the corrected test."""
        return [
            (group, system, change)
            for group in self.groups.values()
            for system, changes in group.changes.items()
            for change in changes
            if change["changed"]
        ]

    def judged_otherwise(self, change: Record) -> bool:
        """Whether the runs before and after were judged by different detectors or labels: what changed may be that."""
        return len({run.info.detector for run in self.runs if run.key in (change["before"], change["after"])}) > 1

    def suite_title(self, group: Group) -> str:
        """The suite with its version, and its hash where other sentences bear the same name and version."""
        same = {one.any.info.suite.hash for one in self.groups.values() if one.title == group.title}
        return group.title + (f" (#{group.any.info.suite.hash[:6]})" if len(same) > 1 else "")


def overall(run: Extract) -> dict[str, Record]:
    """A run's estimates over all its sentences, by measure, uncorrected and against no reference."""
    return {
        str(row["measure"]): row
        for row in run.estimates
        if row["group"] == ALL and row["variant"] == "raw" and row["reference"] is None and row["family"] is None
    }


def better(name: str) -> str:
    """Which way is better, in words; "" for a measure without a direction, or one this machine does not have."""
    try:
        return direction_words(directed(name))
    except EvenhandError:
        return ""


def _file_names(named: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """KIND-NAME.html in letters that every file system and address has; a hash where two names would be one."""
    pages: dict[tuple[str, str], str] = {}
    for kind, name in named:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
        file = f"{kind}-{plain}.html"
        if not plain or file in pages.values():
            file = f"{kind}-{plain}-{sha256(name.encode()).hexdigest()[:8]}.html"
        pages[kind, name] = file
    return pages
