"""What every verb that makes findings does at its end: save them, show them, say where they are."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.atomic import check_writable
from evenhand.cli.output import print_json, print_signature, print_table, result_json, write_page_inside
from evenhand.findings import Findings, check_findings_place
from evenhand.level import interval_words
from evenhand.report import exports, require_charts, write_report
from evenhand.report.kinds import shown

OUTPUT = typer.Option(
    "--output",
    "-o",
    metavar="DIR",
    help="folder of the result, with report.html in it; or just a page.html, .csv, .tex",
)


def check_findings_output(output: Path | None, kind: str) -> None:
    """Refuse, before any work, what could not be written afterwards."""
    if output is None:
        return
    if output.suffix == ".html":
        require_charts("writing a page")
    if output.suffix == ".html" or output.suffix in exports.WRITERS:
        check_writable(output)
    else:
        check_findings_place(output, kind)


def finish(findings: Findings, output: Path | None, *, json: bool) -> None:
    """Write what was asked for (`check_findings_output` said it can be), and print the findings."""
    page: Path | None = None
    if output is not None and output.suffix == ".html":
        page = write_report([findings], output)
    elif output is not None and output.suffix in exports.WRITERS:
        exports.write_table([findings], output)
    elif output is not None:
        findings = findings.save(output)
        page = write_page_inside(findings)
    if json:
        print_json({**result_json(findings), "report": str(page) if page else None})
        return
    print_findings(findings)
    for name, path in (("result", findings.path), ("report", page)):
        if path is not None:
            typer.echo(f"{name:<10} {path}")


def print_findings(findings: Findings) -> None:
    """The sections of the kind's page as tables, the notes, the signature."""
    typer.echo(findings.manifest.title)
    typer.echo(findings.manifest.measured)
    for section in shown(findings).sections:
        typer.echo("")
        print_table(section.title, section.columns, section.rows)
    typer.echo(f"\nin brackets: {interval_words(findings.manifest.level)}s")
    for note in findings.manifest.notes:
        typer.echo(f"note: {note}")
    print_signature(findings)
