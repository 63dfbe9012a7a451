"""The answer in plain words: what was asked, what came out with its interval, what it does and does not mean."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from evenhand.gender import Gender
from evenhand.measures.estimate import FIXED
from evenhand.measures.rows import ALL
from evenhand.report.composition import counts, first_answers
from evenhand.report.vocabulary import label, language, show, span, wording
from evenhand.runs import Run


@dataclass(frozen=True)
class Answer:
    """Three sentences; `fixed` when the system (nearly) always takes the same gender."""

    asked: str
    found: str
    means: str
    fixed: bool


def answer(run: Run) -> Answer:
    """The three sentences of a single run."""
    table = first_answers(run.table)
    row = counts(table).row(0, named=True)
    gold = "gold" in table.columns and table["gold"].is_not_null().any()
    fixed = _fixed(row)
    if gold and _overall(run, "accuracy") is not None:
        return Answer(_asked(run, row, gold=True), _found_gold(run, row, fixed), _means_gold(run), fixed is not None)
    return Answer(_asked(run, row, gold=bool(gold)), _found(run, row, fixed), _means(fixed), fixed is not None)


def _asked(run: Run, row: dict[str, int], *, gold: bool) -> str:
    info = run.manifest
    source, target = language(info.suite.source_lang), language(info.target_lang)
    about = (
        "that state whether a person is a woman or a man"
        if gold
        else "about a person without saying whether it is a woman or a man"
    )
    asked = run.probes.height
    times = f" ({row['n']:,} renderings, {info.samples} a sentence)" if info.samples > 1 else ""
    return f"We asked {label(info.system)} to translate {asked:,} {source} sentences {about} into {target}{times}."


def _found(run: Run, row: dict[str, int], fixed: str | None) -> str:
    if not row["decided"]:
        return f"None of the {row['n']:,} renderings could be decided, so nothing can be said about gender."
    undecided = _undecided(row)
    if fixed:
        value = _with_interval(run, f"share_{fixed}", row[fixed] / row["decided"])
        return (
            f"This system does not choose: {row[fixed]:,} of {row['decided']:,} decided renderings are {fixed}, "
            f"whoever the sentence is about, {value}{undecided}."
        )
    parts = [
        f"{_with_interval(run, f'share_{g}', row[g] / row['decided'])} as {_AS[g]}"
        for g in ("female", "male", "neutral", "both")
        if row[g]
    ]
    return f"It rendered {_listed(parts)} ({row['decided']:,} decided renderings{undecided})."


_AS = {"female": "a woman", "male": "a man", "neutral": "neither (gender left open)", "both": "both at once"}


def _found_gold(run: Run, row: dict[str, int], fixed: str | None) -> str:
    start = (
        f"This system does not choose: {row[fixed]:,} of {row['decided']:,} decided renderings are {fixed}; its"
        if fixed
        else "Its"
    )
    text = f"{start} renderings have the stated gender in {_with_interval(run, 'accuracy', None)} of all cases"
    by_gender = _recall(run)
    return f"{text}{by_gender}{_undecided(row)}."


def _recall(run: Run) -> str:
    table = first_answers(run.table).filter(pl.col("gold").is_in(["female", "male"]))
    gold = pl.col("gold").cast(pl.String)
    rows = table.group_by(gold).agg((pl.col("gender") == gold).mean().alias("right"))
    right = dict(rows.iter_rows())
    if {"female", "male"} <= set(right):
        return f": {show(right['female'], 'percent')} for women, {show(right['male'], 'percent')} for men"
    return ""


def _means(fixed: str | None) -> str:
    habit = (
        "This means that the gender in these translations says nothing about the person meant"
        if fixed
        else "This means that a reader of these translations is told a gender the source does not give, this often"
    )
    return (
        f"{habit}; it does not mean that the system holds an opinion, nor that sentences of another kind, "
        "language or time would come out the same way."
    )


def _means_gold(run: Run) -> str:
    return (
        "This means that a person whose gender the source states is given another one, or none that could be read, in "
        "the remaining cases; it does not say why, nor how texts of another kind would come out."
    )


def _undecided(row: dict[str, int]) -> str:
    return f"; {row['unknown']:,} of {row['n']:,} could not be decided" if row["unknown"] else ""


def _fixed(row: dict[str, int]) -> str | None:
    for gender in (Gender.FEMALE.value, Gender.MALE.value):
        if row["decided"] >= 10 and row[gender] >= FIXED * row["decided"]:
            return gender
    return None


def _overall(run: Run, measure: str) -> dict[str, object] | None:
    found = run.estimates.filter(
        (pl.col("measure") == measure) & (pl.col("group") == ALL) & (pl.col("variant") == "raw")
    )
    return found.row(0, named=True) if found.height else None


def _with_interval(run: Run, measure: str, fallback: float | None) -> str:
    row = _overall(run, measure)
    if row is None or row["value"] is None:
        return show(fallback, "percent")
    interval = span(row["low"], row["high"], "percent")
    return f"{show(row['value'], 'percent')}" + (f" (95 % interval {interval})" if interval else "")


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else "; ".join(parts[:-1]) + "; and " + parts[-1]


def answer_several(names: list[str], runs: list[Run], measure: str | None, separated: int | None) -> Answer:
    """The three sentences of a comparison. `separated` counts pairs that the corrected paired test tells apart."""
    first = runs[0].manifest
    source = language(first.suite.source_lang)
    targets = sorted({language(r.manifest.target_lang) for r in runs})
    asked = (
        f"We asked {len(runs)} systems ({', '.join(names)}) to translate {source} sentences of the suite "
        f"{first.suite.name} into {' and '.join(targets)}."
    )
    words = wording(measure) if measure else None
    parts = [
        f"{name} {show(row['value'], words.unit)} ({span(row['low'], row['high'], words.unit)})"
        for name, run in zip(names, runs, strict=True)
        if words and (row := _overall(run, words.measure)) is not None
    ]
    found = f"{words.title}: {'; '.join(parts)}" if words and parts else "The runs share no measure"
    stuck = [name for name, run in zip(names, runs, strict=True) if answer(run).fixed]
    if stuck:
        found += f"; {' and '.join(stuck)} (nearly) always {'take' if len(stuck) > 1 else 'takes'} the same gender"
    pairs = len(runs) * (len(runs) - 1) // 2
    if separated is None:
        told = "the runs are not of the same sentences, so nothing is tested pair by pair"
    elif pairs == 1:
        told = "a paired test tells them apart" if separated else "a paired test does not tell them apart"
    else:
        told = f"paired tests, corrected for their number, tell {separated} of {pairs} pairs of systems apart"
    means = (
        "A difference that a test finds is unlikely to be chance on these sentences; it does not mean that one system "
        "is fair, nor that other sentences would rank them the same way."
    )
    return Answer(asked, f"{found}; {told}.", means, bool(stuck))
