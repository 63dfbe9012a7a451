"""Estimates as tables of text, for terminal and page: by level and measure, or several results side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.measures.decisions.ranking import ranks_of
from evenhand.report.words.vocabulary import change_unit, show, show_p, span, valued, wording
from evenhand.workflows.compare import UNPAIRED, SideBySide

TEST = "test"  # the unit of a measure of which only the p-value counts


@dataclass(frozen=True)
class TextTable:
    """A table of text under a title, with a sentence that says how to read it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    lead: str = ""
    spare: Sequence[str] = ()
    """Columns that a narrow terminal may leave out, the first of them first."""


def crosstab(
    estimates: pl.DataFrame, measures: Iterable[str], *, title: str, head: str, lead: str = ""
) -> TextTable | None:
    """One row per level, one column per measure, with its adjusted p; a single level is turned on its side. None where
    nothing was measured."""
    order = {measure: n for n, measure in enumerate(measures)}
    listed = estimates.filter(pl.col("measure").is_in(list(order)))
    levels = listed["level"].unique(maintain_order=True).to_list()
    columns_of = listed.select("measure", "reference").unique(maintain_order=True).rows()
    if len(levels) == 1:
        return _single(
            listed, sorted(columns_of, key=lambda key: order[key[0]]), title=title, head=levels[0], lead=lead
        )
    columns: list[str] = [head]
    rows: list[list[str]] = [[level] for level in levels]
    for measure, reference in sorted(columns_of, key=lambda key: order[key[0]]):
        matching = (pl.col("measure") == measure) & pl.col("reference").eq_missing(pl.lit(reference, pl.String))
        by_level = {row["level"]: row for row in listed.filter(matching).iter_rows(named=True)}
        for name, cells in _columns(measure, reference, [by_level.get(level) for level in levels]):
            if any(cells):
                columns.append(name)
                rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    return TextTable(title, columns, rows, lead) if len(columns) > 1 else None


def _single(
    listed: pl.DataFrame, columns_of: Sequence[tuple[str, str | None]], *, title: str, head: str, lead: str
) -> TextTable | None:
    """One row per measure of a single level, with a column for p where there is one."""
    rows: list[tuple[str, str, str]] = []
    for measure, reference in columns_of:
        matching = (pl.col("measure") == measure) & pl.col("reference").eq_missing(pl.lit(reference, pl.String))
        estimate = listed.filter(matching).row(0, named=True)
        cells = [(name, column[0]) for name, column in _columns(measure, reference, [estimate])]
        only_p = wording(measure).unit == TEST
        name = cells[0][0].removeprefix("p, ") if only_p else cells[0][0]
        rows.append((name, "" if only_p else cells[0][1], cells[-1][1]))
    tested = "p, adjusted" if listed["p_adjusted"].is_not_null().any() else "p"
    if not any(p for _, _, p in rows):
        return TextTable(title, ("", head), [row[:2] for row in rows], lead) if any(v for _, v, _ in rows) else None
    return TextTable(title, ("", head, tested), rows, lead)


def differences(beside: SideBySide) -> TextTable:
    """Every common estimate as text: each value with its interval, then how far it is from the first."""
    first, *others = beside.names
    columns = ["measure", "of", *beside.names, *(f"{name} – {first}" for name in others)]
    rows = []
    grouped = (
        beside.table.select("measure", "reference", "level").is_duplicated().any()
    )  # the level alone is not enough
    for row in beside.table.iter_rows(named=True):
        words = wording(row["measure"])
        if words.unit == TEST:
            continue
        values = [valued(row[name], row[f"{name} low"], row[f"{name} high"], words.unit) for name in beside.names]
        apart = [show(row[f"{name} - {first}"], change_unit(words.unit)) for name in others]
        about = words.title + (f" · {row['reference']}" if row["reference"] else "")
        rows.append([about, f"{row['group']}: {row['level']}" if grouped else row["level"], *values, *apart])
    return TextTable("The same measures side by side", columns, rows, UNPAIRED)


