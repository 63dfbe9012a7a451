"""evenhand calibrate: the detector's own error, from a person's labels."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.cli.output import number, print_json, print_table
from evenhand.level import LEVEL, interval_words
from evenhand.review import sheets

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def calibrate(
    labels: Path = typer.Argument(
        metavar="LABELS", help="the table of `evenhand review RUN --sample N` with the column label filled in"
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write the calibration here (JSON)"
    ),
    language: str | None = typer.Option(
        None, "--language", metavar="LANG", help="target language, if the file does not say"
    ),
    kind: str | None = typer.Option(
        None, "--kind", metavar="KIND", help="kind of suite (nouns, pronouns), if the file does not say"
    ),
    level: float = typer.Option(LEVEL, "--level", metavar="X", help="confidence level of the intervals"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Compare verdicts with a person's labels: the confusion matrix with intervals, to be given to audit or score."""
    rates = sheets.calibrate(labels, language=language, kind=kind)
    if output is not None:
        rates.save(output)
    table = rates.table(level=level)
    if json:
        print_json({"fingerprint": rates.fingerprint, "left_out": rates.left_out, "matrix": table.to_dicts()})
        return
    print_table(
        f"verdicts given what a person says, {rates.kind} suites into {rates.language}",
        ("person says", "verdict", "labels", "share", interval_words(level)),
        [
            (
                r["true"],
                r["verdict"],
                str(r["labels"]),
                number(r["share"]),
                f"[{number(r['low'])}, {number(r['high'])}]",
            )
            for r in table.iter_rows(named=True)
        ],
    )
    if rates.left_out:
        typer.echo(f"{rates.left_out} rows without a gender by a person, or with an undecided verdict, are left out.")
    typer.echo(
        f"written to {output}" if output else "Use -o FILE to keep it, then `evenhand score RUN --calibration FILE`."
    )
