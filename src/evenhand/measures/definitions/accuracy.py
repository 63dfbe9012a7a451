"""Accuracy and its relatives against a gold gender (WinoMT: Stanovsky, Smith & Zettlemoyer 2019)."""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import Counted, Gap, Proportion, Rate, is_gender, ratio, right_or_wrong
from evenhand.measures.definitions.gendered import GOLD, RIGHT
from evenhand.statistics.measure import Floats

GENDERS = ("female", "male", "neutral")

# Over all probes with a gold gender (neutral gold included); unknown and both count as wrong.
ACCURACY = Proportion("accuracy", right_or_wrong(GOLD.is_not_null(), RIGHT), "higher", 1.0, needs=("gender", "gold"))


class WorstAccuracy(Rate):
    """The lowest accuracy of any combination of language and stated gender (columns `language` and `gold`). Between 0
    and 1, higher is better; `unknown` and `both` count as wrong. The lowest of many cells is lower than the truth where
    cells are small: read it beside the accuracies by language and gender, which say which cell it is. NaN where no
    probe has a gold gender. Source: Robinson et al. 2024 (worst-case performance)."""

    name = "worst_accuracy"
    whole = True
    needs = ("gender", "gold", "language")
    _groups: tuple[tuple[str, str], ...] = ()

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> Self:
        """The same measure for the languages and genders of this table."""
        bound = type(self)()
        pairs = table.select(pl.col("language", "gold").cast(pl.String)).drop_nulls().unique().sort("language", "gold")
        bound._groups = tuple(pairs.iter_rows())
        return bound

    def cells(self) -> dict[str, pl.Expr]:
        cells: dict[str, pl.Expr] = {} if self._groups else {"none": pl.lit(value=False)}
        for language, gold in self._groups:
            names = (f"{language}:{gold}:right", f"{language}:{gold}:wrong")
            cells |= right_or_wrong((pl.col("language") == language) & GOLD.eq(gold), RIGHT, names)
        return cells

    def formula(self, totals: Floats) -> Floats:
        if not self._groups:
            return np.full(totals.shape[:-1], np.nan)
        counts = totals.reshape(*totals.shape[:-1], len(self._groups), 2)
        return np.asarray(np.fmin.reduce(ratio(counts[..., 0], counts.sum(axis=-1)), axis=-1))


class GoldByGender(Counted):
    """Nine cells gold x gender, and one per gold for renderings that can never be right (both, unknown)."""

    needs = ("gender", "gold")
    spans = "gold"

    def cells(self) -> dict[str, pl.Expr]:
        cells: dict[str, pl.Expr] = {}
        for gold in GENDERS:
            cells |= {f"{gold}:{gender}": GOLD.eq(gold) & is_gender(gender) for gender in GENDERS}
            cells[f"{gold}:other"] = GOLD.eq(gold) & ~is_gender(*GENDERS).fill_null(value=False)
        return cells


def _counts(totals: Floats, gender: str) -> tuple[Floats, Floats, Floats]:
    """Of a gender: how often it is right, predicted, and gold."""
    matrix, which = totals.reshape(*totals.shape[:-1], len(GENDERS), len(GENDERS) + 1), GENDERS.index(gender)
    return matrix[..., which, which], matrix[..., :, which].sum(axis=-1), matrix[..., which, :].sum(axis=-1)


def f_score(totals: Floats, gender: str) -> Floats:
    """F1 of one gender from gold x gender counts: 2 right / (predicted + gold); NaN when it occurs on neither side."""
    right, predicted, gold = _counts(totals, gender)
    return ratio(2 * right, gold + predicted)


def _rounded_f_score(totals: Floats, gender: str) -> Floats:
    """In percent, precision, recall and F1 each rounded to one decimal; a precision without any prediction is 0."""
    right, predicted, gold = _counts(totals, gender)
    precision, recall = (np.round(100 * np.nan_to_num(ratio(right, n)), 1) for n in (predicted, gold))
    return np.asarray(np.nan_to_num(ratio(2 * precision * recall, precision + recall)).round(1))


class F1(Rate, GoldByGender):
    """F1 of one gender: harmonic mean of precision and recall, between 0 and 1, higher is better. 0 when the gender is
    never right although it occurs, NaN when neither gold nor renderings have it. Source: Stanovsky et al. 2019."""

    def __init__(self, gender: str) -> None:
        self.name, self._gender = f"F1_{gender}", gender

    def formula(self, totals: Floats) -> Floats:
        return f_score(totals, self._gender)


class GenderGap(Gap, GoldByGender):
    """dG = F1(male) - F1(female), between -1 and 1; 0 is equal quality, positive favours men, nearer to 0 is better.
    `published=True` (name dG_published) rounds precision, recall and F1 in percent to one decimal each, as the
    published numbers do; a precision without any prediction is 0 there. Source: Stanovsky et al. 2019."""

    def __init__(self, *, published: bool = False) -> None:
        self.name, self._published = "dG_published" if published else "dG", published

    def formula(self, totals: Floats) -> Floats:
        if not self._published:
            return self.smooth(totals)
        return (_rounded_f_score(totals, "male") - _rounded_f_score(totals, "female")) / 100

    def smooth(self, totals: Floats) -> Floats:
        """Without the steps of the rounding."""
        return f_score(totals, "male") - f_score(totals, "female")


class StereotypeGap(Gap):
    """dS = accuracy on pro-stereotypical minus accuracy on anti-stereotypical probes (column `stereotype`: pro, anti).

    Between -1 and 1; 0 means stereotypes do not help or hurt, positive that the system is right more often when the
    stereotype holds; nearer to 0 is better. Probes of neither kind are left out; NaN when one kind is missing.
    `published=True` (name dS_published) rounds both accuracies in percent to one decimal first, as the published
    numbers do. Source: Stanovsky et al. 2019.
    """

    needs = ("gender", "gold", "stereotype")

    def __init__(self, *, published: bool = False) -> None:
        self.name, self._published = "dS_published" if published else "dS", published

    def cells(self) -> dict[str, pl.Expr]:
        cells: dict[str, pl.Expr] = {}
        for kind in ("pro", "anti"):
            stated = (pl.col("stereotype") == kind) & GOLD.is_not_null()
            cells |= right_or_wrong(stated, RIGHT, (f"{kind}:right", f"{kind}:wrong"))
        return cells

    def formula(self, totals: Floats) -> Floats:
        if not self._published:
            return self.smooth(totals)
        pro, anti = (np.round(100 * accuracy, 1) for accuracy in self._accuracies(totals))
        return np.asarray((pro - anti) / 100)

    def smooth(self, totals: Floats) -> Floats:
        """Without the steps of the rounding."""
        pro, anti = self._accuracies(totals)
        return pro - anti

    def _accuracies(self, totals: Floats) -> Sequence[Floats]:
        return [ratio(totals[..., right], totals[..., right] + totals[..., right + 1]) for right in (0, 2)]
