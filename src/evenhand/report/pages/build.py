"""Which page for which results: gathers what a template shows."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from altair.utils.schemapi import debug_mode

from evenhand._version import __version__
from evenhand.level import interval_words
from evenhand.measures.decisions.paired import Comparison
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.composition import counts, first_answers
from evenhand.report.pages import several
from evenhand.report.pages.kinds import Result, of_one_kind, shown
from evenhand.report.pages.page import drawn, estimate_rows, render
from evenhand.report.pages.sentences import sections
from evenhand.report.pages.single import figures, grouped, overall_estimates, tested
from evenhand.report.pages.typical import typical
from evenhand.report.studies import study_tables
from evenhand.report.words.comparison import answer_several
from evenhand.report.words.glossary import ALWAYS, used
from evenhand.report.words.headlines import Headline
from evenhand.report.words.narrative import RunFacts, answer
from evenhand.report.words.tables import differences, pooled_words, rankings
from evenhand.report.words.vocabulary import wording
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.workflows.compare import UNPAIRED, compare, side_by_side

ROWS = 300  # of a table on the page of findings; all are in the folder
CHARTS, LEVELS = 6, 30
FINDINGS_TERMS = ("interval", "p_adjusted", "decided", "signature")


@debug_mode(False)  # a chart is checked as a whole when it is drawn, not each of its parts
def page_of(results: Sequence[Result], comparison: Comparison | None = None) -> tuple[str, list[Figure]]:
    """The page of one result or of several of one kind, and its charts; a comparison made already is shown as it is."""
    runs, findings = of_one_kind(results)
    if runs:
        return single_page(runs[0]) if len(runs) == 1 else comparison_page(runs, comparison)
    return findings_page(findings[0]) if len(findings) == 1 else side_by_side_page(findings)


@debug_mode(False)
def figures_of(results: Sequence[Result]) -> list[Figure]:
    """Only the charts of that page."""
    runs, findings = of_one_kind(results)
    if runs:
        return figures(runs[0]) if len(runs) == 1 else several.figures(several.name_all(runs))
    return shown(findings[0]).figures() if len(findings) == 1 else side_by_side_figures(findings)


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
        **_run_context([run], table),
    }
    return render("single.html", context), made


def _notes(run: Run) -> list[str]:
    """What has to be said about the overall estimates, each thing once; a second interval stands in its row already."""
    notes = overall_estimates(run).filter(pl.col("reference").is_null())["note"].drop_nulls().to_list()
    parts = dict.fromkeys(part for note in notes for part in note.split("; "))
    return [part for part in parts if not part.endswith("]")][:6]


def _references(run: Run) -> list[dict[str, object]]:
    """What stands under each reference: where it comes from, what the sum of B rests on, the estimates against it."""
    compared = zip(run.manifest.compared_with, run.manifest.reference_lines, strict=True)
    named = {str(one.get("name")): line for one, line in compared}
    overall = overall_estimates(run).filter(pl.col("reference").is_not_null())
    made: list[dict[str, object]] = []
    for name in overall["reference"].unique(maintain_order=True):
        mine = overall.filter(reference=name)
        notes = mine.filter(measure="B_mean")["note"].drop_nulls()
        rows = [{**row, "reference": None} for row in estimate_rows(mine)]
        made.append({"name": named.get(name, name), "note": notes[0] if len(notes) else "", "rows": rows})
    return made


def comparison_page(runs: list[Run], comparison: Comparison | None = None) -> tuple[str, list[Figure]]:
    """The page of several runs: tests pair by pair where they are of the same sentences (made here, if not given)."""
    named = several.name_all(runs)
    names = [n.name for n in named]
    same = len({run.manifest.suite.hash for run in runs}) == 1  # paired tests need the same sentences
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
        **_run_context(runs, table),
    }
    return render("comparison.html", context), made


def _tested(comparison: Comparison | None, order: Sequence[str], lead: str | None) -> dict[str, object]:
    """What tests pair by pair showed; nothing where the runs are of different sentences."""
    if comparison is None:
        nothing = dict.fromkeys(("ranking", "cautions", "unranked", "differences", "pooled"), ())
        return {**nothing, "common": 0, "left_out": 0}
    # what a difference means comes in front of its note
    note = pl.concat_str("reading", "note", separator="; ", ignore_nulls=True)
    return {
        "ranking": rankings(comparison.ranking, order=order, lead=lead),
        "cautions": comparison.cautions,
        "unranked": comparison.remarks,
        "differences": estimate_rows(comparison.differences.with_columns(note=note)),
        "pooled": [pooled_words(row) for row in comparison.pooled.iter_rows(named=True)],
        "common": comparison.common,
        "left_out": comparison.left_out,
    }


def findings_page(findings: Findings) -> tuple[str, list[Figure]]:
    """The page of one result, and its charts."""
    what = shown(findings)
    made = what.figures()
    context = {
        **_shared([findings], FINDINGS_TERMS),
        "title": findings.manifest.title,
        "info": findings.manifest,
        "answer": what.answer,
        "sections": what.sections,
        "limits": what.limits,
        "study": study_tables(findings),
        "typical": what.typical,
        "figures": drawn(made),
        "estimates": estimate_rows(findings.estimates.head(ROWS)),
        "estimated": findings.estimates.height,
        "tables": [
            {"name": name, "columns": table.columns, "rows": table.head(ROWS).rows(), "height": table.height}
            for name, table in findings.tables.items()
        ],
        **what.context,
    }
    return render(what.template, context), made


def side_by_side_page(results: Sequence[Findings]) -> tuple[str, list[Figure]]:
    """Several results of one kind: values with their intervals, differences without a test."""
    beside = side_by_side(results)
    made = side_by_side_figures(results)
    table = differences(beside)
    left = len(table.rows) - ROWS
    alone = f"; {beside.alone:,} more are in only some of them" if beside.alone else ""
    more = f" {left:,} more rows are in the output of `evenhand compare --json`." if left > 0 else ""
    context = {
        **_shared(results, FINDINGS_TERMS),
        "title": f"{len(results)} results side by side",
        "subjects": list(zip(beside.names, (one.manifest.measured for one in results), strict=True)),
        "answer": Headline(
            f"We compared {len(beside.names)} results: {', '.join(beside.names)}.",
            f"They share {beside.table.height:,} estimates{alone}.",
            UNPAIRED,
            fixed=False,
        ),
        "section": replace(table, rows=table.rows[:ROWS], lead=table.lead + more),
        "alone": beside.alone,
        "study": study_tables(*results),
        "figures": drawn(made),
    }
    return render("findings_comparison.html", context), made


def side_by_side_figures(results: Sequence[Findings]) -> list[Figure]:
    """The first measures that all have with intervals at several levels, one mark per result."""
    beside = side_by_side(results)
    by = ("measure", "reference", "group")
    several_groups = beside.table["group"].n_unique() > 1
    made: list[Figure] = []
    for key, common in beside.table.group_by(by, maintain_order=True):
        measure, reference, group = (str(part or "") for part in key)
        matching = common.select(*by, "level").head(LEVELS)
        rows = [
            one.estimates.filter(pl.col("low").is_not_null())
            .join(matching, on=matching.columns, nulls_equal=True, maintain_order="right")
            .with_columns(pl.lit(name).alias("system"))
            for name, one in zip(beside.names, results, strict=True)
        ]
        if matching.height < 2 or any(table.is_empty() for table in rows) or len(made) == CHARTS:
            continue
        words = wording(measure)
        title = " · ".join(filter(None, (words.title, reference, group if several_groups else "")))
        caption = "One mark per result; lines are its intervals. There is no test."
        heading = Heading(f"measure-{len(made) + 1}", title, caption)
        made.append(basic.by_system([("", pl.concat(rows, how="diagonal"))], words.unit, heading))
    return made


def _shared(results: Sequence[Result], terms: Sequence[str] = ALWAYS) -> dict[str, object]:
    measures = [measure for one in results for measure in one.estimates["measure"].unique(maintain_order=True)]
    return {
        "glossary": used(measures, terms),
        "signatures": [one.signature for one in results],
        "version": __version__,
    }


def _run_context(runs: list[Run], table: pl.DataFrame) -> dict[str, object]:
    empty = table["rendering"].fill_null("").str.strip_chars() == ""
    return {
        **_shared(runs),
        "counts": counts(table).row(0, named=True),
        "empty": int(empty.sum()),
        "short": [run.short_signature for run in runs],
    }
