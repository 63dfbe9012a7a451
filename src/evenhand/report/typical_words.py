"""The words a page on word vectors opens with: drawn by the rule of typical.py, never the most striking.

An outcome is the side a word leans to, so that words of both sides stand there as their shares ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.report.typical import draw, drawn_words
from evenhand.report.vocabulary import show
from evenhand.results.findings import Findings

LEAST = 3  # words, below which there is nothing to draw from


@dataclass(frozen=True)
class WordLine:
    """A word (or its two forms) as it stands in the vectors, what it means in English, and what was measured of it."""

    word: str
    lang: str
    gloss: str
    told: str


@dataclass(frozen=True)
class TypicalWords:
    """Drawn words, and in `rule` how they were drawn."""

    title: str
    rule: str
    lines: Sequence[WordLine]


def study_words(findings: Findings, original: str) -> TypicalWords | None:
    """Occupations of the original vectors: in two forms, or, of English, in one; None without enough of them."""
    lang, seed = findings.manifest.parts["language"], findings.manifest.seed
    if "occupations" in findings.tables:
        words = findings.tables["occupations"].filter(pl.col("method") == original)
        side = pl.when(pl.col("s") > 0).then(pl.lit("male")).otherwise(pl.lit("female"))
        lines = [WordLine(row["word"], lang, "", _leaning(row["s"])) for row in words.iter_rows(named=True)]
        return _drawn("Typical words", words.select(side.alias("side")).to_series(), lines, "occupations", seed)
    pairs = findings.tables.get("pairs", pl.DataFrame())
    if pairs.is_empty():
        return None
    pairs = pairs.filter(pl.col("method") == original)
    if pairs["b_w"].null_count() < pairs.height:
        pairs = pairs.drop_nulls("b_w")
        ahead = pl.col("s_masculine").abs() > pl.col("s_feminine").abs()
        said = [_association(row["s_masculine"], row["s_feminine"]) for row in pairs.iter_rows(named=True)]
    else:
        pairs = pairs.drop_nulls("cos_masculine")
        ahead = pl.col("cos_masculine") > pl.col("cos_feminine")
        said = [_nearness(row) for row in pairs.iter_rows(named=True)]
    side = pl.when(ahead).then(pl.lit("masculine form")).otherwise(pl.lit("feminine form"))
    lines = [
        WordLine(f"{row['masculine']}, {row['feminine']}", lang, row["english"] or "", told)
        for row, told in zip(pairs.iter_rows(named=True), said, strict=True)
    ]
    return _drawn("Typical words", pairs.select(side.alias("side")).to_series(), lines, "occupations", seed)


def score_words(findings: Findings) -> TypicalWords | None:
    """Words of a ranking, from its feminine, middle and masculine third of the scale."""
    scores = findings.tables["scores"]
    third = (
        pl.when(pl.col("score") < -1 / 3)
        .then(pl.lit("feminine"))
        .when(pl.col("score") > 1 / 3)
        .then(pl.lit("masculine"))
        .otherwise(pl.lit("middle"))
    )
    lines = [WordLine(row["word"], "", "", f"score {show(row['score'])}") for row in scores.iter_rows(named=True)]
    sides = scores.select(third.alias("side")).to_series()
    return _drawn("Typical words", sides, lines, "words", findings.manifest.seed, by="third of the scale")


def compared_words(findings: Findings) -> TypicalWords | None:
    """Words of a system beside a text, by whether the system names women more or less often."""
    words = findings.tables["words"]
    more = pl.col("system_share") > pl.col("share")
    fewer = pl.col("system_share") < pl.col("share")
    side = pl.when(more).then(pl.lit("more women")).when(fewer).then(pl.lit("fewer women")).otherwise(pl.lit("as many"))
    lines = [
        WordLine(
            row["concept"],
            "en",
            "",
            f"{show(row['share'], 'percent')} women in the text, "
            f"{show(row['system_share'], 'percent')} by {row['system']}",
        )
        for row in words.iter_rows(named=True)
    ]
    sides = words.select(side.alias("side")).to_series()
    return _drawn("Typical words", sides, lines, "words", findings.manifest.seed, by="way they differ")


def _drawn(
    title: str, side: pl.Series, lines: Sequence[WordLine], what: str, seed: int, *, by: str = "side"
) -> TypicalWords | None:
    if len(lines) < LEAST:
        return None
    chosen = draw(side, None, seed=seed)
    return TypicalWords(title, drawn_words(len(lines), what, by, None, seed), [lines[row] for row in chosen])


def _leaning(s: float) -> str:
    return f"nearer to {'male' if s > 0 else 'female'} words (s {show(s)})"


def _association(masculine: float, feminine: float) -> str:
    first = "masculine" if abs(masculine) > abs(feminine) else "feminine"
    values = f"s {show(masculine)} and {show(feminine)} (above 0: nearer to male words)"
    return f"{values}; the {first} form is the more strongly tied"


def _nearness(row: dict[str, float]) -> str:
    first = "masculine" if row["cos_masculine"] > row["cos_feminine"] else "feminine"
    cosines = f"{show(row['cos_masculine'])} and {show(row['cos_feminine'])}"
    return f"cosines {cosines} to the English word; the {first} form is nearer"
