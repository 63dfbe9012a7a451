"""How verbs print: JSON for machines, tables for people."""

import io
import json
import math
import shutil
import sys
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, TextIO, cast

import polars as pl
import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from evenhand.errors import MissingExtra
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.storage.atomic import replacing

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_WIDE = 10_000
_IN_MEMORY = 64 * 1024**2
_FOLDED = 12  # letters that a folded column keeps on a line
REPORT = "report.html"
TableRow = Mapping[str, Any]  # a row as Polars gives it
Columns = dict[str, str | Callable[[TableRow], str]]  # each the name of a value in the rows, or what makes its cell


def print_json(value: object) -> None:
    """One JSON document on stdout and nothing else."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str))


def console(*, stderr: bool = False) -> Console:
    """A console that keeps lines whole in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else 160, highlight=False, markup=False)


@contextmanager
def progress_bar(*columns: "ProgressColumn") -> Iterator["Progress"]:
    """A bar on a terminal, with the name of its step before it and these columns behind; nothing in a pipe."""
    from rich.progress import BarColumn, Progress, TextColumn  # here: most verbs have none

    shown = (TextColumn("{task.description:<28}"), BarColumn(), *columns)
    screen = console(stderr=True)
    with Progress(*shown, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        yield bar


def print_table(
    title: str | None, columns: Sequence[str], rows: Iterable[Sequence[str]], *, whole: Container[str] = ()
) -> None:
    """A plain table. A terminal folds what is too wide for it, but not the `whole` columns; where there is no room
    even for them, every row is a paragraph. In a pipe a row is one line."""
    if title:
        say(title)
    if not sys.stdout.isatty():
        for line in table_lines(columns, rows):
            typer.echo(line)
        return
    rows, screen = list(rows), console()
    if _least(columns, rows, whole) > screen.width:
        _print_paragraphs(columns, rows)
    else:
        screen.print(_table(columns, rows, whole))


def print_columns(
    title: str | None,
    columns: Mapping[str, str | Callable[[TableRow], str]],
    rows: Iterable[TableRow],
    *,
    whole: Container[str] = (),
    kept: Container[str] | None = None,
    under: str = "",
) -> None:
    """A table by its columns: each the name of a value in the rows, or what makes its cell of a row. With `kept`, other
    columns in which every cell is empty are left out. A terminal too narrow for the table has the column `under` on
    lines of its own, above the rows they belong to."""
    makers = {name: maker if callable(maker) else partial(_cell, maker) for name, maker in columns.items()}
    rows = list(rows)
    cells = {name: [make(row) for row in rows] for name, make in makers.items()}
    shown = [name for name in cells if kept is None or name in kept or any(cells[name])]
    lines = list(zip(*(cells[name] for name in shown), strict=True))
    if title:
        say(title)
    screen = console()
    if under in shown and screen.is_terminal and max(map(len, table_lines(shown, lines))) > screen.width:
        _print_under(under, shown, lines)
    else:
        print_table(None, shown, lines, whole=whole)


def _cell(name: str, row: TableRow) -> str:
    value = row[name]
    return number(value) if value is None or isinstance(value, float) else str(value)


def _least(columns: Sequence[str], rows: Sequence[Sequence[str]], whole: Container[str]) -> int:
    """How many columns of a terminal a table needs: `whole` columns as they are, others folded to a few letters."""
    widths = [max(map(cell_len, lines)) for lines in zip(columns, *rows, strict=True)]
    least = [width if name in whole else min(width, _FOLDED) for name, width in zip(columns, widths, strict=True)]
    return sum(least) + 2 * (len(columns) - 1)


def _print_paragraphs(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Each row under its first cell, with the name of every column that has something to say."""
    names = [" ".join(name.split()) for name in columns[1:]]
    for first, *others in rows:
        say(first)
        say("; ".join(f"{name}: {cell}" for name, cell in zip(names, others, strict=True) if cell), indent=2)


def _print_under(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table with one column on lines of its own, above the rows they belong to."""
    place = columns.index(name)

    def rest(row: Sequence[str]) -> list[str]:
        return [*row[:place], *row[place + 1 :]]

    order = {value: number for number, value in enumerate(dict.fromkeys(row[place] for row in rows))}
    rows = sorted(rows, key=lambda row: order[row[place]])
    top, *lines = table_lines(rest(columns), [rest(row) for row in rows])
    typer.echo(f"  {top}")
    above = ""
    for row, line in zip(rows, lines, strict=True):
        if row[place] != above:
            above = row[place]
            say(above)
        say(line, indent=2, hang=4)


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The head of a table and one line per row, as wide as they are."""
    text = io.StringIO()
    Console(file=text, width=_WIDE, highlight=False, markup=False).print(_table(columns, rows))
    return [line.rstrip() for line in text.getvalue().splitlines()]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], whole: Container[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in whole)
    for row in rows:
        table.add_row(*row)
    return table


def say(text: str, *, indent: int = 0, hang: int = 0) -> None:
    """Lines of words, `indent` columns in, `hang` more from the second line on: a terminal gets them wrapped at its own
    width, a pipe as they are."""
    screen = console()
    fill = partial(textwrap.fill, width=screen.width, break_on_hyphens=False)
    first, rest = " " * indent, " " * (indent + hang)
    for line in text.split("\n"):
        if screen.is_terminal and line:
            typer.echo(fill(line, initial_indent=first, subsequent_indent=rest))
        else:
            typer.echo(first + line if line else "")


def number(value: float | None, digits: int = 3) -> str:
    if value is None or math.isnan(value):
        return ""
    shown = f"{value:.{digits}f}"
    return shown if float(shown) else shown.removeprefix("-")


def probability(p: float | None) -> str:
    """A p-value with four digits; never as zero."""
    return "<0.0001" if p is not None and p < 0.0001 else number(p, 4)


def interval(row: TableRow) -> str:
    ends = (row["low"], row["high"])
    return f"[{number(ends[0])}, {number(ends[1])}]" if all(isinstance(end, float) for end in ends) else ""


def print_signature(result: Run | Findings) -> None:
    """What the numbers depend on: short enough to quote beside one, then in full."""
    typer.echo(f"\nshort      {result.short_signature}\nsignature  {result.signature}")


def estimates_json(run: Run | Findings) -> dict[str, object]:
    """What --json prints for a run: JSON has no NaN, so undefined values are null."""
    return {
        "short_signature": run.short_signature,
        "signature": run.signature,
        "path": str(run.path) if run.path else None,
        "estimates": plain_rows(run.estimates),
    }


def result_json(findings: Findings) -> dict[str, object]:
    """What --json prints for findings: the same, with their tables."""
    info = findings.manifest
    return {
        "kind": info.kind,
        "title": info.title,
        "measured": info.measured,
        **estimates_json(findings),
        "tables": {name: plain_rows(table) for name, table in findings.tables.items()},
        "notes": list(info.notes),
    }


def plain_rows(table: pl.DataFrame) -> list[dict[str, object]]:
    """The rows of a table for JSON, which has no NaN."""
    return table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()


def print_places(**places: Path | str | None) -> None:
    """Where results are, one line per name; those that were not written are left out."""
    for name, place in places.items():
        if place is not None:
            typer.echo(f"{name:<10} {place}")


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


def write_whole(output: Path | None, write: Callable[[TextIO], object]) -> None:
    """Call `write` with a stream; what it wrote appears only when it came to its end: half of it would pass for the
    whole."""
    if output is not None:
        with replacing(output) as stream:
            write(stream)
        return
    with SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="utf-8", newline="\n") as held:
        write(cast("TextIO", held))
        held.seek(0)
        shutil.copyfileobj(held, sys.stdout)
