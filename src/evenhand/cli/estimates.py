"""The table of estimates in a terminal, in 80 columns: how an interval was made is a letter, a note is a number,
columns that say nothing are left out, estimates against a reference have a table of their own."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from string import ascii_lowercase

import polars as pl

from evenhand.cli.output import (
    Columns,
    TableRow,
    estimates_json,
    interval,
    number,
    print_columns,
    print_json,
    print_places,
    print_signature,
    probability,
    say,
)
from evenhand.gender import Gender
from evenhand.level import interval_words
from evenhand.measures.decisions.planned import CONFIRMATORY, PLANNED
from evenhand.report.words.vocabulary import amount, language, level_shown, method_of
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL

_KEY = 3  # measures that a terminal shows where not everything is asked for
#: Those that come first, by what a suite asks; a suite's others follow in its own order.
_FIRST = (
    "obeyed accuracy dG dS reference_accuracy P_S TGBI VBias error error_optimal B_mean prefers_feminine P_feminine "
    "contrastive_accuracy"
).split()


def key_estimates(run: Run) -> pl.DataFrame:
    """What a terminal shows: the first measures over the whole run, and against each reference; those that were asked
    for; what a plan confirms."""
    overall = run.estimates.filter(pl.col("level") == "")
    wanted = list(run.manifest.measures)
    for (_,), rows in overall.group_by(["reference"], maintain_order=True):
        wanted += first_measures(rows.filter(pl.col("value").is_finite())["measure"])
    planned = pl.lit(value=False)
    if PLANNED in run.estimates.columns:
        planned = (pl.col(PLANNED) == CONFIRMATORY).fill_null(value=False)
    return run.estimates.filter(((pl.col("level") == "") & pl.col("measure").is_in(wanted)) | planned)


def first_measures(measures: pl.Series) -> list[str]:
    """The measures that come first of these."""
    found = measures.unique(maintain_order=True).to_list()
    return sorted(found, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))[:_KEY]


More = Mapping[str, object]
Aside = Callable[[], None]


def print_run(
    result: Run,
    *,
    everything: bool,
    json: bool,
    more: More | None = None,
    aside: Aside | None = None,
    **places: Path | None,
) -> None:
    """What a verb that makes or shows a run prints: JSON with `more`, or estimates, what is said `aside`, signature and
    places."""
    if json:
        print_json({**estimates_json(result), "notes": result.manifest.notes, **(more or {})})
        return
    from evenhand.report.words.narrative import answer  # brings scipy along

    info = result.manifest
    say(f"{info.system_label}, {info.suite.name}: {language(info.suite.source_lang)} to {language(info.target_lang)}")
    say(f"{answer(result).finding}\n")
    print_estimates(result, everything=everything)
    if aside:
        aside()
    print_signature(result)
    undecided = result.verdicts.filter(gender=Gender.UNKNOWN.value).height
    label = f"evenhand review {result.path}  (label {amount(undecided, 'undecided rendering')})"
    then = label if undecided else f"evenhand sentences {result.path}  (read the sentences)"
    print_places(**places, next=then if result.path else None)


def print_estimates(run: Run, *, everything: bool = False) -> None:
    """Value, interval, method and coverage of a run's estimates, with what has to be said about them."""
    estimates = run.estimates
    shown = estimates if everything else key_estimates(run)
    if PLANNED in shown.columns:
        shown = shown.sort(pl.col(PLANNED) != CONFIRMATORY, maintain_order=True)
    notes = {note: f"({n})" for n, note in enumerate(shown["note"].drop_nulls().unique(maintain_order=True), start=1)}
    methods: dict[str, str] = {}
    for text in shown["interval"].drop_nulls():
        methods.setdefault(method_of(text)[0], ascii_lowercase[len(methods) : len(methods) + 1] or f"m{len(methods)}")
    _print_by_reference(run, shown, methods, notes)
    if methods:
        say("how: " + "; ".join(f"{letter} {text}" for text, letter in methods.items()))
    for note, mark in notes.items():
        say(f"{mark} {note}", hang=4)
    for note in run.manifest.notes:
        say(f"note: {note}", hang=6)
    if run.manifest.answered_words:
        say(run.manifest.answered_words)
    if shown.height < estimates.height:
        say(f"{amount(estimates.height - shown.height, 'more estimate')}: --all, the report, the run folder.")
    print_plan(run)


def _print_by_reference(run: Run, shown: pl.DataFrame, methods: Mapping[str, str], notes: Mapping[str, str]) -> None:
    info, overall = run.manifest, pl.col("level") == ""
    facts = zip(info.compared_with, info.reference_lines, strict=True)
    words = {str(reference.get("name")): line for reference, line in facts}
    for name in (None, *shown["reference"].drop_nulls().unique(maintain_order=True)):
        rows = shown.filter(pl.col("reference").eq_missing(pl.lit(name, pl.String)))
        if name is not None:
            say(f"\nagainst {words.get(name, name)}")
        for part in (rows.filter(overall), rows.filter(~overall)):
            if part.height:
                _print_rows(part.to_dicts(), interval_words(info.level), methods, notes)


def _print_rows(rows: Sequence[TableRow], words: str, methods: Mapping[str, str], notes: Mapping[str, str]) -> None:
    def how(row: TableRow) -> str:
        method, effective = method_of(row["interval"] or "")
        return f"{methods.get(method, '')} {effective}".strip()

    def valid(row: TableRow) -> str:
        return f"{row['n_valid']}/{row['n']}" if row["n"] and row.get("n_valid") not in (None, row["n"]) else ""

    def decided(row: TableRow) -> str:
        return (
            "" if not row["n"] else str(row["n"]) if row["n_decided"] == row["n"] else f"{row['n_decided']}/{row['n']}"
        )

    columns: Columns = {
        "measure": "measure",
        "group": lambda row: f"{row['group']}={level_shown(row['group'], row['level'])}" if row["level"] else "",
        "variant": lambda row: "" if row["variant"] in (None, "raw") else row["variant"],
        "plan": lambda row: row.get(PLANNED) or "",
        "value": lambda row: number(row["value"]) if isfinite(nan if row["value"] is None else row["value"]) else "–",
        words: interval,
        "how": how,
        "valid": valid,
        "decided": decided,
        "p adj.": lambda row: probability(row["p"] if row["p_adjusted"] is None else row["p_adjusted"]),
        "note": lambda row: notes.get(row["note"], ""),
    }
    whole = [name for name in columns if name not in ("group", "note")]  # which keep their line
    print_columns(None, columns, rows, whole=whole, kept=("measure", "value"), under="group")


def print_plan(run: Run) -> None:
    """The plan a run followed, on one line; nothing without one."""
    plan = run.manifest.plan
    if plan is not None:
        named = (one if group == ALL else f"{one} by {group}" for one, group in run.manifest.confirmatory)
        frozen = f"{plan.get('hash')}, frozen {plan.get('frozen')}"
        say(f"\nplan       {frozen}: confirmatory are {', '.join(named)}", hang=11)
