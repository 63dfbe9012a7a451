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
from evenhand.level import interval_words
from evenhand.measures.decisions.planned import CONFIRMATORY, PLANNED
from evenhand.measures.estimate import SETS
from evenhand.report.words.vocabulary import level_shown, method_of
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL

_SECTORS = ("B_female_dominated", "B_male_dominated")
_FEW = 4  # groupings with more levels than this are left to the run's tables and the report
_BY_GROUP = (
    "P_S TFG accuracy share_female reference_accuracy male_rate change_female wrong_common SBias "
    "prefers_feminine P_feminine contrastive_accuracy penalty"
).split()


def headline(estimates: pl.DataFrame) -> pl.DataFrame:
    """What a terminal shows: overall estimates, leading ones of small groupings, sector means against a reference."""
    is_difference = pl.col("level").str.contains(" - ", literal=True)
    levels = estimates.filter(~is_difference).group_by("group").agg(pl.col("level").n_unique())
    small = levels.filter(pl.col("level") <= _FEW)["group"].to_list()
    two = levels.filter(pl.col("level") <= 2)["group"].to_list()
    grouped = pl.col("group").is_in(small) & pl.col("measure").is_in(_BY_GROUP)
    grouped &= ~is_difference | pl.col("group").is_in(two) | pl.col("measure").is_in(["wrong_common"])
    sector = pl.col("reference").is_not_null() & (pl.col("group") == "sector") & pl.col("measure").is_in(_SECTORS)
    sets = (pl.col("group") == SETS) & (pl.col("measure") == "P_S") & ~is_difference  # what the TGBI is the mean of
    planned = pl.col(PLANNED) == CONFIRMATORY if PLANNED in estimates.columns else pl.lit(value=False)
    return estimates.filter(
        (pl.col("level") == "") | grouped | sets | (sector & pl.col("value").is_not_null()) | planned
    )


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
    print_estimates(result, everything=everything)
    aside()
    print_signature(result)
    print_places(**places)


def print_estimates(run: Run, *, everything: bool = False) -> None:
    """Value, interval, method and coverage of a run's estimates, with what has to be said about them."""
    estimates = run.estimates
    shown = estimates if everything else headline(estimates)
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
        say(f"{estimates.height - shown.height:,} more estimates by group are in the run, its report, and --all.")
    print_plan(run)


def _print_by_reference(run: Run, shown: pl.DataFrame, methods: Mapping[str, str], notes: Mapping[str, str]) -> None:
    info, overall = run.manifest, pl.col("level") == ""
    facts = zip(info.compared_with, info.references_told, strict=True)
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
