"""Tables and figures of papers, each defined once: `replicate` fills them from published data, `table` from runs. A
subject is what a paper calls a system: a run, mined text or word vectors of one language, or what the authors published
of a system. An element takes one subject and gives its numbers; how they are laid out is said here, how they are
printed and drawn in the report room."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl

from evenhand import tsv
from evenhand.level import LEVEL, Resampling
from evenhand.measures.estimate import SETS, estimate, resolve
from evenhand.replicate.cell import Input, Rounding, TableCell, compare, formula, published, truncated, value
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import ALL
from evenhand.suites.suite import Grouping

Levels = Mapping[str, Mapping[str, str]]  # a row's name and the column values its renderings have
NAN = math.nan
USUAL = Resampling(seed=0, resamples=RESAMPLES, level=LEVEL)


class Cell(NamedTuple):
    """One number of a table with its interval, or a word (`text`) where the paper prints one."""

    row: str
    column: str
    value: float = NAN
    low: float = NAN
    high: float = NAN
    n: int | None = None
    text: str = ""
    note: str = ""


@dataclass(frozen=True)
class Subject:
    """One system: its judged renderings, or the findings its numbers are in. Without `resampling` no intervals."""

    name: str
    table: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)
    source: Input = "other data"
    clusters: tuple[str, ...] = ()
    resampling: Resampling | None = None
    result: Run | Findings | None = None
    part: str = ""
    """Which part of the findings: a language, a reference."""
    printed: str = ""
    """Its name among the published systems; its own where nothing else is said."""
    note: str = ""
    """What has to be said beside a published number."""

    @property
    def findings(self) -> Findings:
        if not isinstance(self.result, Findings):
            raise TypeError(f"{self.name} is not a finding")
        return self.result


Cells = Callable[[Subject], Iterator[Cell]]
Fits = Callable[[Subject], bool]


@dataclass(frozen=True)
class Element:
    """A table or figure of a paper: which subjects can fill it, their cells, and the layout of the paper.

    `across` is what has one column each; the others are the heads of the rows. `merged` puts the columns of a system
    into one cell. `digits` are decimals by row or column ("": all others). `most` rows are printed, all are exported.
    `table` is its name among the published numbers; `rows` are rows of others (table, row) that it shows by its names,
    in the columns that `digits` names. `drawn` names its chart.
    """

    key: str
    name: str
    title: str
    needs: str
    across: str
    merged: str
    cells: Cells
    fits: Fits
    digits: Mapping[str, int]
    labels: Mapping[str, str]
    cut: Rounding
    most: int
    table: str
    drawn: str
    rows: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def is_figure(self) -> bool:
        return self.name.startswith("Figure")

    def printed(self, paper: str) -> dict[str, list[Cell]]:
        """The paper's own numbers by system, as it prints them and in its order."""
        cells: dict[str, list[Cell]] = {}
        for (table, system, row, column), printed in published(paper).items():
            name = self.rows.get((table, row), row if table == self.table else None)
            if name is not None and (column in self.digits or not self.rows):
                shown = self.labels.get(column, column) if self.rows else column
                text = f"{printed.value:,.{printed.decimals}f}"
                cells.setdefault(system, []).append(Cell(name, shown, printed.value, text=text, note=printed.note))
        return cells


def elements(study: str, filling: Mapping[str, tuple[Cells, Fits]]) -> dict[str, Element]:
    """The study's elements by key, as elements.tsv lays them out, with what fills each."""
    made = {}
    for row in (row for row in tsv.rows(files("evenhand.replicate") / "elements.tsv") if row["study"] == study):
        digits, labels = (
            dict(part.split("=", 1) for part in row[name].split(";") if part) for name in ("digits", "labels")
        )
        cells, fits = filling[row["key"]]
        made[row["key"]] = Element(
            **{name: row[name] for name in ("key", "name", "title", "needs", "across", "merged", "drawn")},  # type: ignore[arg-type]
            cells=cells,
            fits=fits,
            digits={name: int(number) for name, number in digits.items()},
            labels=labels,
            cut=truncated if row["cut"] else round,
            most=int(row["most"] or 0),
            table=row["table"] or row["name"],
        )
    return made


def has(*columns: str) -> Fits:
    """Whether a subject's renderings have these columns."""
    return lambda subject: set(columns) <= set(subject.table.columns)


def finds(kind: str) -> Fits:
    """Whether a subject is a finding of this kind."""
    return lambda subject: isinstance(subject.result, Findings) and subject.result.manifest.kind == kind


def numbers(row: Mapping[str, Any], scale: float = 1.0) -> tuple[float, float, float]:
    """Value, low and high of an estimate; what is undefined is NaN."""
    value, low, high = (scale * number(row[name]) for name in ("value", "low", "high"))
    return value, low, high


