"""Word gender scores (Troles & Schmid 2021, section 2.2): per embedding and pair of gender word lists the difference of
mean cosines, brought to [-1, 1] by the list's own minimum and maximum; the score is the mean of these columns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from evenhand.embeddings.association import associations
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import read_table, shipped_attributes
from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Array, Interval, correlation_interval


class GenderWords(NamedTuple):
    """A pair of word lists, one per gender; `name` labels its columns (she/he)."""

    name: str
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]


PRONOUNS = {"en": "she/he", "de": "sie/er", "es": "ella/él", "fr": "elle/il", "it": "lei/lui", "pt": "ela/ele"}


def pronouns(language: str) -> GenderWords:
    """she and he of a language, as a pair of one-word lists."""
    if language not in PRONOUNS:
        raise Unknown("language", language, PRONOUNS)
    she, he = PRONOUNS[language].split("/")
    return GenderWords(PRONOUNS[language], (he,), (she,))


def gender_words(language: str) -> GenderWords:
    """Our own longer pair of lists for a language (its attribute words)."""
    return GenderWords("gender words", *shipped_attributes(language))


class WordScores(NamedTuple):
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
        raise BadInput("a gender score needs words, a vector file and a pair of gender word lists")
    names, rows = [], []
    for vectors in embeddings:
        places = {number: row for number, word in enumerate(wanted) if (row := vectors.row(word)) is not None}
        if len(places) < 2:
            raise BadInput(f"{vectors.name}: {len(places)} of {len(wanted)} words have vectors; the right language?")
        targets = np.array(list(places.values()), dtype=np.intp)
        for gender_words in lists:
            male = vectors.need(gender_words.masculine, f"masculine words of {gender_words.name}").rows
            female = vectors.need(gender_words.feminine, f"feminine words of {gender_words.name}").rows
            column = np.full(len(wanted), np.nan)
            column[list(places)] = normalise(associations(vectors, targets, male, female))
            names.append(f"{vectors.name} {gender_words.name}")
            rows.append(column)
    return rank(wanted, names, np.array(rows))


def rank(words: Sequence[str], columns: Sequence[str], table: Array) -> WordScores:
    """Order words by the mean of their columns (NaN where missing)."""
    known = np.isfinite(table)
    counted = known.sum(axis=0)
    total = np.where(counted > 0, np.nansum(table, axis=0) / np.maximum(counted, 1), np.nan)
    order = [int(i) for i in np.argsort(total, kind="stable") if counted[i] > 0]
    unranked = tuple(word for word, n in zip(words, counted, strict=True) if n == 0)
    partial = tuple(words[i] for i in order if counted[i] < len(columns))
    ranked = tuple(words[i] for i in order)
    return WordScores(ranked, total[order], tuple(columns), table[:, order], unranked, partial)


def normalise(values: Array) -> Array:
    """To [-1, 1] by minimum and maximum (the paper's equation 2); equal values are an error."""
    low, high = float(values.min()), float(values.max())
    if high <= low:
        raise BadInput("all words of the list have the same score: nothing to rank")
    return np.asarray(-1.0 + 2.0 * (values - low) / (high - low))


class Agreement(NamedTuple):
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
    known = [place for place, word in enumerate(words) if word in reference]
    if len(known) < 3:
        raise BadInput(f"{len(known)} of {len(words)} scored words are in the reference; at least 3 needed")
    both = tuple(words[place] for place in known)
    x, y = scores[known], np.array([reference[word] for word in both], dtype=np.float64)
    pearson, spearman = (correlation_interval(x, y, spearman=ranked, level=level) for ranked in (False, True))
    return Agreement(*pearson, *spearman, both, x, y)


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
    for row in (row for row in rows if row[name].strip()):
        try:
            values[row[key]] = float(row[name])
        except ValueError as error:
            raise BadInput(f"{path}: {row[key]}: {row[name]!r} in column {name} is not a number") from error
    if not values:
        raise BadInput(f"{path}: column {name} is empty")
    return values


class PublishedScores(NamedTuple):
    """A ranking as WiBeMT publishes it: eight columns, their printed total, and the share of women if known."""

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
    numbers = pl.DataFrame(rows).with_columns(pl.exclude("Word").cast(pl.Float64, strict=False))
    table = numbers.select(pl.col(columns).fill_null(np.nan)).to_numpy().T
    printed = dict(numbers.drop_nulls("sum_all").select("Word", "sum_all").iter_rows())
    women = dict(numbers.select("Word", women=pl.coalesce(shares)).drop_nulls("women").iter_rows())
    return PublishedScores(rank(numbers["Word"].to_list(), columns, table), printed, women)
