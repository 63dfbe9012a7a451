"""Word gender scores (Troles & Schmid 2021, section 2.2): which words of a list lean feminine or masculine.

For each embedding and each pair of gender word lists: mean cosine to the masculine words minus mean cosine to the
feminine ones, brought to [-1, 1] by the list's own minimum and maximum; the score is the mean of these columns over the
embeddings that know the word. -1 is the most feminine, 1 the most masculine word of the list: scores of different lists
do not compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.embeddings.association import associations
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import read_table, shipped_attributes
from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Array, Interval, correlation_interval


@dataclass(frozen=True)
class GenderWords:
    """A pair of lists that stand for the genders; `name` labels its columns (she/he)."""

    name: str
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]


PRONOUNS = {
    "en": ("he", "she"),
    "de": ("er", "sie"),
    "es": ("él", "ella"),
    "fr": ("il", "elle"),
    "it": ("lui", "lei"),
    "pt": ("ele", "ela"),
}


def pronouns(language: str) -> GenderWords:
    """she and he of a language, as a pair of one-word lists."""
    if language not in PRONOUNS:
        raise Unknown("language", language, PRONOUNS)
    he, she = PRONOUNS[language]
    return GenderWords(f"{she}/{he}", (he,), (she,))


def gender_words(language: str) -> GenderWords:
    """Our own longer pair of lists for a language (its attribute words)."""
    return GenderWords("gender words", *shipped_attributes(language))


@dataclass(frozen=True)
class WordScores:
    """Ranked from most feminine to most masculine. `columns` x words holds NaN where an embedding lacks the word."""

    words: tuple[str, ...]
    total: Array
    columns: tuple[str, ...]
    table: Array
    unranked: tuple[str, ...]
    partial: tuple[str, ...]

    @property
    def asked(self) -> int:
        return len(self.words) + len(self.unranked)


def score_words(words: Sequence[str], embeddings: Sequence[Vectors], lists: Sequence[GenderWords]) -> WordScores:
    """Score and rank a word list. Words in no embedding are unranked; words in some are averaged over those."""
    wanted = list(dict.fromkeys(words))
    if not wanted or not embeddings or not lists:
        raise BadInput(
            "a gender score needs words, at least one vector file and at least one pair of gender word lists"
        )
    names, rows = [], []
    for vectors in embeddings:
        places = [vectors.row(word) for word in wanted]
        known = np.array([place is not None for place in places])
        if known.sum() < 2:
            raise BadInput(
                f"{vectors.name}: {int(known.sum())} of {len(wanted)} words have vectors; the right language?"
            )
        targets = np.array([place for place in places if place is not None], dtype=np.intp)
        for gender_words in lists:
            male = vectors.need(gender_words.masculine, f"masculine words of {gender_words.name}").rows
            female = vectors.need(gender_words.feminine, f"feminine words of {gender_words.name}").rows
            column = np.full(len(wanted), np.nan)
            column[known] = normalise(associations(vectors, targets, male, female))
            names.append(f"{vectors.name} {gender_words.name}")
            rows.append(column)
    return rank(wanted, names, np.array(rows))


def rank(words: Sequence[str], columns: Sequence[str], table: Array) -> WordScores:
    """Order words by the mean of their columns (NaN where missing)."""
    known = np.isfinite(table)
    counted = known.sum(axis=0)
    total = np.where(counted > 0, np.nansum(table, axis=0) / np.maximum(counted, 1), np.nan)
    order = [int(i) for i in np.argsort(total, kind="stable") if counted[i] > 0]
    return WordScores(
        tuple(words[i] for i in order),
        total[order],
        tuple(columns),
        table[:, order],
        tuple(word for word, n in zip(words, counted, strict=True) if n == 0),
        tuple(words[i] for i in order if counted[i] < len(columns)),
    )


def normalise(values: Array) -> Array:
    """To [-1, 1] by minimum and maximum (the paper's equation 2); equal values cannot be brought apart: an error."""
    low, high = float(values.min()), float(values.max())
    if high <= low:
        raise BadInput("all words of the list have the same score: nothing to rank")
    return np.asarray(-1.0 + 2.0 * (values - low) / (high - low))


@dataclass(frozen=True)
class Agreement:
    """Correlation of the scores with a reference statistic, over the words that have both."""

    pearson: Interval
    pearson_p: float
    spearman: Interval
    spearman_p: float
    words: tuple[str, ...]
    scores: Array
    values: Array


def correlate(
    words: Sequence[str], scores: Array, reference: Mapping[str, float], *, level: float = LEVEL
) -> Agreement:
    """Pearson and Spearman of scores with a reference (for the share of women a negative value is agreement)."""
    both = [
        (word, float(score), reference[word]) for word, score in zip(words, scores, strict=True) if word in reference
    ]
    if len(both) < 3:
        raise BadInput(f"{len(both)} of {len(words)} scored words are in the reference; at least 3 needed")
    x, y = (np.array([row[i] for row in both], dtype=np.float64) for i in (1, 2))
    pearson, pearson_p = correlation_interval(x, y, level=level)
    spearman, spearman_p = correlation_interval(x, y, spearman=True, level=level)
    return Agreement(pearson, pearson_p, spearman, spearman_p, tuple(row[0] for row in both), x, y)


def read_reference(path: Path, column: str | None = None) -> dict[str, float]:
    """A statistic by word: a table; `word` (or the first column) and `column` (or the second). Empty cells
    are left out."""
    rows = read_table(path, ())
    header = list(rows[0])
    key = "word" if "word" in header else header[0]
    name = column or next((h for h in header if h != key), "")
    if name not in header:
        raise BadInput(f"{path}: no column {name!r} (there are {', '.join(header)})")
    values: dict[str, float] = {}
    for row in rows:
        text = row.get(name, "").strip()
        if text:
            try:
                values[row[key]] = float(text)
            except ValueError as error:
                raise BadInput(f"{path}: {row[key]}: {text!r} in column {name} is not a number") from error
    if not values:
        raise BadInput(f"{path}: column {name} is empty")
    return values


@dataclass(frozen=True)
class PublishedScores:
    """A ranking as WiBeMT publishes it: eight columns a word, their printed total, and the share of women if known."""

    scores: WordScores
    printed: dict[str, float]
    women: dict[str, float]


def read_published(path: Path) -> PublishedScores:
    """WiBeMT's OccupationsRanked.csv (tabs): the columns between `origin` and `sum_all` are scores ("----": missing),
    those after it shares of women, of which the first that is filled counts."""
    rows = read_table(path, ("Word",), format="tsv")  # its name ends in .csv
    header = list(rows[0])
    if "sum_all" not in header or "origin" not in header:
        raise BadInput(f"{path}: expected the columns origin and sum_all, as in WiBeMT's OccupationsRanked.csv")
    columns = header[header.index("origin") + 1 : header.index("sum_all")]
    shares = header[header.index("sum_all") + 1 :]
    table = np.array([[_cell(row.get(name, "")) for row in rows] for name in columns])
    printed = {row["Word"]: value for row in rows if np.isfinite(value := _cell(row.get("sum_all", "")))}
    women = {}
    for row in rows:
        known = [value for name in shares if np.isfinite(value := _cell(row.get(name, "")))]
        if known:
            women[row["Word"]] = known[0]
    return PublishedScores(rank([row["Word"] for row in rows], columns, table), printed, women)


def _cell(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
