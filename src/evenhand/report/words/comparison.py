"""A comparison in plain words. What is said follows its own ranking and readings, so that no sentence contradicts a
rank, a tie or a p."""

from collections.abc import Mapping, Sequence
from math import isfinite

import polars as pl

from evenhand.gender import DECIDED, LOOKS, Gender
from evenhand.level import ALPHA
from evenhand.measures.decisions.paired import Comparison
from evenhand.measures.decisions.ranking import NO_DIFFERENCE
from evenhand.measures.definitions.direction import directed
from evenhand.measures.rows import condition_of
from evenhand.report.words.headlines import Headline
from evenhand.report.words.narrative import RunFacts, overall, setting, with_interval, women_and_men
from evenhand.report.words.vocabulary import change_unit, direction_words, show, show_p, span, wording

MEANING = (
    "A significant difference is unlikely to be chance on these sentences. It does not mean that one system is fair, "
    "or that other sentences would rank the systems the same way."
)
WITHOUT_ZERO = "the interval, which is not corrected for the number of tests, excludes 0"
UNTESTED = "The runs use different sentences, so no paired test is possible."
LISTED = 8  # names that a sentence can hold
NAMED = 4  # systems whose own shares are listed; of more, the ends


def answer_several(
    names: Sequence[str], facts: Sequence[RunFacts], measure: str | None, comparison: Comparison | None
) -> Headline:
    """The sentences of a comparison by its leading measure; `comparison` is None for runs of other sentences."""
    labels = [f"{name}{_fixed(one)}" for name, one in zip(names, facts, strict=True)]
    listed = f" ({', '.join(names)})" if len(names) <= LISTED else ""  # the heading has them all
    return Headline(
        setting=_settings(names, facts) or setting(facts[0], f"We asked {len(facts)} systems{listed} to translate"),
        finding=which_is_better(comparison, measure) if comparison and measure else UNTESTED,
        meaning=MEANING,
        fixed=any(one.fixed for one in facts),
        further=(_each(labels, facts, measure), *([] if comparison is None else [_sentences(comparison)])),
    )


def _settings(names: Sequence[str], facts: Sequence[RunFacts]) -> str:
    """What each system was asked, where it was not the same; empty where it was, or they are too many."""
    if len({one.info.suite.hash for one in facts}) == 1 or len(facts) > LISTED:
        return ""
    return " ".join(setting(one, f"We asked {name} to translate") for name, one in zip(names, facts, strict=True))


def which_is_better(comparison: Comparison, measure: str) -> str:
    """One sentence on the leading measure: the better of two with difference, interval and p, or the order of many."""
    ranked = comparison.ranking.filter(pl.col("measure") == measure).to_dicts()
    pairs = comparison.differences.filter(pl.col("measure") == measure)
    if len(comparison.unranked) and len(ranked) < 2:
        return f"No system can be ranked: {'; '.join(comparison.remarks)}."
    on = f"By {wording(measure).title} ({direction_words(directed(measure)) or 'no direction is better'})"
    if pairs.height == 1:
        return f"{on}, {_of_two(pairs.row(0, named=True), ranked)}."
    differing = pairs.filter(pl.col("p_adjusted") < ALPHA)
    some = differing.filter(pl.col("condition").is_not_null()).height if "condition" in differing.columns else 0
    tests = f"{differing.height:,} of {pairs.height:,} pairs of systems differ significantly (corrected paired tests)"
    tests += f", {some:,} of them on a condition that the table names" if some else ""
    order = _order(ranked, wording(measure).unit)
    return f"{on}, {order}{'; ' if order else ''}{tests}."


