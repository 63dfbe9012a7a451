"""The table of estimates in a terminal, in 80 columns: how an interval was made is a letter, a note is a number,
columns that say nothing are left out, estimates against a reference have a table of their own."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from string import ascii_lowercase

import polars as pl

from evenhand.cli.output import (
    estimates_json,
    interval,
    number,
    print_json,
    print_places,
    print_signature,
    print_table,
    print_under,
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


def print_run(
    result: Run,
    *,
    everything: bool,
    json: bool,
    more: Mapping[str, object] | None = None,
    aside: Callable[[], None] = lambda: None,
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
    aside()
    print_signature(result)
    print_places(**places, next=_next(result))


def _next(run: Run) -> str | None:
    """What to do with a run that was saved."""
    if run.path is None:
        return None
    undecided = run.verdicts.filter(gender=Gender.UNKNOWN.value).height
    label = f"evenhand review {run.path}  (label {amount(undecided, 'undecided rendering')})"
    return label if undecided else f"evenhand sentences {run.path}  (read the sentences)"


def print_estimates(run: Run, *, everything: bool = False) -> None:
    """Value, interval, method and coverage of a run's estimates, with what has to be said about them."""
    estimates = run.estimates
    shown = estimates if everything else key_estimates(run)
    if PLANNED in shown.columns:
        shown = shown.sort(pl.col(PLANNED) != CONFIRMATORY, maintain_order=True)
    notes = {note: f"({n})" for n, note in enumerate(shown["note"].drop_nulls().unique(maintain_order=True), start=1)}
    methods: dict[str, str] = {}
    for text in shown["interval"].drop_nulls():
        methods.setdefault(method_of(text)[0], _letter(len(methods)))
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


def _print_rows(
    rows: Sequence[Mapping[str, object]], words: str, methods: Mapping[str, str], notes: Mapping[str, str]
) -> None:
    head = ("measure", "group", "variant", "plan", "value", words, "how", "valid", "decided", "p adj.", "note")
    cells = [_cells(row, methods, notes) for row in rows]
    grouped = any(row["level"] for row in rows)
    filled = [name for name, column in zip(head, zip(*cells, strict=True), strict=True) if any(column)]
    left_out = {*head} - {*filled, "measure", "value"} | ({"group"} if not grouped else set())
    keep = [n for n, name in enumerate(head) if name not in left_out]
    columns, lines = [head[n] for n in keep], [[line[n] for n in keep] for line in cells]
    if grouped and print_under("group", columns, lines):
        return
    folded = ("group", "note")  # the others keep their line
    print_table(None, columns, lines, whole=[name for name in head if name not in folded])


def _cells(row: Mapping[str, object], methods: Mapping[str, str], notes: Mapping[str, str]) -> tuple[str, ...]:
    group, level = str(row["group"]), str(row["level"] or "")
    method, effective = method_of(str(row["interval"] or ""))
    p = row["p_adjusted"] if row["p_adjusted"] is not None else row["p"]
    value = row["value"]
    return (
        str(row["measure"]),
        f"{group}={level_shown(group, level)}" if level else ALL,
        "" if row["variant"] in (None, "raw") else str(row["variant"]),
        str(row.get(PLANNED) or ""),
        number(value) if isinstance(value, float) and isfinite(value) else "–",
        interval(row),
        f"{methods.get(method, '')} {effective}".strip(),
        f"{row['n_valid']}/{row['n']}" if row["n"] and row.get("n_valid") not in (None, row["n"]) else "",
        _of(row["n_decided"], row["n"]),
        probability(p if isinstance(p, float) else None),
        notes.get(str(row["note"]), ""),
    )


def _of(some: object, n: object) -> str:
    """So many of n; only n where it is all of them."""
    return "" if not n else str(n) if some == n else f"{some}/{n}"


def _letter(number: int) -> str:
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"m{number}"


def print_plan(run: Run) -> None:
    """The plan a run followed, on one line; nothing without one."""
    plan = run.manifest.plan
    if plan is not None:
        named = ", ".join(
            measure if group == ALL else f"{measure} by {group}" for measure, group in run.manifest.confirmatory
        )
        say(f"\nplan       {plan.get('hash')}, frozen {plan.get('frozen')}: confirmatory are {named}", hang=11)
