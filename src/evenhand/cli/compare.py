"""evenhand compare: several runs of the same suite with paired tests, or other results side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
import typer

from evenhand.cli.findings import print_findings
from evenhand.cli.options import CHOSEN, LEVEL_OPTION, MARGIN
from evenhand.cli.output import (
    console,
    interval,
    number,
    print_json,
    print_table,
    print_under,
    probability,
    result_json,
    say,
)
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.margins import equivalent
from evenhand.measures.decisions.planned import PLANNED
from evenhand.measures.definitions.direction import margin as read_margin
from evenhand.report.pages.kinds import of_one_kind
from evenhand.report.pages.ranked import tied_words
from evenhand.report.words.tables import differences
from evenhand.report.words.vocabulary import amount
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.workflows.amplification import TEXT, amplification
from evenhand.workflows.compare import compare as compare_runs
from evenhand.workflows.compare import names_of
from evenhand.workflows.side_by_side import UNPAIRED, side_by_side

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def compare(
    folders: list[Path] = typer.Argument(
        help="two or more folders: runs of one suite, embeddings or mining results, or one of `corpus` and runs",
        metavar="RUN",
    ),
    sentences: int = typer.Option(10, "--sentences", metavar="N", min=0, help="how many differing sentences to print"),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="write a comparison page (HTML) here"
    ),
    measure: list[str] = CHOSEN,
    margin: list[str] = MARGIN,
    level: float | None = LEVEL_OPTION,
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Paired differences with corrected tests, a ranking with ties, and the sentences on which the systems differ."""
    if len(folders) < 2:
        raise BadInput("comparing needs at least two run folders")
    results = [load_result(folder) for folder in folders]
    texts = [one for one in results if isinstance(one, Findings) and one.manifest.kind == TEXT]
    if len(texts) == 1:
        _beside_text(texts[0], [one for one in results if one is not texts[0]], output, level, json=json)
        return
    runs, findings = of_one_kind(results)
    margins = dict(map(read_margin, margin))
    if findings and (measure or margins):
        raise BadInput("--measure and --margin are for runs: other results are compared without a test")
    comparison = compare_runs(runs, measures=measure, margins=margins, level=level) if runs else None
    for caution in comparison.cautions if comparison else ():
        typer.echo(f"note: {caution}", err=True)
    if output is not None:
        from evenhand.report import write_report

        write_report(runs or findings, output, comparison=comparison)
    if comparison is None:
        _print_side_by_side(findings, json=json)
        if output is not None and not json:
            typer.echo(f"page       {output}")
        return
    if json:
        clean = comparison.differences.with_columns(pl.col(pl.Float64).fill_nan(None))
        print_json(
            {
                "runs": {name: run.signature for name, run in zip(names_of(runs), runs, strict=True)},
                "note": " ".join(comparison.cautions) or None,
                "common": comparison.common,
                "left_out": comparison.left_out,
                "differences": clean.to_dicts(),
                "ranking": comparison.ranking.to_dicts(),
                "margins": comparison.harms.to_dicts(),
                "unranked": dict(comparison.unranked),
                "differing": comparison.differing.to_dicts(),
            }
        )
        return
    systems = comparison.ranking["system"].unique(maintain_order=True).to_list()
    others_of = {name: [other for other in systems if other != name] for name in systems}
    print_table(
        f"ranking over {comparison.common:,} common renderings (tied: the corrected paired test shows neither better)",
        ("measure", "rank", "system", "value", "valid", "decided", "tied with"),
        [
            (
                r["measure"],
                "-" if r["rank"] is None else str(r["rank"]),
                r["system"],
                number(r["value"]),
                "" if r["n_valid"] is None else f"{r['n_valid']}/{r['n']}",
                f"{r['n_decided']}/{r['n']}",
                tied_words(r["tied_with"], others_of[r["system"]]),
            )
            for r in comparison.ranking.iter_rows(named=True)
        ],
        whole=("measure", "rank", "value", "valid", "decided"),
    )
    for remark in comparison.remarks:
        typer.echo(remark)
    told = runs[0].manifest.level if level is None else level
    by_plan = PLANNED in comparison.differences.columns
    named = comparison.differences["level"].unique().to_list()
    several = len(named) != 1 or not console().is_terminal  # in a pipe a row says everything
    terminal = console().is_terminal
    notes = comparison.differences["note"].drop_nulls().unique(maintain_order=True)
    marks = {note: f"({n})" if terminal else note for n, note in enumerate(notes, start=1)}
    noted = not terminal or bool(marks)
    columns = [
        "measure",
        *(["difference"] if several else []),
        "value",
        interval_words(told),
        "p",
        "p adj.",
        "reading",
        *([PLANNED] if by_plan else []),
        *(["note"] if noted else []),
    ]
    rows = [
        [
            r["measure"],
            *([r["level"]] if several else []),
            number(r["value"]),
            interval(r),
            probability(r["p"]),
            probability(r["p_adjusted"]),
            r["reading"],
            *([r[PLANNED]] if by_plan else []),
            *([marks.get(r["note"], "")] if noted else []),
        ]
        for r in comparison.differences.iter_rows(named=True)
    ]
    say("\npaired differences" + ("" if several else f": {named[0]}"))
    if not (several and print_under("difference", columns, rows)):
        print_table(None, columns, rows, whole=("measure", "value", interval_words(told), "p", "p adj."))
    for note, mark in marks.items() if terminal else ():
        say(f"{mark} {note}", hang=4)
    if comparison.harms.height:
        _print_margins(comparison.harms, told)
    typer.echo(f"\n{amount(comparison.differing.height, 'sentence')} on which the systems differ")
    for row in comparison.differing.head(sentences).iter_rows(named=True):
        _print_differing(row, names_of(runs))
    if output is not None:
        typer.echo(f"page       {output}")