def _of_two(pair: Mapping[str, object], ranked: Sequence[Mapping[str, object]]) -> str:
    unit = wording(str(pair["measure"])).unit
    missing = [str(r["system"]) for r in ranked if r["value"] is None]
    if missing or not ranked:
        return f"no value of {' and '.join(missing) or 'either'} to compare"
    # in the order of the difference: 40 and 60 % are -20 points
    ordered = sorted(ranked, key=lambda r: not str(pair["level"]).startswith(f"{r['system']} - "))
    values = " and ".join(f"{r['system']} has {show(r['value'], unit)}" for r in ordered)
    bounds = span(pair["low"], pair["high"], change_unit(unit))
    p = pair["p_adjusted"]
    size = f"a difference of {show(pair['value'], change_unit(unit))}" + (f" ({bounds})" if bounds else "")
    tested = f"{size}, corrected p {show_p(p)}" if isinstance(p, float) else size
    reading = str(pair["reading"])
    if reading == "no test":
        return f"{values}, {size}; too few clusters for a test"
    return f"{values}, {tested}: {_read(pair, reading)}"


def _read(pair: Mapping[str, object], reading: str) -> str:
    """What the paired test says of two systems."""
    if reading == NO_DIFFERENCE:
        low, high = pair["low"], pair["high"]
        alone = isinstance(low, float) and isinstance(high, float) and not low <= 0 <= high
        parts = f", though {WITHOUT_ZERO}" if alone else ""
        return f"no significant difference{parts}"
    condition = condition_of(pair)
    depends = f"; this is not a firm finding: {condition}" if condition else ""
    if reading.startswith("different"):
        return f"significantly {reading}{depends}"
    word = " nearer to " if " nearer to " in reading else " better"
    ahead, _, rest = reading.rpartition(word)
    return f"{ahead} is{word}{rest}{depends}"


def _order(ranked: Sequence[Mapping[str, object]], unit: str) -> str:
    """Who is first and who is last; empty where the measure gives no rank."""
    ranks = [rank for r in ranked if isinstance(rank := r["rank"], int)]
    if not ranks:
        return ""
    if max(ranks) == 1:
        return "no system is significantly better than another"

    def named(rank: int) -> str:
        return ", ".join(f"{r['system']} ({show(r['value'], unit)})" for r in ranked if r["rank"] == rank)

    return f"{named(1)} ranks first and {named(max(ranks))} last"


def _fixed(facts: RunFacts) -> str:
    return f" (nearly always {facts.fixed})" if facts.fixed else ""


def _each(labels: Sequence[str], facts: Sequence[RunFacts], measure: str | None) -> str:
    """What came out of each system; of many, of those at the ends."""
    sentences = [_one(name, one, measure) for name, one in zip(labels, facts, strict=True)]
    if len(sentences) <= NAMED:
        return f"What came out: {'; '.join(sentences)}."
    key = "accuracy" if measure == "accuracy" else "share_female"
    rows = [overall(one.estimates, key) or {"value": None} for one in facts]
    values = [value if isinstance(value := row["value"], float) else float("nan") for row in rows]
    ends = sorted((v, sentences[i]) for i, v in enumerate(values) if isfinite(v))
    return f"The lowest and the highest: {ends[0][1]}; {ends[-1][1]}." if ends else "No rendering could be decided."


def _one(name: str, facts: RunFacts, measure: str | None) -> str:
    row = facts.counts
    if measure == "reference_accuracy":
        return f"{name} agrees with the right reference in {with_interval(facts, measure, None)}"
    if measure == "obeyed":
        return f"{name} obeyed in {with_interval(facts, measure, None)}"
    if not row["decided"]:
        invalid = f" ({row['invalid']:,} of {row['n']:,} answers are unusable)" if row["invalid"] else ""
        return f"no rendering of {name} could be decided{invalid}"
    if len(facts.stated) > 1:
        right = sum(facts.right.values()) / sum(facts.stated.values())
        return f"{name} gives the stated gender in {with_interval(facts, 'accuracy', right)}: {women_and_men(facts)}"
    woman = with_interval(facts, "share_female", row["female"] / row["decided"])
    others = [
        f"{show(row[g] / row['decided'], 'percent')} as {LOOKS[Gender(g)].rendered}" for g in DECIDED[1:] if row[g]
    ]
    return f"{name} rendered {woman} as a woman" + (f", {', '.join(others)}" if others else "")


def _sentences(comparison: Comparison) -> str:
    return f"Their verdicts differ on {comparison.differing.height:,} of {comparison.common:,} common renderings."
