"""evenhand compare: several runs with paired tests, or other results side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.estimates import first_measures
from evenhand.cli.findings import print_findings
from evenhand.cli.options import verb
from evenhand.cli.output import (
    Columns,
    console,
    interval,
    plain_rows,
    print_columns,
    print_json,
    print_places,
    print_table,
    probability,
    result_json,
    say,
)
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.margins import equivalent
from evenhand.measures.decisions.paired import Comparison
from evenhand.measures.decisions.planned import CONFIRMATORY, PLANNED
from evenhand.measures.decisions.ranking import ranks_of
from evenhand.options import All, Argument, Json, Option
from evenhand.report.pages.kinds import of_one_kind
from evenhand.report.words.tables import differences, tied_words
from evenhand.report.words.vocabulary import amount
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.workflows.amplification import TEXT, amplification
from evenhand.workflows.compare import UNPAIRED, doubts, names_of, side_by_side
from evenhand.workflows.compare import compare as compare_runs
from evenhand.workflows.settings import CompareSettings

_PAIRS = 6  # of systems, whose differences a terminal shows without --all


@dataclass(frozen=True)
class Shown:
    """How a comparison is shown."""

    sentences: Annotated[int, Option("how many differing sentences to print", "N", least=0)] = 3
    output: Annotated[Path | None, Option("write a comparison page (HTML) here", "FILE", "--output -o")] = None
    everything: All = False
    json: Json = False


@verb
def compare(
    folders: Annotated[tuple[Path, ...], Argument("run folders, other results of one kind, or corpus and runs", "RUN")],
    settings: CompareSettings,
    shown: Shown,
) -> None:
    """Paired differences with corrected tests, a ranking with ties, and the sentences on which the systems differ."""
    if len(folders) < 2:
        raise BadInput("comparing needs at least two run folders")
    print_comparison(list(map(load_result, folders)), settings, shown)


def print_comparison(results: Sequence[Run | Findings], settings: CompareSettings, shown: Shown) -> None:
    """Compare runs, other findings, or one audited text beside runs; write the page where one is wanted, and print. An
    error at the end where nothing can be concluded."""
    texts = [one for one in results if isinstance(one, Findings) and one.manifest.kind == TEXT]
    if len(texts) == 1:
        _compare_with_text(texts[0], [one for one in results if one is not texts[0]], settings, shown)
    else:
        runs, findings = of_one_kind(results)
        if findings:
            _compare_findings(findings, settings, shown)
        else:
            _compare_runs(runs, settings, shown)
    if not shown.json:
        hint = None if shown.output else "-o page.html writes a page with charts"
        print_places(page=shown.output, next=hint)
    doubted = doubts(one for one in results if isinstance(one, Run))
    if doubted:
        raise BadInput("nothing can be concluded. " + ". ".join(doubted))


def _write_page(results: Sequence[Run | Findings], output: Path | None, comparison: Comparison | None = None) -> None:
    if output is not None:
        from evenhand.report import write_report

        write_report(results, output, comparison=comparison)


def _compare_runs(runs: Sequence[Run], settings: CompareSettings, shown: Shown) -> None:
    comparison = compare_runs(runs, **vars(settings))
    for caution in comparison.cautions:
        typer.echo(f"note: {caution}", err=True)
    _write_page(runs, shown.output, comparison)
    if shown.json:
        print_json(_comparison_json(comparison, runs))
        return
    level = runs[0].manifest.level if settings.level is None else settings.level
    from evenhand.report.words.comparison import which_is_better  # brings scipy along

    for lead in first_measures(comparison.ranking["measure"])[:1]:
        say(f"{which_is_better(comparison, lead)}\n")
    chosen = comparison if shown.everything else _key_measures(comparison, settings)
    _print_comparison(chosen, names_of(runs), level, shown.sentences)
    left = comparison.ranking["measure"].n_unique() - chosen.ranking["measure"].n_unique()
    if left:
        say(f"{amount(left, 'more measure')}, and every paired difference: --all.")


def _key_measures(comparison: Comparison, settings: CompareSettings) -> Comparison:
    """The comparison by the first measures, those that were asked for and those that a plan confirms."""
    wanted = {*settings.measures, *comparison.harms["measure"]} or set(first_measures(comparison.ranking["measure"]))
    if PLANNED in comparison.differences.columns:
        wanted |= set(comparison.differences.filter(pl.col(PLANNED) == CONFIRMATORY)["measure"])
    tables = (comparison.ranking, comparison.differences, comparison.pooled)
    ranking, pairs, pooled = (t.filter(pl.col("measure").is_in(wanted)) if t.height else t for t in tables)
    if pairs["level"].n_unique() > _PAIRS:  # ranks and ties say the same
        pairs = pairs.clear()
    return replace(comparison, ranking=ranking, differences=pairs, pooled=pooled)


def _comparison_json(comparison: Comparison, runs: Sequence[Run]) -> dict[str, object]:
    signatures = {name: run.signature for name, run in zip(names_of(runs), runs, strict=True)}
    facts = {name: getattr(comparison, name) for name in ("common", "left_out", "paired_by")}
    tables = {name: getattr(comparison, name).to_dicts() for name in ("pooled", "ranking", "differing")}
    return {
        "runs": signatures,
        "note": " ".join(comparison.cautions) or None,
        "doubts": doubts(runs),
        **facts,
        **tables,
        "differences": plain_rows(comparison.differences),
        "margins": comparison.harms.to_dicts(),
        "unranked": dict(comparison.unranked),
    }


def _print_comparison(comparison: Comparison, names: Sequence[str], level: float, sentences: int) -> None:
    systems = comparison.ranking["system"].unique(maintain_order=True).to_list()
    paired = "" if comparison.paired_by == "id" else f"paired by {comparison.paired_by}; "
    tied = f"({paired}tied: the corrected paired test finds neither better)"
    words, ranking = interval_words(level), comparison.ranking
    columns: Columns = {"measure": "measure", "rank": ranks_of, "system": "system", "value": "value", words: interval}
    covered = (pl.col("n_decided") == pl.col("n")) & (pl.col("n_valid").fill_null(pl.col("n")) == pl.col("n"))
    if not ranking.select(covered.all()).item():
        columns["valid"] = lambda row: "" if row["n_valid"] is None else f"{row['n_valid']}/{row['n']}"
        columns["decided"] = lambda row: f"{row['n_decided']}/{row['n']}"
    if len(systems) != 2:
        columns["tied with"] = lambda row: tied_words(row["tied_with"], [s for s in systems if s != row["system"]])
    title = f"ranking over {comparison.common:,} common renderings {tied}"
    whole = ("measure", "rank", "value", words, "valid", "decided")
    print_columns(title, columns, ranking.iter_rows(named=True), whole=whole)
    for remark in comparison.remarks:
        typer.echo(remark)
    if comparison.differences.height:
        _print_differences(comparison.differences, words)
    if comparison.pooled.height:
        _print_pooled(comparison.pooled, words)
    if comparison.harms.height:
        _print_margins(comparison.harms, level)
    typer.echo(f"\n{amount(comparison.differing.height, 'sentence')} on which the systems differ")
    for row in comparison.differing.head(sentences).iter_rows(named=True):
        sample = f" (sample {row['sample']})" if row.get("sample") else ""
        say(f"{row['id']}{sample}  {row['source']}", indent=2, hang=2)
        for name in names:
            say(f"{name}, {row[f'gender {name}']}: {row[f'rendering {name}']}", indent=4, hang=2)


def _print_differences(table: pl.DataFrame, words: str) -> None:
    """Paired differences; a terminal has the pair in the title where there is one only, and numbers for the notes."""
    terminal = console().is_terminal  # in a pipe a row says everything
    pairs = table["level"].unique().to_list()
    several = len(pairs) != 1 or not terminal
    notes = table["note"].drop_nulls().unique(maintain_order=True)
    marks = {note: f"({n})" if terminal else note for n, note in enumerate(notes, start=1)}
    columns: Columns = {
        "measure": "measure",
        **({"difference": "level"} if several else {}),
        "value": "value",
        words: interval,
        "p": lambda row: probability(row["p"]),
        "p adj.": lambda row: probability(row["p_adjusted"]),
        "reading": "reading",
        **({PLANNED: PLANNED} if PLANNED in table.columns else {}),
        **({"note": lambda row: marks.get(row["note"], "")} if marks or not terminal else {}),
    }
    title, whole = (
        "\npaired differences" + ("" if several else f": {pairs[0]}"),
        ("measure", "value", words, "p", "p adj."),
    )
    print_columns(title, columns, table.iter_rows(named=True), whole=whole, under="difference")
    for note, mark in marks.items() if terminal else ():
        say(f"{mark} {note}", hang=4)


def _print_pooled(pooled: pl.DataFrame, words: str) -> None:
    """Each system over its languages and suites."""
    columns: Columns = {name: name for name in ("measure", "system", "runs", "value")}
    columns |= {words: interval, "spread between": "spread"}
    columns["another run"] = lambda row: interval({"low": row["another_low"], "high": row["another_high"]})
    title = "\npooled over languages and suites (random effects)"
    print_columns(title, columns, pooled.iter_rows(named=True))


def _compare_with_text(text: Findings, others: list[Run | Findings], settings: CompareSettings, shown: Shown) -> None:
    """Runs beside an audited text: what `evenhand corpus` made."""
    runs = [one for one in others if isinstance(one, Run)]
    if len(runs) < len(others):
        raise BadInput("an audited text is compared with runs of a suite, not with findings of another kind")
    beside = amplification(text, runs, level=settings.level)
    _write_page([beside], shown.output)
    if shown.json:
        print_json(result_json(beside))
    else:
        print_findings(beside)


def _print_margins(harms: pl.DataFrame, level: float) -> None:
    """Whether each system is no worse than each other by more than the margin, and the smallest detectable change."""
    names = ("measure", "system", "against", "worse_by", "at_least", "at_most", "margin")
    columns: Columns = {name.replace("_", " "): name for name in names}
    columns["outcome"] = lambda row: f"{row['outcome']}: {row['note']}" if row["note"] else row["outcome"]
    title = f"\nno worse by more than the margin? (bounds at {100 * level:.4g} % each)"
    print_columns(title, {**columns, "smallest detectable change": "reach"}, harms.iter_rows(named=True))
    for measure, one, two, margin in equivalent(harms):
        typer.echo(f"{measure}: {one} and {two} are equal within {margin:g}")


def _compare_findings(findings: list[Findings], settings: CompareSettings, shown: Shown) -> None:
    """Results that are no runs: values and their differences, without a test."""
    if settings.measures or settings.margins:
        raise BadInput("--measure and --margin are for runs: other results are compared without a test")
    _write_page(findings, shown.output)
    beside = side_by_side(findings)
    if shown.json:
        results = {name: one.signature for name, one in zip(beside.names, findings, strict=True)}
        facts = {"common": beside.table.height, "alone": beside.alone, "estimates": plain_rows(beside.table)}
        print_json({"results": results, **facts, "note": UNPAIRED})
        return
    table = differences(beside)
    print_table(table.title, table.columns, table.rows)
    typer.echo(f"\n{UNPAIRED}")
    if beside.alone:
        typer.echo(f"{beside.alone:,} estimates are in some of them only.")
