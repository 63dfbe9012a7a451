"""How verbs print: JSON for machines, tables for people."""

from __future__ import annotations

import io
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl
import typer
from rich.console import Console
from rich.table import Table

from evenhand.errors import MissingExtra
from evenhand.findings import Findings
from evenhand.level import interval_words
from evenhand.measures.planned import CONFIRMATORY, PLANNED
from evenhand.runs import Run
from evenhand.tables import ALL

_WIDE = 10_000
REPORT = "report.html"


def print_json(value: object) -> None:
    """One JSON document on stdout and nothing else."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str))


def console(*, stderr: bool = False) -> Console:
    """A console that keeps lines whole in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else 160, highlight=False, markup=False)


def print_table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A plain table. A terminal folds what is too wide for it; in a pipe every row stays one line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    if title:
        typer.echo(title)
    if sys.stdout.isatty():
        Console(highlight=False, markup=False).print(table)
        return
    text = io.StringIO()
    Console(file=text, width=_WIDE, highlight=False, markup=False).print(table)
    for line in text.getvalue().splitlines():
        typer.echo(line.rstrip())


def number(value: float | None, digits: int = 3) -> str:
    if value is None or math.isnan(value):
        return ""
    shown = f"{value:.{digits}f}"
    return shown if float(shown) else shown.removeprefix("-")


def probability(p: float | None) -> str:
    """A p-value with four digits; never as zero."""
    return "<0.0001" if p is not None and p < 0.0001 else number(p, 4)


def interval(row: Mapping[str, object]) -> str:
    low, high = row["low"], row["high"]
    if not isinstance(low, float) or not isinstance(high, float):
        return ""
    return f"[{number(low)}, {number(high)}]"


_SECTORS = ("B_female_dominated", "B_male_dominated")
_FEW = 4  # groupings with more levels than this are left to the run's tables and the report
_BY_GROUP = (
    "P_S",
    "TFG",
    "accuracy",
    "share_female",
    "reference_accuracy",
    "male_rate",
    "change_female",
    "wrong_common",
    "SBias",
)


def headline(estimates: pl.DataFrame) -> pl.DataFrame:
    """What a terminal shows: overall estimates, leading ones of small groupings, sector means against a reference."""
    is_difference = pl.col("level").str.contains(" - ", literal=True)
    levels = estimates.filter(~is_difference).group_by("group").agg(pl.col("level").n_unique())
    small = levels.filter(pl.col("level") <= _FEW)["group"].to_list()
    two = levels.filter(pl.col("level") <= 2)["group"].to_list()
    grouped = pl.col("group").is_in(small) & pl.col("measure").is_in(_BY_GROUP)
    grouped &= ~is_difference | pl.col("group").is_in(two) | pl.col("measure").is_in(["wrong_common"])
    sector = pl.col("reference").is_not_null() & (pl.col("group") == "sector") & pl.col("measure").is_in(_SECTORS)
    planned = pl.col(PLANNED) == CONFIRMATORY if PLANNED in estimates.columns else pl.lit(value=False)
    return estimates.filter((pl.col("level") == "") | grouped | (sector & pl.col("value").is_not_null()) | planned)


def print_estimates(run: Run, *, everything: bool = False) -> None:
    """Value, interval, method and coverage of a run's estimates, with what has to be said about them."""
    estimates = run.estimates
    shown = estimates if everything else headline(estimates)
    if PLANNED in shown.columns:
        shown = shown.sort(pl.col(PLANNED) != CONFIRMATORY, maintain_order=True)
    often = [note for note, times in Counter(shown["note"].drop_nulls().to_list()).items() if times > 1]
    marks = {note: f"({n})" for n, note in enumerate(often, start=1)}
    rows = []
    for row in shown.iter_rows(named=True):
        where = f"{row['group']}={row['level']}" if row["level"] else "all"
        if row["reference"]:
            where += f" vs {row['reference']}"
        variant = "" if row["variant"] in (None, "raw") else str(row["variant"])
        coverage = f"{row['n_decided']}/{row['n']}" if row["n"] else ""
        valid = f"{row['n_valid']}/{row['n']}" if row["n"] and row.get("n_valid") is not None else ""
        p = number(row["p_adjusted"] if row["p_adjusted"] is not None else row["p"], 4)
        rows.append(
            (
                str(row["measure"]),
                where,
                variant,
                str(row.get(PLANNED) or ""),
                number(row["value"]),
                interval(row),
                str(row["interval"] or "").split(" (")[0],
                valid,
                coverage,
                p,
                marks.get(row["note"], str(row["note"] or "")),
            )
        )
    words = interval_words(run.manifest.level)
    head = ("measure", "group", "variant", "plan", "value", words, "method", "valid", "decided", "p adj.", "note")
    keep = [n for n, name in enumerate(head) if name in ("measure", "value") or any(row[n] for row in rows)]
    print_table(None, [head[n] for n in keep], [[row[n] for n in keep] for row in rows])
    for note, mark in marks.items():
        typer.echo(f"{mark} {note}")
    for note in run.manifest.notes:
        typer.echo(f"note: {note}")
    if run.manifest.answered_words:
        typer.echo(run.manifest.answered_words)
    if shown.height < estimates.height:
        typer.echo(
            f"{estimates.height - shown.height:,} more estimates by group are in the run, its report, and --all."
        )
    print_plan(run)


def print_plan(run: Run) -> None:
    """The plan a run was held against, on one line; nothing without one."""
    plan = run.manifest.plan
    if plan is not None:
        named = ", ".join(
            measure if group == ALL else f"{measure} by {group}" for measure, group in run.manifest.confirmatory
        )
        typer.echo(f"\nplan       {plan.get('hash')}, frozen {plan.get('frozen')}: confirmatory are {named}")


def print_signature(result: Run | Findings) -> None:
    typer.echo(f"\nsignature  {result.signature}")


def estimates_json(run: Run | Findings) -> dict[str, object]:
    """What --json prints for a run: JSON has no NaN, so undefined values are null."""
    return {"signature": run.signature, "path": str(run.path) if run.path else None, "estimates": _plain(run.estimates)}


def result_json(findings: Findings) -> dict[str, object]:
    """What --json prints for findings: the same, with their tables."""
    info = findings.manifest
    return {
        "kind": info.kind,
        "title": info.title,
        "measured": info.measured,
        **estimates_json(findings),
        "tables": {name: _plain(table) for name, table in findings.tables.items()},
        "notes": list(info.notes),
    }


def _plain(table: pl.DataFrame) -> list[dict[str, object]]:
    return table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()


def write_page_inside(result: Run | Findings) -> Path | None:
    """The page inside a result's folder; None, with a word on stderr, where the packages for it are not installed."""
    from evenhand.report import write_report

    if result.path is None:
        return None
    try:
        return write_report([result], result.path / REPORT)
    except MissingExtra as error:
        typer.echo(f"no report: {error}", err=True)
        return None
