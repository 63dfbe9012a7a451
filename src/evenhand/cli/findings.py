"""What every verb that makes findings does at its end: save them, show them, say where they are."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

import typer

from evenhand.cli.output import (
    console,
    print_json,
    print_places,
    print_signature,
    print_table,
    result_json,
    say,
    write_page_inside,
)
from evenhand.level import interval_words
from evenhand.report import require_charts, write_report
from evenhand.report.exchange import tables
from evenhand.report.pages.kinds import shown
from evenhand.report.words.tables import TextTable
from evenhand.results.findings import Findings, check_findings_place
from evenhand.storage.atomic import check_writable


def check_findings_output(output: Path | None, kind: str) -> None:
    """Refuse, before any work, what could not be written afterwards."""
    if output is None:
        return
    if output.suffix == ".html":
        require_charts("writing a page")
    if output.suffix == ".html" or output.suffix in tables.WRITERS:
        check_writable(output)
    else:
        check_findings_place(output, kind)


def finish(findings: Findings, output: Path | None, *, json: bool) -> None:
    """Write what was asked for (`check_findings_output` said it can be), and print the findings."""
    page: Path | None = None
    if output is not None and output.suffix == ".html":
        page = write_report([findings], output)
    elif output is not None and output.suffix in tables.WRITERS:
        tables.write_table([findings], output)
    elif output is not None:
        findings = findings.save(output)
        page = write_page_inside(findings)
    if json:
        print_json({**result_json(findings), "report": str(page) if page else None})
        return
    print_findings(findings)
    print_places(result=findings.path, report=page)


def print_findings(findings: Findings) -> None:
    """What the kind's page says first, its sections as tables, the notes, the signature."""
    seen = shown(findings)
    say(findings.manifest.title)
    say(findings.manifest.measured)
    say(seen.answer.finding)
    for section in seen.sections:
        typer.echo("")
        print_section(section)
    typer.echo(f"\nin brackets: {interval_words(findings.manifest.level)}s")
    for note in findings.manifest.notes:
        say(f"note: {note}", hang=6)
    print_signature(findings)


def print_section(section: TextTable) -> None:
    """A table; a terminal that is too narrow for it leaves spare columns out and names them."""
    columns, rows, spared = list(section.columns), [list(row) for row in section.rows], []
    screen = console()
    for name in section.spare:
        if not screen.is_terminal or (sum(_widths(columns, rows)) + 2 * (len(columns) - 1)) <= screen.width:
            break
        place = columns.index(name)
        columns.pop(place)
        for row in rows:
            row.pop(place)
        spared.append(name)
    if screen.is_terminal:
        columns = [
            "\n".join(textwrap.wrap(name, least)) for name, least in zip(columns, _widths(columns, rows), strict=True)
        ]
    print_table(section.title, columns, rows, whole=columns[:1])
    if spared:
        say(f"a wider terminal and the page have also: {', '.join(spared)}")


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """How wide each column has to be, where the words of its head may stand one under another."""
    heads = [max(map(len, name.split()), default=1) for name in columns]
    cells = [max((len(row[place]) for row in rows), default=0) for place in range(len(columns))]
    return [*map(max, heads, cells)]
