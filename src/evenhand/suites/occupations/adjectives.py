"""Stereotyped adjectives: a coreference suite again with every adjective before its focus.

66,528 sentences of WinoBias times 21 are not stored: the suite makes them slice by slice when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.gender import Gender
from evenhand.suites.history import CURRENT, as_of
from evenhand.suites.occupations.coreference import coreference
from evenhand.suites.occupations.verbs import CITATION
from evenhand.suites.suite import Grouping, Suite

HERE = Path(__file__).resolve().parent
NONE = "none"
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
_VOWEL = re.compile(r"^(?:[aeio]|u(?!ni|se|ti|ro)|hour|honest|heir)", re.IGNORECASE)


def adjectives(base: str = "", version: str = CURRENT) -> Suite:
    """`occupations-adjectives`, or `occupations-adjectives:winobias:PATH` on another coreference suite."""
    from evenhand.suites.registry import load_suite

    return with_adjectives(load_suite(base) if base else coreference(version), adjective_list(version))


def with_adjectives(base: Suite, words: pl.DataFrame) -> Suite:
    """The base suite plain and with each adjective; a variant's `base` is its plain sentence."""
    return Suite(
        name="occupations-adjectives" if base.name == "occupations-coreference" else f"adjectives-{base.name}",
        version=base.version,
        source_lang="en",
        kind="nouns",
        summary=f"{base.name} plain and with each of {words.height} adjectives before the focus",
        make=lambda: pl.concat(list(stream_adjectives(base, words))),
        clusters=("occupation", "adjective"),
        groupings=(
            Grouping("adjective_class", column="adjective_class"),
            Grouping("gold", column="gold"),
            Grouping("stereotype", column="stereotype"),
        ),
        measures=("TFG", "accuracy", "F1_female", "F1_male", "dG", "dS"),
        citation=CITATION,
    )


def adjective_list(version: str = CURRENT) -> pl.DataFrame:
    """code, adjective, class, male: the spelling where the focus is a man."""
    return as_of(tsv.frame(HERE / "adjectives.tsv"), "adjectives", language="en", version=version, key="code")


def stream_adjectives(base: Suite, words: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The plain sentences, then one slice an adjective."""
    plain = base.probes
    no_text = pl.lit(None, dtype=pl.String)
    yield plain.with_columns(adjective=pl.lit(NONE), adjective_class=pl.lit(NONE), base=no_text)
    spans = plain.select("source", "focus_start", "focus_end", plain["gold"] == Gender.MALE.value)
    for code, word, gender_class, male in words.select("code", "adjective", "class", "male").iter_rows():
        changed = [
            insert(source, start, end, male if of_a_man else word) for source, start, end, of_a_man in spans.iter_rows()
        ]
        yield plain.with_columns(
            id=pl.col("id") + f"-{code}",
            source=pl.Series([text for text, _, _ in changed], dtype=pl.String),
            focus_start=pl.Series([start for _, start, _ in changed], dtype=pl.Int64),
            focus_end=pl.Series([end for _, _, end in changed], dtype=pl.Int64),
            adjective=pl.lit(word),
            adjective_class=pl.lit(gender_class),
            base=pl.col("id"),
        )


def insert(source: str, start: int, end: int, adjective: str) -> tuple[str, int, int]:
    """The sentence with the adjective before its focus (a or an by its first sound), and where the focus is then."""
    before = source[:start]
    article = _ARTICLE.search(before)
    if article:
        written = "an" if _VOWEL.match(adjective) else "a"
        kept = written.capitalize() if article.group(1)[0].isupper() else written
        before = f"{before[: article.start(1)]}{kept} "
    text = f"{before}{adjective} {source[start:]}"
    at = len(before) + len(adjective) + 1
    return text, at, at + end - start