def _print_differing(row: Mapping[str, object], names: Sequence[str]) -> None:
    """A sentence, and below it what each system made of it."""
    sample = f" (sample {row['sample']})" if row.get("sample") else ""
    say(f"{row['id']}{sample}  {row['source']}", indent=2, hang=2)
    for name in names:
        say(f"{name}, {row[f'gender {name}']}: {row[f'rendering {name}']}", indent=4, hang=2)


def _beside_text(
    text: Findings, others: list[Run | Findings], output: Path | None, level: float | None, *, json: bool
) -> None:
    """Runs beside an audited text: what `evenhand corpus` made."""
    runs = [one for one in others if isinstance(one, Run)]
    if len(runs) < len(others):
        raise BadInput("an audited text is compared with runs of a suite, not with findings of another kind")
    beside = amplification(text, runs, level=level)
    if output is not None:
        from evenhand.report import write_report

        write_report([beside], output)
    if json:
        print_json(result_json(beside))
        return
    print_findings(beside)
    if output is not None:
        typer.echo(f"page       {output}")


def _print_margins(harms: pl.DataFrame, level: float) -> None:
    """Whether each system is no worse than each other by more than the margin; what it takes to show it."""
    print_table(
        f"\nno worse by more than the margin? (bounds at {100 * level:.4g} % each)",
        (
            "measure",
            "system",
            "against",
            "worse by",
            "at least",
            "at most",
            "margin",
            "shown",
            "smallest margin to show",
        ),
        [
            (
                r["measure"],
                r["system"],
                r["against"],
                *(number(r[c]) for c in ("worse_by", "at_least", "at_most", "margin")),
                f"{r['outcome']}: {r['note']}" if r["note"] else r["outcome"],
                number(r["reach"]),
            )
            for r in harms.iter_rows(named=True)
        ],
    )
    for measure, one, two, margin in equivalent(harms):
        typer.echo(f"{measure}: {one} and {two} are equal within {margin:g}")


def _print_side_by_side(findings: list[Findings], *, json: bool) -> None:
    """Results that are no runs: values and their differences, without a test."""
    beside = side_by_side(findings)
    if json:
        print_json(
            {
                "results": {name: one.signature for name, one in zip(beside.names, findings, strict=True)},
                "common": beside.table.height,
                "alone": beside.alone,
                "estimates": beside.table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts(),
                "note": UNPAIRED,
            }
        )
        return
    table = differences(beside)
    print_table(table.title, table.columns, table.rows)
    typer.echo(f"\n{UNPAIRED}")
    if beside.alone:
        typer.echo(f"{beside.alone:,} estimates are in some of them only.")
