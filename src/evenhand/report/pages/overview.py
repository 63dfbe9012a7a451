"""The page of a project: systems by languages, the worst first, every cell with a way to its run's report."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import polars as pl

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.level import interval_words
from evenhand.measures.decisions.gate import Gate
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.pages.page import badness_of, capital, drawn, leading, leading_row, render
from evenhand.report.words.headlines import Headline
from evenhand.report.words.vocabulary import Wording, amount, direction_words, language, wording
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.workflows.probes import version_words
from evenhand.workflows.project import ProjectOutcome

PAGE = "overview.html"


def write_overview(outcome: ProjectOutcome, *, report: str) -> Path:
    """Write the page into the folder of the runs, whose pages are called `report`; it shows and orders by `leading`."""
    gate, headline = outcome.gate, outcome.project.headline
    by_suite: dict[tuple[str, str], list[Run]] = {}
    for run in outcome.runs:
        by_suite.setdefault((run.manifest.suite.name, run.manifest.suite.hash), []).append(run)
    sections = [_section(runs, gate, report, headline, n) for n, runs in enumerate(by_suite.values())]
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


def _section(runs: Sequence[Run], gate: Gate, report: str, headline: str, number: int) -> dict[str, object]:
    """One suite: rows are systems, columns languages, the worst first; a cell without a run is None."""
    info = runs[0].manifest
    measure = leading([run.estimates for run in runs], info, wanted=headline)
    if measure is None:
        raise BadInput(f"the runs of {info.suite.name} have no measure in common")
    made = [_cell(run, leading_row(run.estimates, measure), gate, report) for run in runs]
    cells = sorted(made, key=lambda cell: -badness_of(measure, cell["value"]))
    targets = list(dict.fromkeys(str(cell["target"]) for cell in cells))
    systems = dict.fromkeys(cell["system"] for cell in cells)
    by_system = {system: {cell["target"]: cell for cell in cells if cell["system"] == system} for system in systems}
    words, worst = wording(measure.name), cells[0]
    interval = interval_words(*(run.manifest.level for run in runs))
    span = f" ({interval} {worst['interval_shown']})" if worst["interval_shown"] else ""
    complete = "" if any(cell["covered"] for cell in cells) else " Every rendering is valid and decided."
    way = "The measure has no direction, so systems are in the project's order."
    if measure.better != "none":
        way = f"{capital(direction_words(measure))}; the worst come first."
    return {
        "title": f"{info.suite.name} {version_words(info.suite.version)}",
        "note": f"{words.title}: {words.explanation}. {way}{complete}",
        "chart": drawn(_chart(cells, words, interval, number))[:1],
        "interval": interval,
        "targets": targets,
        "rows": [(system, [mine.get(target) for target in targets]) for system, mine in by_system.items()],
        "worst": f"{'first' if measure.better == 'none' else 'worst'} on {info.suite.name} is {worst['system']} into "
        f"{worst['level']}: {words.title} {worst['shown']}{span}.",
    }


def _cell(run: Run, row: dict[str, object], gate: Gate, report: str) -> dict[str, object]:
    """One run in the table: its leading estimate, where its report is, and how many checks of the gate it failed."""
    folder, info = (run.path or Path()).name, run.manifest
    partly = [f"{name} {row[key]}" for name, key in (("valid", "valid"), ("decided", "coverage")) if _partly(row[key])]
    return row | {
        "system": info.system_label,
        "target": info.target_lang,
        "level": language(info.target_lang),
        "link": quote(f"{folder}/{report}"),
        "covered": ", ".join(partly),
        "failed": sum(not check.passed and check.name.partition(": ")[0] == folder for check in gate.checks),
    }


def _partly(coverage: object) -> bool:
    """Whether "5 of 6" is less than all."""
    some, _, whole = str(coverage).partition(" of ")
    return some != whole


def _chart(cells: Sequence[dict[str, object]], words: Wording, interval: str, number: int) -> list[Figure]:
    """Every run of a suite by its measure, a row per language and a mark per system; none without a value."""
    kept = ("level", "system", "value", "low", "high", "interval", "n", "n_decided")
    rows = [{name: cell[name] for name in kept} for cell in cells if cell["value"] is not None]
    if not rows:
        return []
    heading = Heading(f"suite-{number + 1}", words.title, f"One mark per system; lines are {interval}s.")
    return [basic.by_system([("", pl.DataFrame(rows, infer_schema_length=None))], words.unit, heading)]


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
        further=tuple(map(capital, worst[1:])),
    )
