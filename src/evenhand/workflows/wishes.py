"""Asking a system for a gender: what is wanted of each probe, in a word and in a sentence, and who can be asked.

The sentences are `wishes.tsv`; their version is part of the suite's version, and so of the signature.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import Steerable, System
from evenhand.tsv import rows

VERSION = "1"
GENDERS = ("female", "male", "neutral")
ASKS = (*GENDERS, "source")
WISHES = Path(__file__).with_name("wishes.tsv")


def asking(suite: Suite, ask: str) -> Suite:
    """The suite with the columns `wanted` and `wish`, and the measure `obeyed`.

    `ask` is a gender for every probe, or "source": the gold gender of each; probes without one are asked for nothing.
    """
    if ask not in ASKS:
        raise Unknown("gender to ask for", ask, ASKS)
    wishes = {row["ask"]: row["wish"] for row in rows(WISHES) if row["kind"] == suite.kind}
    if not wishes:
        raise BadInput(f"no gender can be asked for in suite {suite.name}: it is judged by {suite.kind}")
    probes = suite.probes
    if ask == "source" and "gold" not in probes.columns:
        raise BadInput(f"suite {suite.name} has no gold gender that --ask source could ask for")
    wanted = pl.col("gold").cast(pl.String) if ask == "source" else pl.lit(ask)
    focus = pl.col("focus") if "focus" in probes.columns else pl.lit("")
    table = probes.with_columns(wanted=pl.when(wanted.is_in(list(GENDERS))).then(wanted))
    sentence = pl.col("wanted").replace_strict(wishes, default=None, return_dtype=pl.String)
    table = table.with_columns(wish=sentence.str.replace("{focus}", focus.fill_null(""), literal=True))
    return replace(
        suite,
        version=f"{suite.version}[ask={ask},wishes-{VERSION}]",
        make=lambda: table,
        measures=("obeyed", *suite.measures),
    )


#: How the parts of a probe were sent, by the mark that passages.py makes.
SENT = {
    "context=sentences": "one sentence at a time",
    "context=before": "one sentence at a time, those before it as context",
}


def version_words(version: str) -> str:
    """A suite's version as people read it: its marks (what was left of it, how it was sent, what was asked for) in
    words."""
    plain, *marks = version.removesuffix("]").split("[")
    return ", ".join([plain, *(_mark_words(mark.removesuffix("]")) for mark in marks)])


def _mark_words(mark: str) -> str:
    ask, wish, _ = mark.removeprefix("ask=").partition(f",wishes-{VERSION}")
    if wish and ask in ASKS:
        return f"asked for {'the gender of the source' if ask == 'source' else ask}"
    if mark in SENT:
        return SENT[mark]
    conditions = [condition.partition("=") for condition in mark.split(",")]
    told = [f"{column.replace('_', ' ')} {value or 'empty'}" for column, equals, value in conditions if equals]
    return f"only {' and '.join(told)}" if len(told) == len(conditions) and told else f"[{mark}]"


def check_asked(system: System, suite: Suite) -> None:
    """An error, before anything is sent, where the system cannot be asked for what the probes want."""
    wanted = set(suite.probes["wanted"].drop_nulls().unique().to_list())
    can = system.asks if isinstance(system, Steerable) else frozenset()
    if wanted - can:
        takes = f"it can be asked for {', '.join(sorted(can))}" if can else "it cannot be asked for any"
        hint = "" if can else f"; mended:{system.name} may do it for languages that `evenhand mend` knows"
        raise BadInput(f"{system.name} cannot be asked for {', '.join(sorted(wanted - can))}: {takes}{hint}")