def number(value: object) -> float:
    """What a table holds as a number; NaN where it holds none."""
    return float(value) if isinstance(value, int | float) else NAN


def of_result(result: Run | Findings) -> Subject:
    """A run's renderings, or findings as they are."""
    if isinstance(result, Findings):
        return Subject(result.manifest.title, result=result)
    info = result.manifest
    return Subject(
        info.system_label, result.answers, clusters=info.suite.clusters, resampling=info.resampling, result=result
    )


def recomputed(paper: str, elements: Iterable[Element], subjects: Iterable[Subject]) -> Iterator[TableCell]:
    """Every number the subjects give, beside the printed one."""
    for subject in subjects:
        for element in elements:
            for cell in element.cells(subject) if element.fits(subject) else ():
                key = (element.table, subject.name, cell.row, cell.column)
                printed = published(paper).get((key[0], subject.printed or subject.name, *key[2:]))
                note = "; ".join(filter(None, (cell.note, subject.note if printed else "")))
                yield compare(paper, key, cell.value, subject.source, note, printed=printed, cut=element.cut)


def measured(
    subject: Subject,
    levels: Levels,
    measures: Mapping[str, str | Measure],
    *,
    whole: Mapping[tuple[str, str], str | Measure] | None = None,
    scale: float = 1.0,
    differences: bool = False,
) -> Iterator[Cell]:
    """Measures (by column) at every level, of the whole table (by row and column), and the differences of two levels
    (`A - B`, column `delta ...`), as an audit estimates them; plain values where nothing is resampled."""
    grouping, options = Grouping(SETS, levels=levels), subject.resampling
    columns = {column: formula(one) for column, one in measures.items()}
    overall = {key: formula(one) for key, one in (whole or {}).items()}
    asked = {one.name: one for one in (*columns.values(), *overall.values())}
    if options is None:
        rows, scale = _plain(subject.table, grouping, columns.values(), overall.values(), scale), 1.0
    else:
        rows = _of_run(subject, levels, list(asked))
        if not rows or not {(one.name, level) for level in levels for one in columns.values()} <= set(rows):
            cut, used = (grouping,), tuple(asked.values())
            made = estimate(subject.table, clusters=subject.clusters, groupings=cut, measures=used, **options)
            rows = {(r["measure"], r["level"]): r for r in made.iter_rows(named=True)}
    pairs = [" - ".join(pair) for pair in combinations(levels, 2)] if differences else []
    listed = [(row, column, one, row) for row in levels for column, one in columns.items()]
    listed += [(row, f"delta {column}", one, row) for row in pairs for column, one in columns.items()]
    listed += [(row, column, one, "") for (row, column), one in overall.items()]
    for row, column, one, level in listed:
        if (one.name, level) in rows:
            yield Cell(row, column, *numbers(rows[one.name, level], scale), n=rows[one.name, level]["n"])


Rows = dict[tuple[str, str], dict[str, Any]]  # estimates by measure and level


def _of_run(subject: Subject, levels: Levels, measures: Sequence[str]) -> Rows:
    """What the run has estimated already, of the grouping that cuts it in the same way, by the levels' names here."""
    run = subject.result
    if not isinstance(run, Run) or subject.table is not run.answers:
        return {}
    against = pl.col("reference").eq_missing(pl.lit(subject.part or None, pl.String))
    known = run.estimates.filter(pl.col("measure").is_in(measures), against, variant="raw")
    for grouping in run.manifest.suite.groupings:
        column = grouping.column or grouping.name
        names = {name if (grouping.levels or {}).get(name) == level else level.get(column): name
                 for name, level in levels.items() if len(level) == 1}  # fmt: skip
        if None not in names and len(names) == len(levels):
            mine = known.filter(pl.col("group").is_in([ALL, grouping.name])).iter_rows(named=True)
            return {
                (row["measure"], " - ".join(names.get(part, part) for part in row["level"].split(" - "))): row
                for row in mine
            }
    return {}


def _plain(
    table: pl.DataFrame, grouping: Grouping, measures: Iterable[Measure], whole: Iterable[Measure], scale: float
) -> Rows:
    """Values without intervals: by level, of the whole table, differences of two levels."""
    parts, rows = dict(grouping.parts(table)), Rows()
    unknown = {"low": None, "high": None}
    for measure in measures:
        name, base = measure.name, value(measure, table) if measure.against_base else 0.0
        for level, part in parts.items():
            rows[name, level] = {"value": scale * (value(measure, part) - base), **unknown, "n": part.height}
        for one, other in combinations(parts, 2):
            gap = rows[name, one]["value"] - rows[name, other]["value"]
            rows[name, f"{one} - {other}"] = {"value": gap, **unknown, "n": None}
    for measure in whole:
        bound = resolve((measure,), (grouping,), table)[0]
        rows[measure.name, ""] = {"value": scale * value(bound, table), **unknown, "n": table.height}
    return rows
