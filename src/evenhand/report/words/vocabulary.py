"""How a report names languages, measures and numbers."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite, isnan

import polars as pl

from evenhand.languages import name_of
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import ALL
from evenhand.suites.glosses import level_label
from evenhand.suites.pronouns.lexicon import occupations
from evenhand.tsv import rows

WORDS = files("evenhand.report.words")
_EFFECTIVE = re.compile(r"^(.*), ([\d,]+) of [\d,]+$")
_NUMBERS = re.compile(r"[\d,]+ of [\d,]+|\d[\d,]*")
NBSP = "\u00a0"  # keeps a number and its unit on one line


@dataclass(frozen=True)
class Wording:
    """A measure in a reader's words; `unit` is percent, points, score, number, tiny or test (only its p counts)."""

    measure: str
    title: str
    unit: str
    explanation: str


def language(code: str | None) -> str:
    """The English name of a language, or its code when we have no name for it."""
    return name_of(code or "?")


@cache
def _wordings() -> dict[str, Wording]:
    return {row["measure"]: Wording(**row) for row in rows(WORDS / "measures.tsv")}


def wording(measure: str) -> Wording:
    """A measure's words; one we have none for keeps its name."""
    return _wordings().get(measure, Wording(measure, measure, "number", ""))


@cache
def _groupings() -> dict[str, tuple[str, str]]:
    return {row["grouping"]: (row["title"], row["explanation"]) for row in rows(WORDS / "groupings.tsv")}


def grouping_title(name: str) -> str:
    """A grouping in a reader's words."""
    return _groupings().get(name, (name.replace("_", " "), ""))[0]


def grouping_explained(name: str) -> str:
    """A sentence on what a grouping's levels are; "" where its title says it."""
    return _groupings().get(name, ("", ""))[1]


@cache
def _isco_groups() -> dict[str, str]:
    """Each ISCO-08 unit group by occupations of ours in it, because a code alone says little."""
    known = occupations().drop_nulls("isco08").group_by("isco08", maintain_order=True).agg("english")
    named = {code: f"{', '.join(names[:2])}{', …' if names[2:] else ''} ({code})" for code, names in known.iter_rows()}
    return named | {"none": "no ISCO-08 code"}


def level_shown(group: str, level: str) -> str:
    """A level in a reader's words, with English for foreign words; both sides of a difference."""
    if group == "isco08":
        return " - ".join(_isco_groups().get(part, part) for part in level.split(" - "))
    return " - ".join(level_label(group, part) for part in level.split(" - ")) if group != ALL else level


def labelled(estimates: pl.DataFrame) -> pl.DataFrame:
    """Estimates whose levels are named in a reader's words."""
    pairs = estimates.select("group", "level").unique().iter_rows()
    words = {level: level_shown(group, level) for group, level in pairs}
    return estimates.with_columns(pl.col("level").replace(words))


def method_of(text: str) -> tuple[str, str]:
    """How an interval was made without its own numbers, and how many independent renderings it is worth."""
    plain = text.split(" (", maxsplit=1)[0]
    if plain == "undefined":
        return "undefined: no decided rendering to count", ""
    if plain.startswith("withheld"):
        return "withheld: too few answers are usable", ""
    effective = _EFFECTIVE.match(plain)
    if effective:
        return effective.group(1), effective.group(2)
    return (plain if plain.startswith("none") else _NUMBERS.sub("n", plain)), ""


def direction_words(measure: Measure) -> str:
    """Which way is better; "" for a measure without a direction."""
    if measure.better == "nearer":
        point = "" if isnan(measure.neutral) else f" to {measure.neutral:g}"
        return f"nearer{point} is better"
    return "" if measure.better == "none" else f"{measure.better} is better"


def show(value: object, unit: str = "number") -> str:
    """A number as a reader sees it: 12.3 %, +4.5 points, 0.123; a dash where there is none."""
    if not isinstance(value, int | float) or not isfinite(value):
        return "–"
    if unit == "percent":
        return f"{100 * value:.1f}{NBSP}%"
    if unit == "points":
        return _signed(100 * value)
    if unit == "difference":
        return f"{_signed(100 * value)}{NBSP}points"
    if unit == "score":
        return f"{value:.1f}"
    if unit == "tiny":
        return f"{value:.0e}"
    shown = f"{value:.3f}"
    return shown.replace("-", "−" if float(shown) else "")


def amount(count: int, noun: str) -> str:
    """So many of a thing whose plural ends in s: "1 row", "1,818 rows"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def change_unit(unit: str) -> str:
    """The unit of a difference between two values of a unit."""
    return "difference" if unit in ("percent", "points") else unit


def show_p(value: float | None) -> str:
    """A p value as a reader sees it; never as zero."""
    if value is None or not isfinite(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _signed(value: float) -> str:
    """+1.2, −3.4, and plain 0.0 for what rounds to nothing."""
    shown = f"{value:+.1f}".replace("-", "−")
    return "0.0" if shown in ("+0.0", "−0.0") else shown


def span(low: object, high: object, unit: str = "number") -> str:
    """An interval in words: "10.2 to 14.5 %"; empty where there is none."""
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return ""
    start = show(low, unit)
    if unit in ("percent", "difference"):
        start = start.rsplit(NBSP, 1)[0]
    return f"{start} to {show(high, unit)}"


def valued(value: object, low: object, high: object, unit: str = "number") -> str:
    """A value with its interval behind it: "12.3 % (10.2 to 14.5 %)"."""
    bounds = span(low, high, unit)
    return show(value, unit) + (f" ({bounds})" if bounds else "")
