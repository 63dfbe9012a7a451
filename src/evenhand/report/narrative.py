"""The answer in plain words: what was asked, what came out with its interval, what it does and does not mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from evenhand.gender import DECIDED, LOOKS, Gender
from evenhand.level import interval_words
from evenhand.measures.estimate import FIXED
from evenhand.report.composition import counts, first_answers
from evenhand.report.vocabulary import language, show, span, wording
from evenhand.runs import Manifest, Run
from evenhand.tables import ALL

_OPEN = "about a person without saying whether it is a woman or a man"


@dataclass(frozen=True)
class Headline:
    """Three sentences; `fixed` when the system (nearly) always takes the same gender."""

    asked: str
    found: str
    means: str
    fixed: bool


@dataclass(frozen=True)
class Facts:
    """What the sentences are made of; `right` is the share of right renderings by stated gender."""

    info: Manifest
    estimates: pl.DataFrame
    counts: Mapping[str, int]
    probes: int
    right: Mapping[str, float] | None

    @classmethod
    def of(cls, info: Manifest, estimates: pl.DataFrame, table: pl.DataFrame) -> Facts:
        """From a joined table of any size (columns candidate, gender, id, gold?)."""
        first = first_answers(table)
        return cls(info, estimates, counts(first).row(0, named=True), int(first["id"].n_unique()), _recall(first))


def answer(run: Run) -> Headline:
    """The three sentences of a single run."""
    return tell(Facts.of(run.manifest, run.estimates, run.table))


def tell(facts: Facts) -> Headline:
    """The three sentences from the facts."""
    fixed = _fixed(facts.counts)
    if facts.right and _overall(facts.estimates, "accuracy") is not None:
        return Headline(_asked(facts), _found_gold(facts, fixed), _MEANS_GOLD, fixed is not None)
    return Headline(_asked(facts), _found(facts, fixed), _means(fixed), fixed is not None)


def _asked(facts: Facts) -> str:
    info = facts.info
    source, target = language(info.suite.source_lang), language(info.target_lang)
    about = "that state whether a person is a woman or a man" if facts.right else _OPEN
    times = f" ({facts.counts['n']:,} renderings, {info.samples} a sentence)" if info.samples > 1 else ""
    return (
        f"We asked {info.system_label} to translate {facts.probes:,} {source} sentences {about} into {target}{times}."
    )


def _found(facts: Facts, fixed: str | None) -> str:
    row = facts.counts
    if not row["decided"]:
        invalid = f" ({row['invalid']:,} are no renderings at all)" if row["invalid"] else ""
        return f"None of the {row['n']:,} renderings could be decided{invalid}, so nothing can be said about gender."
    undecided = _undecided(row)
    if fixed:
        value = _with_interval(facts, f"share_{fixed}", row[fixed] / row["decided"])
        return (
            f"This system does not choose: {row[fixed]:,} of {row['decided']:,} decided renderings are {fixed}, "
            f"whoever the sentence is about, {value}{undecided}."
        )
    parts = [
        f"{_with_interval(facts, f'share_{g}', row[g] / row['decided'])} as {LOOKS[Gender(g)].rendered}"
        for g in DECIDED
        if row[g]
    ]
    return f"It rendered {_listed(parts)} ({row['decided']:,} decided renderings{undecided})."


def _found_gold(facts: Facts, fixed: str | None) -> str:
    row = facts.counts
    start = (
        f"This system does not choose: {row[fixed]:,} of {row['decided']:,} decided renderings are {fixed}; its"
        if fixed
        else "Its"
    )
    text = f"{start} renderings have the stated gender in {_with_interval(facts, 'accuracy', None)} of all cases"
    right = facts.right or {}
    if {"female", "male"} <= set(right):
        text += f": {show(right['female'], 'percent')} for women, {show(right['male'], 'percent')} for men"
    return f"{text}{_undecided(row)}."


def _recall(first: pl.DataFrame) -> dict[str, float] | None:
    if "gold" not in first.columns:
        return None
    gold = pl.col("gold").cast(pl.String)
    stated = first.filter(gold.is_in(["female", "male"]))
    rows = stated.group_by(gold).agg((pl.col("gender") == gold).mean().alias("right"))
    return dict(rows.iter_rows()) or None


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


_MEANS_GOLD = (
    "This means that a person whose gender the source states is given another one, or none that could be read, in "
    "the remaining cases; it does not say why, nor how texts of another kind would come out."
)


def _undecided(row: Mapping[str, int]) -> str:
    if not row["unknown"]:
        return ""
    invalid = f", {row['invalid']:,} of them because they are no renderings at all" if row["invalid"] else ""
    return f"; {row['unknown']:,} of {row['n']:,} could not be decided{invalid}"


def _fixed(row: Mapping[str, int]) -> str | None:
    for gender in (Gender.FEMALE.value, Gender.MALE.value):
        if row["decided"] >= 10 and row[gender] >= FIXED * row["decided"]:
            return gender
    return None


def _overall(estimates: pl.DataFrame, measure: str) -> dict[str, object] | None:
    chosen = (pl.col("measure") == measure) & (pl.col("group") == ALL) & (pl.col("variant") == "raw")
    found = estimates.filter(chosen)
    return found.row(0, named=True) if found.height else None


def _with_interval(facts: Facts, measure: str, fallback: float | None) -> str:
    row = _overall(facts.estimates, measure)
    if row is None or row["value"] is None:
        return show(fallback, "percent")
    interval = span(row["low"], row["high"], "percent")
    return f"{show(row['value'], 'percent')}" + (
        f" ({interval_words(facts.info.level)} {interval})" if interval else ""
    )


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else "; ".join(parts[:-1]) + "; and " + parts[-1]


def answer_several(names: list[str], facts: list[Facts], measure: str | None, separated: int | None) -> Headline:
    """The three sentences of a comparison. `separated` counts pairs that the corrected paired test tells apart."""
    first = facts[0]
    source = language(first.info.suite.source_lang)
    targets = sorted({language(f.info.target_lang) for f in facts})
    about = "that state whether a person is a woman or a man" if first.right else _OPEN
    asked = (
        f"We asked {len(facts)} systems ({', '.join(names)}) to translate {first.probes:,} {source} sentences {about} "
        f"into {' and '.join(targets)}."
    )
    said = [_one_of_several(name, f, measure) for name, f in zip(names, facts, strict=True)]
    return Headline(
        asked,
        f"{'; '.join(said)}; {_told_apart(len(facts), separated)}.",
        "A difference that a test finds is unlikely to be chance on these sentences; it does not mean that one system "
        "is fair, nor that other sentences would rank them the same way.",
        any(_fixed(f.counts) for f in facts),
    )


def _one_of_several(name: str, facts: Facts, measure: str | None) -> str:
    row, fixed = facts.counts, _fixed(facts.counts)
    if not row["decided"]:
        invalid = f" ({row['invalid']:,} of {row['n']:,} answers are no renderings at all)" if row["invalid"] else ""
        return f"of {name} nothing could be decided{invalid}"
    right = facts.right or {}
    if measure == "accuracy" and {"female", "male"} <= set(right):
        shares = f"{show(right['female'], 'percent')} for women, {show(right['male'], 'percent')} for men"
        text = f"{name} gives the stated gender in {_with_interval(facts, 'accuracy', None)}: {shares}"
    elif measure is None or measure.startswith("share_"):
        woman = _with_interval(facts, "share_female", row["female"] / row["decided"])
        others = [
            f"{show(row[g] / row['decided'], 'percent')} as {LOOKS[Gender(g)].rendered}" for g in DECIDED[1:] if row[g]
        ]
        text = f"{name} rendered {woman} as a woman" + (f", {', '.join(others)}" if others else "")
    else:
        words = wording(measure)
        found = _overall(facts.estimates, measure) or {"value": None, "low": None, "high": None}
        interval = span(found["low"], found["high"], words.unit)
        text = f"{name}: {words.title} {show(found['value'], words.unit)} ({interval})"
    return f"{text} (it does not choose: nearly always {fixed})" if fixed else text


def _told_apart(systems: int, separated: int | None) -> str:
    pairs = systems * (systems - 1) // 2
    if separated is None:
        return "the runs are not of the same sentences, so nothing is tested pair by pair"
    if pairs == 1:
        return f"a paired test {'tells' if separated else 'does not tell'} them apart"
    return f"paired tests, corrected for their number, tell {separated} of {pairs} pairs of systems apart"
