"""evenhand calibrate: the detector's own error, from a person's labels."""

import math
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import Columns, interval, number, print_columns, print_json
from evenhand.level import LEVEL, interval_words
from evenhand.measures.calibration import Calibration
from evenhand.options import Argument, Json, Level, Option
from evenhand.review import sheets


@verb
def calibrate(
    labels: Annotated[Path, Argument("sheet of `evenhand review RUN --sample N` with labels", "LABELS")],
    output: Annotated[Path | None, Option("write the calibration here (JSON)", "FILE", "--output -o")] = None,
    language: Annotated[str | None, Option("target language, if the file does not say", "LANG")] = None,
    kind: Annotated[str | None, Option("kind of suite (nouns, pronouns), if the file does not say", "KIND")] = None,
    level: Level = LEVEL,
    json: Json = False,
) -> None:
    """Compare verdicts with a person's labels: a confusion matrix with intervals, for `audit` and `score`."""
    rates = sheets.calibrate(labels, language=language, kind=kind)
    if output is not None:
        rates.save(output)
    table = rates.table(level=level)
    if json:
        facts = {"fingerprint": rates.fingerprint, "left_out": rates.left_out, "note": rates.thin or None}
        groups = {"by_level": rates.by_level(level=level).to_dicts(), "pooling": _pooling(rates)}
        print_json({**facts, "matrix": table.to_dicts(), **groups})
        return
    title = f"verdicts given what a person says, {rates.kind} suites into {rates.language}"
    print_columns(title, _columns(level), table.iter_rows(named=True))
    if rates.groups:
        _print_levels(rates, level)
    if rates.thin:
        typer.echo(f"note: {rates.thin}; corrected estimates repeat this warning")
    if rates.left_out:
        typer.echo(f"{rates.left_out} rows without a labelled gender or with an undecided verdict are skipped.")
    hint = "Use -o FILE to keep it, then `evenhand score RUN --in-place --calibration FILE`."
    typer.echo(f"written to {output}" if output else hint)


def _columns(level: float) -> Columns:
    names = {"person says": "true", "verdict": "verdict", "labels": "labels", "share": "share"}
    return {**names, interval_words(level): interval}


def _pooling(rates: Calibration) -> dict[str, dict[str, str | float | None]]:
    return {
        grouping: {"p_alike": None if math.isnan(p) else p, "too_few": rates.too_few(grouping) or None}
        for grouping, p in rates.pooling().items()
    }


def _print_levels(rates: Calibration, level: float) -> None:
    """How often women are taken for men, and men for women, in each group; whether that is the same in all."""
    both = pl.all_horizontal(pl.col("true", "verdict").is_in(["female", "male"]))
    wrong = rates.by_level(level=level).filter(both, pl.col("true") != pl.col("verdict"))
    columns: Columns = {"grouping": "grouping", "group": "group", **_columns(level)}
    title = "\nby group: persons of one gender that got the other's verdict"
    print_columns(title, columns, wrong.iter_rows(named=True))
    for grouping, pooling in _pooling(rates).items():
        p, few = pooling["p_alike"], pooling["too_few"]
        alike = "nothing to compare" if p is None else f"the same error rates in all groups: p {number(float(p), 4)}"
        used = f"one matrix for all groups, because {few}" if few else "a matrix for each group"
        typer.echo(f"{grouping}: {alike}; contrasts are corrected by {used}")
