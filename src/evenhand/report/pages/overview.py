"""The page of a project: systems by languages, the worst first, every cell with a way to its run's report."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from pathlib import Path
from urllib.parse import quote

import polars as pl

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.gate import Gate
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.pages.page import capital, drawn, leading, leading_row, render
from evenhand.report.words.headlines import Headline
from evenhand.report.words.vocabulary import amount, direction_words, language, wording
from evenhand.results.runs import Run
from evenhand.statistics.measure import Measure
from evenhand.storage.atomic import write_text
from evenhand.workflows.probes import version_words
from evenhand.workflows.project import ProjectOutcome

PAGE = "overview.html"


@dataclass(frozen=True)
class OverviewCell:
    """One run in the table. `harm` orders the page: the larger, the worse; what is undefined is worst."""

    system: str
    target: str
    link: str
    row: dict[str, object]
    harm: float
    failed: int


def write_overview(outcome: ProjectOutcome, *, report: str) -> Path:
    """Write the page into the folder of the runs, whose pages are called `report`; it shows and orders by `leading`."""
    headline = outcome.project.headline
    by_suite = _by_suite(outcome.runs)
    sections = [_section(runs, outcome.gate, report, headline, n) for n, runs in enumerate(by_suite)]
    gate = outcome.gate
    context = {
        "title": f"Project: {amount(len(outcome.runs), 'run')}",
        "answer": _answer(outcome, sections),
        "sections": sections,
        "stopped": outcome.stopped,
        "failed": outcome.failed,
        "undone": outcome.undone,
        "skipped": outcome.skipped,
        "failures": gate.failures,
        "columns": ("run and measure", "rule", "outcome", "now"),
        "checks": [(check.name, check.rule, check.outcome, check.now) for check in gate.checks],
        "signatures": [run.signature for run in outcome.runs],
        "version": __version__,
    }
    page = outcome.output / PAGE
    write_text(page, render("overview.html", context))
    return page


def _by_suite(runs: Sequence[Run]) -> list[list[Run]]:
    suites = dict.fromkeys((run.manifest.suite.name, run.manifest.suite.hash) for run in runs)
    return [[r for r in runs if (r.manifest.suite.name, r.manifest.suite.hash) == suite] for suite in suites]


def _section(runs: Sequence[Run], gate: Gate, report: str, headline: str, number: int) -> dict[str, object]:
    """One suite: rows are systems, columns languages; a cell without a run is None."""
    info = runs[0].manifest
    measure = leading([run.estimates for run in runs], info, asked=headline)
    if measure is None:
        raise BadInput(f"the runs of {info.suite.name} have no measure in common")
    every = sorted((_shown(run, measure, gate, report) for run in runs), key=lambda one: -one.harm)
    targets = list(dict.fromkeys(one.target for one in every))
    rows: list[tuple[str, list[OverviewCell | None]]] = []
    for system in dict.fromkeys(one.system for one in every):
        mine = {one.target: one for one in every if one.system == system}
        rows.append((system, [mine.get(target) for target in targets]))
    words, worst = wording(measure.name), every[0]
    interval = interval_words(*(run.manifest.level for run in runs))
    span = f" ({interval} {worst.row['interval_shown']})" if worst.row["interval_shown"] else ""
    complete = "" if any(one.row["covered"] for one in every) else " Every rendering is valid and decided."
    ordered = "worst" if measure.better != "none" else "first"
    return {
        "title": f"{info.suite.name} {version_words(info.suite.version)}",
        "told": f"{words.title}: {words.explanation}. {_direction(measure)}{complete}",
        "chart": drawn(_chart(every, measure, interval, number))[:1],
        "interval": interval,
        "targets": targets,
        "rows": rows,
        "worst": f"{ordered} on {info.suite.name} is {worst.system} into {language(worst.target)}: {words.title} "
        f"{worst.row['shown']}{span}.",
    }


def _chart(cells: Sequence[OverviewCell], measure: Measure, interval: str, number: int) -> list[Figure]:
    """Every run of a suite by its measure, a row per language and a mark per system; none without a value."""
    words = wording(measure.name)
    rows = [{**c.row, "level": language(c.target), "system": c.system} for c in cells if c.row["value"] is not None]
    kept = ("level", "system", "value", "low", "high", "interval", "n", "n_decided")
    data = pl.DataFrame([{name: row[name] for name in kept} for row in rows], infer_schema_length=None)
    if data.is_empty():
        return []
    caption = f"One mark per system; lines are {interval}s."
    return [basic.by_system([("", data)], words.unit, Heading(f"suite-{number + 1}", words.title, caption))]


def _shown(run: Run, measure: Measure, gate: Gate, report: str) -> OverviewCell:
    folder = (run.path or Path()).name
    row = leading_row(run.estimates, measure)
    covered = [f"{name} {row[key]}" for name, key in (("valid", "valid"), ("decided", "coverage")) if _partly(row[key])]
    row |= {"covered": ", ".join(covered)}
    return OverviewCell(
        system=run.manifest.system_label,
        target=run.manifest.target_lang,
        link=quote(f"{folder}/{report}"),
        row=row,
        harm=_harm(row["value"], measure),
        failed=sum(not check.passed and check.name.partition(": ")[0] == folder for check in gate.checks),
    )


def _partly(coverage: object) -> bool:
    """Whether "5 of 6" is less than all."""
    some, _, whole = str(coverage).partition(" of ")
    return some != whole


def _harm(value: object, measure: Measure) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        return inf
    if measure.better == "nearer":
        return abs(value - (0.0 if isnan(measure.neutral) else measure.neutral))
    return {"higher": -value, "lower": value}.get(measure.better, 0.0)


def _direction(measure: Measure) -> str:
    if measure.better == "none":
        return "No direction is better: systems are in the project's order."
    return f"{capital(direction_words(measure))}; the worst come first."


def _answer(outcome: ProjectOutcome, sections: Sequence[dict[str, object]]) -> Headline:
    cells = outcome.matrix.cells
    systems, targets = len({cell.asked.name for cell in cells}), len({cell.target for cell in cells})
    gate, worst = outcome.gate, [str(section["worst"]) for section in sections]
    failed = f"{len(gate.failures):,} of {amount(len(gate.checks), 'check')} failed"
    passed = f"The gate passed: {amount(len(gate.checks), 'check')}." if gate.checks else "Nothing was gated."
    first = worst[0] if worst else "No run was made."
    return Headline(
        f"{amount(systems, 'system')} into {amount(targets, 'target language')}; {len(outcome.runs)} of "
        f"{amount(len(cells), 'run')} done"
        + (f"; {amount(len(outcome.skipped), 'pair')} left out." if outcome.skipped else "."),
        f"{failed}; {first}" if gate.failures else capital(first),
        f"The gate failed: {failed}." if gate.failures else passed,
        fixed=False,
        beside=tuple(map(capital, worst[1:])),
    )
