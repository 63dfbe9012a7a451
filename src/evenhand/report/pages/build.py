"""Which page for which results: gathers what a template shows."""

from collections.abc import Sequence

import polars as pl
from altair.utils.schemapi import debug_mode

from evenhand._version import __version__
from evenhand.level import interval_words
from evenhand.measures.decisions.paired import Comparison
from evenhand.report.charts.figure import Figure
from evenhand.report.composition import counts, first_answers
from evenhand.report.pages import findings as findings_page
from evenhand.report.pages import several
from evenhand.report.pages.kinds import Result, of_one_kind, shown
from evenhand.report.pages.page import drawn, estimate_rows, render
from evenhand.report.pages.ranked import rankings
from evenhand.report.pages.sentences import sections
from evenhand.report.pages.single import figures, grouped, overall_estimates, tested
from evenhand.report.pages.typical import typical
from evenhand.report.studies import study_tables
from evenhand.report.words.comparison import answer_several
from evenhand.report.words.glossary import used
from evenhand.report.words.narrative import RunFacts, answer
from evenhand.report.words.tables import pooled_words
from evenhand.results.runs import Run
from evenhand.workflows.compare import compare


@debug_mode(False)  # a chart is checked as a whole when it is drawn, not each of its parts
def page_of(results: Sequence[Result], comparison: Comparison | None = None) -> tuple[str, list[Figure]]:
    """The page of one result or of several of one kind, and its charts; a comparison made already is shown as it is."""
    runs, findings = of_one_kind(results)
    if runs:
        return single_page(runs[0]) if len(runs) == 1 else comparison_page(runs, comparison)
    one = len(findings) == 1
    return findings_page.single_page(findings[0]) if one else findings_page.comparison_page(findings)


@debug_mode(False)
def figures_of(results: Sequence[Result]) -> list[Figure]:
    """Only the charts of that page."""
    runs, findings = of_one_kind(results)
    if runs:
        return figures(runs[0]) if len(runs) == 1 else several.figures(several.name_all(runs))
    return shown(findings[0]).figures() if len(findings) == 1 else findings_page.comparison_figures(findings)


def single_page(run: Run) -> tuple[str, list[Figure]]:
    """The report of one run, and its charts."""
    made = figures(run)
    table = first_answers(run.table)
    context = {
        "study": study_tables(run),
        "title": f"{run.manifest.suite.name} through {run.manifest.system_name}",
        "run": run,
        "info": run.manifest,
        "answer": answer(run),
        "typical": typical(run),
        "headline": estimate_rows(overall_estimates(run).filter(pl.col("reference").is_null())),
        "references": _references(run),
        "notes": _notes(run),
        "by_group": estimate_rows(grouped(run.estimates)),
        "tests": estimate_rows(tested(run.estimates)),
        "figures": drawn(made),
        "sections": sections(run),
        **_shared([run], table),
    }
    return render("single.html", context), made


def _notes(run: Run) -> list[str]:
    """What has to be said about the overall estimates, each thing once; a second interval stands in its row already."""
    found = overall_estimates(run).filter(pl.col("reference").is_null())["note"].drop_nulls().to_list()
    parts = dict.fromkeys(part for note in found for part in note.split("; "))
    return [part for part in parts if not part.endswith("]")][:6]


def _references(run: Run) -> list[dict[str, object]]:
    """What stands under each reference: where it comes from, what the sum of B rests on, the estimates against it."""
    compared = zip(run.manifest.compared_with, run.manifest.references_told, strict=True)
    told = {str(one.get("name")): line for one, line in compared}
    overall = overall_estimates(run).filter(pl.col("reference").is_not_null())
    made: list[dict[str, object]] = []
    for name in overall["reference"].unique(maintain_order=True):
        mine = overall.filter(reference=name)
        notes = mine.filter(measure="B_mean")["note"].drop_nulls()
        rows = [{**row, "reference": None} for row in estimate_rows(mine)]
        made.append({"told": told.get(name, name), "note": notes[0] if len(notes) else "", "rows": rows})
    return made


def comparison_page(runs: list[Run], comparison: Comparison | None = None) -> tuple[str, list[Figure]]:
    """The page of several runs: tests pair by pair where they are of the same sentences (made here, if not given)."""
    named = several.name_all(runs)
    names = [n.name for n in named]
    same = several.same_suite(runs)
    if comparison is None and same:
        comparison = compare(runs)
    measure = several.lead_measure(runs)
    facts = [RunFacts.of(n.run.manifest, n.run.estimates, n.table) for n in named]
    total, differing = several.differing_sentences(named)
    made, overall = several.figures(named), several.overall_rows(named)
    table = pl.concat([n.table.select("gender", "rendering") for n in named])
    context = {
        "study": study_tables(*runs) if same else [],
        "title": f"{len(runs)} systems on {runs[0].manifest.suite.name}",
        "info": runs[0].manifest,
        "names": names,
        "levels": [run.manifest.level for run in runs],
        "typical": several.typical_differences(named),
        "answer": answer_several(names, facts, measure, comparison),
        "figures": drawn(made),
        "level": interval_words(*(run.manifest.level for run in runs)),
        "lead": measure,
        "overall": estimate_rows(overall.with_columns(pl.lit("system").alias("group"))),
        "differ_total": total,
        "differing": differing,
        "paired": same,
        **_tested(comparison, runs[0].manifest.suite.measures, measure),
        **_shared(runs, table),
    }
    return render("comparison.html", context), made


def _tested(comparison: Comparison | None, order: Sequence[str], lead: str | None) -> dict[str, object]:
    """What tests pair by pair showed; nothing where the runs are of different sentences."""
    if comparison is None:
        nothing = dict.fromkeys(("ranking", "cautions", "unranked", "differences", "pooled"), ())
        return {**nothing, "common": 0, "left_out": 0}
    return {
        "ranking": rankings(comparison.ranking, order=order, lead=lead),
        "cautions": comparison.cautions,
        "unranked": comparison.remarks,
        "differences": estimate_rows(_read(comparison)),
        "pooled": [pooled_words(row) for row in comparison.pooled.iter_rows(named=True)],
        "common": comparison.common,
        "left_out": comparison.left_out,
    }


def _read(comparison: Comparison) -> pl.DataFrame:
    """The differences with what they mean in front of their notes."""
    told = pl.concat_str("reading", "note", separator="; ", ignore_nulls=True)
    return comparison.differences.with_columns(note=told)


def _shared(runs: list[Run], table: pl.DataFrame) -> dict[str, object]:
    measures = [measure for run in runs for measure in run.estimates["measure"].unique(maintain_order=True)]
    return {
        "glossary": used(measures),
        "counts": counts(table).row(0, named=True),
        "empty": int((table["rendering"].fill_null("").str.strip_chars() == "").sum()),
        "signatures": [run.signature for run in runs],
        "short": [run.short_signature for run in runs],
        "version": __version__,
    }
