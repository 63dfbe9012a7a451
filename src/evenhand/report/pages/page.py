"""Putting a page together: templates, style and script go into one file that loads nothing else."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import inf, isfinite, isnan

import polars as pl
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evenhand.gender import GENDERS, LOOKS
from evenhand.languages import direction
from evenhand.level import interval_words
from evenhand.measures.decisions.planned import PLANNED
from evenhand.measures.decisions.ranking import badness
from evenhand.measures.definitions.direction import directed
from evenhand.measures.definitions.registry import names as known_measures
from evenhand.report.charts.drawing import inline_svg
from evenhand.report.charts.figure import Figure
from evenhand.report.pages.marks import chart_style, gender_style, letter
from evenhand.report.words.glossary import entries
from evenhand.report.words.vocabulary import (
    NBSP,
    amount,
    change_unit,
    language,
    level_shown,
    method_of,
    show,
    show_p,
    span,
    wording,
)
from evenhand.results.runs import Manifest
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import ALL
from evenhand.visible import visible
from evenhand.workflows.probes import version_words

_BRACKETED = re.compile(r"\([^()]{1,40}\)")
UNDRAWN = "<p>This chart could not be drawn; its data are below.</p>"


def environment(*packages: str) -> Environment:
    """The templates of these packages, with escaping always on; an unknown name in a template is an error."""
    env = Environment(
        loader=ChoiceLoader([PackageLoader(package, "templates") for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(
        show=show, span=span, wording=wording, language=language, letter=letter, interval_words=interval_words
    )
    env.globals.update(GENDERS=GENDERS, LOOKS=LOOKS, entry=lambda term: entries().get(term), direction=direction)
    env.filters.update(visible=visible, cell=cell, version_words=version_words, capital=capital)
    env.filters.update(amount=amount, sentence=sentence, unbroken=unbroken)
    return env


def capital(text: str) -> str:
    """The text with a capital at its beginning; the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A remark as a sentence: a capital, and a full stop unless it ends with a mark of its own."""
    return capital(text) + ("" if text.endswith((".", "!", "?", ":")) else ".")


def unbroken(text: str) -> str:
    """The text with what stands in brackets kept on one line: a narrow column puts an interval below its value."""
    return _BRACKETED.sub(lambda match: match.group().replace(" ", NBSP), text)


def asset(name: str) -> str:
    return files("evenhand.report.pages").joinpath("templates", name).read_text(encoding="utf-8")


def policy(script: str) -> str:
    """A content policy that lets this page load nothing and run only its own script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def render(template: str, context: Mapping[str, object]) -> str:
    """A whole page. Style and script are ours and go in as they are; everything else is escaped."""
    script = asset("page.js")
    return (
        environment("evenhand.report.pages")
        .get_template(template)
        .render(
            style=Markup(asset("style.css") + gender_style() + chart_style()),
            script=Markup(script),
            policy=policy(script),
            **context,
        )
    )


def drawn(figures: list[Figure]) -> list[dict[str, object]]:
    """Figures as a template wants them. The chart library escapes text in an SVG, which holds shapes only."""
    return [
        {
            "key": f.key,
            "title": f.title,
            "caption": f.caption,
            "svg": Markup(inline_svg(f) or UNDRAWN),
            "narrow": Markup(inline_svg(f, narrow=True)),
            "columns": f.table.columns,
            "rows": f.table.rows(),
        }
        for f in figures
    ]


def cell(value: object) -> str:
    """A table cell: numbers short, everything else as visible text."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}" if isfinite(value) else "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else visible(str(value))


def estimate_rows(estimates: pl.DataFrame) -> list[dict[str, object]]:
    """Estimates with what a template prints: words, value, interval, coverage."""
    rows = []
    for row in estimates.iter_rows(named=True):
        words = wording(row["measure"])
        unit = change_unit(words.unit) if row["family"] is not None else words.unit
        method, effective = method_of(row["interval"] or "")
        rows.append(
            {
                **row,
                "planned": row.get(PLANNED),
                "title": words.title,
                "level_shown": level_shown(row["group"], row["level"]),
                "explanation": words.explanation,
                "shown": show(row["value"], unit),
                "interval_shown": span(row["low"], row["high"], unit),
                "bounds_shown": span(row["bounds_low"], row["bounds_high"], unit) if _wider(row) else "",
                "method": method if effective else row["interval"] or "",
                "p_shown": show_p(row["p_adjusted"] if row["p_adjusted"] is not None else row["p"]),
                "coverage": f"{row['n_decided']:,} of {row['n']:,}" if row["n"] else "",
                "valid": f"{row['n_valid']:,} of {row['n']:,}" if row["n"] and row.get("n_valid") is not None else "",
                "all_valid": row.get("n_valid") == row["n"],
            }
        )
    return rows


def _wider(row: Mapping[str, float | None]) -> bool:
    """The bounds for undecided renderings leave the interval: only then do they say more."""
    low, high = row["bounds_low"], row["bounds_high"]
    if low is None or high is None:
        return False
    return row["low"] is None or row["high"] is None or low < row["low"] or high > row["high"]


# Which measure stands for a run where there is room for one only.

LEAD = ("obeyed", "accuracy", "reference_accuracy", "P_S", "TGBI")


def leading(tables: Sequence[pl.DataFrame], info: Manifest, *, wanted: str = "") -> Measure | None:
    """The measure by which runs of one suite are shown and ordered: the one `wanted` for where all have it, else the
    first of LEAD, then of the suite's own. None where they share nothing."""
    measured = [_overall(table)["measure"].to_list() for table in tables]
    common = [name for name in measured[0] if all(name in names for names in measured)]
    if wanted.partition(":")[0] in common:
        return directed(wanted)
    ours = [*LEAD, *info.suite.measures, *sorted(common)]
    first = next((name for name in ours if name in common and name in known_measures()), None)
    return None if first is None else directed(first)


def leading_row(estimates: pl.DataFrame, measure: Measure) -> dict[str, object]:
    """That measure over the whole run, with what a template prints."""
    return estimate_rows(_overall(estimates).filter(measure=measure.name, variant="raw").head(1))[0]


def badness_of(measure: Measure, value: object) -> float:
    """A value turned so that smaller is better: 0 for a measure without a direction, infinite for no value."""
    if not isinstance(value, int | float) or not isfinite(value):
        return inf
    turned = badness(measure, value)
    return 0.0 if isnan(turned) else turned


def _overall(estimates: pl.DataFrame) -> pl.DataFrame:
    return estimates.filter(group=ALL, level="")