def _columns(
    measure: str, reference: str | None, estimates: Sequence[Mapping[str, object] | None]
) -> Iterator[tuple[str, list[str]]]:
    words = wording(measure)
    title = words.title + (f" · {reference}" if reference else "")
    if words.unit == TEST:
        yield f"p, {title}", [_p(row) for row in estimates]
        return
    coverage = {(row["n_decided"], row["n"]) if row else (None, None) for row in estimates}
    covered, of = coverage.pop() if len(coverage) == 1 else (None, None)
    counted = f" ({covered:,}" + (f" of {of:,})" if of != covered else ")") if isinstance(covered, int) else ""
    yield title + counted, [_value(row, words.unit) for row in estimates]
    adjusted = any(row and row["p_adjusted"] is not None for row in estimates)
    yield "p, adjusted" if adjusted else "p", [_p(row) for row in estimates]


def _value(row: Mapping[str, object] | None, unit: str) -> str:
    if row is None or row["value"] is None:
        return ""
    return valued(row["value"], row["low"], row["high"], unit)


def _p(row: Mapping[str, object] | None) -> str:
    p = None if row is None else row["p"] if row["p_adjusted"] is None else row["p_adjusted"]
    return show_p(p) if isinstance(p, float) else ""


def pooled_words(row: Mapping[str, object]) -> dict[str, str]:
    """A pooled row (measures/decisions/pooled.py) as text."""
    words = wording(str(row["measure"]))
    shown = {"measure": words.title, "system": str(row["system"]), "runs": str(row["runs"]), "page": ""}
    return shown | {
        "value": show(row["value"], words.unit),
        "interval": span(row["low"], row["high"], words.unit),
        "spread": show(row["spread"], change_unit(words.unit)),
        "another": span(row["another_low"], row["another_high"], words.unit),
    }


# The ranking of a comparison: one group of rows per measure, each value with its interval.

FEW = 4  # names that are quickly read


def rankings(ranking: pl.DataFrame, *, order: Sequence[str], lead: str | None) -> list[dict[str, object]]:
    """Each measure with its systems, the best first: the leading measure, others that rank, the rest."""
    numbers = {measure: number for number, measure in enumerate(order)}
    directed = set(ranking.drop_nulls("rank")["measure"])
    measures = sorted(
        ranking["measure"].unique(maintain_order=True),
        key=lambda measure: (measure not in directed, measure != lead, numbers.get(measure, len(numbers))),
    )
    made: list[dict[str, object]] = []
    for words in map(wording, measures):
        rows = ranking.filter(measure=words.measure).to_dicts()
        ranked = [_ranked(row, [other["system"] for other in rows], words.unit) for row in rows]
        made.append({"measure": words.measure, "title": words.title, "explanation": words.explanation, "rows": ranked})
    return made


def _ranked(row: Mapping[str, object], systems: Sequence[str], unit: str) -> dict[str, object]:
    """One system's place by one measure, ready to print; value and interval are of the sentences that all have."""
    n, system = row["n"], str(row["system"])
    return {
        "rank": ranks_of(row, "–"),
        "system": system,
        "shown": show(row["value"], unit),
        "interval": span(row["low"], row["high"], unit) if row["low"] is not None else "",
        "covered": (
            "–" if row["n_valid"] is None else f"{row['n_valid']:,} of {n:,}",
            f"{row['n_decided']:,} of {n:,}",
        ),
        "tied": tied_words(str(row["tied_with"]), [name for name in systems if name != system]),
    }


def tied_words(tied_with: str, others: Sequence[str]) -> str:
    """With whom a system is tied, in few words: many names are said by those that are missing, or only counted."""
    tied = [name for name in others if f", {name}, " in f", {tied_with}, "]  # a name may have a comma of its own
    if len(tied) <= FEW:
        return tied_with
    missing = [name for name in others if name not in tied]
    if not missing:
        return "all others"
    if len(missing) <= FEW:
        return f"all but {', '.join(missing)}"
    return ", ".join(tied) if len(tied) <= 2 * FEW else f"{len(tied)} of {len(others)} others"
