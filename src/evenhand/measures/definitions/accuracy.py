"""Accuracy and its relatives against a gold gender (WinoMT: Stanovsky, Smith & Zettlemoyer 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import Counted, Proportion, is_gender, ratio
from evenhand.statistics.measure import Better, Floats

GOLD = ("female", "male", "neutral")
OTHER = "other"  # both and unknown: never right


class GoldByGender(Counted):
    """Nine cells gold x gender, and one a gold for renderings that can never be right."""

    needs = ("gender", "gold")

    def cells(self) -> dict[str, pl.Expr]:
        cells = {}
        for gold in GOLD:
            asked = pl.col("gold").cast(pl.String) == gold
            cells.update({f"{gold}:{gender}": asked & is_gender(gender) for gender in GOLD})
            cells[f"{gold}:{OTHER}"] = asked & ~is_gender(*GOLD).fill_null(value=False)
        return cells


def _matrix(totals: Floats) -> Floats:
    return totals.reshape(*totals.shape[:-1], len(GOLD), len(GOLD) + 1)


class Accuracy(Proportion):
    """Share of renderings with the gold gender, over all probes that have one (neutral gold included).

    Between 0 and 1, higher is better. `unknown` and `both` count as wrong. NaN where no probe has a gold gender.
    Source: Stanovsky et al. 2019, section 3.
    """

    name = "accuracy"
    better: Better = "higher"
    neutral = 1.0
    needs = ("gender", "gold")

    def cells(self) -> dict[str, pl.Expr]:
        right = pl.col("gold").cast(pl.String) == pl.col("gender").cast(pl.String)
        asked = pl.col("gold").is_not_null()
        return {"right": asked & right.fill_null(value=False), "wrong": asked & ~right.fill_null(value=False)}


class WorstAccuracy(Counted):
    """The lowest accuracy of any combination of language and stated gender (columns `language` and `gold`).

    Between 0 and 1, higher is better; `unknown` and `both` count as wrong. The lowest of many cells is lower than the
    truth where cells are small: read it beside the accuracies by language and gender, which say which cell it is. NaN
    where no probe has a gold gender. Source: Robinson et al. 2024 (worst-case performance).
    """

    name = "worst_accuracy"
    whole = True
    better: Better = "higher"
    neutral = 1.0
    bounds = (0.0, 1.0)
    needs = ("gender", "gold", "language")

    def __init__(self) -> None:
        self._groups: tuple[tuple[str, str], ...] = ()

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> WorstAccuracy:
        """The same measure for the languages and genders of this table."""
        bound = WorstAccuracy()
        pairs = table.select(pl.col("language", "gold").cast(pl.String)).drop_nulls().unique().sort("language", "gold")
        bound._groups = tuple(pairs.iter_rows())
        return bound

    def cells(self) -> dict[str, pl.Expr]:
        right = (pl.col("gold").cast(pl.String) == pl.col("gender").cast(pl.String)).fill_null(value=False)
        cells: dict[str, pl.Expr] = {} if self._groups else {"none": pl.lit(value=False)}
        for language, gold in self._groups:
            asked = (pl.col("language") == language) & (pl.col("gold").cast(pl.String) == gold)
            cells |= {f"{language}:{gold}:right": asked & right, f"{language}:{gold}:wrong": asked & ~right}
        return cells

    def formula(self, totals: Floats) -> Floats:
        if not self._groups:
            return np.full(totals.shape[:-1], np.nan)
        counts = totals.reshape(*totals.shape[:-1], len(self._groups), 2)
        rates = ratio(counts[..., 0], counts.sum(axis=-1))
        lowest: Floats = np.fmin.reduce(rates, axis=-1)
        return lowest


def f_score(totals: Floats, gender: str) -> Floats:
    """F1 of one gender from gold x gender counts: 2 right / (predicted + gold); NaN when it occurs on neither side."""
    matrix, which = _matrix(totals), GOLD.index(gender)
    right = matrix[..., which, which]
    return ratio(2 * right, matrix[..., which, :].sum(axis=-1) + matrix[..., :, which].sum(axis=-1))


class F1(GoldByGender):
    """F1 of one gender: harmonic mean of precision and recall, between 0 and 1, higher is better.

    0 when the gender is never right although it occurs, NaN when neither gold nor renderings have it. Source:
    Stanovsky et al. 2019.
    """

    better: Better = "higher"
    neutral = 1.0
    bounds = (0.0, 1.0)
    spans = "gold"

    def __init__(self, gender: Literal["female", "male", "neutral"]) -> None:
        self.name = f"F1_{gender}"
        self._gender = gender

    def formula(self, totals: Floats) -> Floats:
        return f_score(totals, self._gender)


class GenderGap(GoldByGender):
    """dG = F1(male) - F1(female), between -1 and 1; 0 is equal quality, positive favours men, nearer to 0 is better.

    `published=True` (name dG_published) rounds precision, recall and F1 in percent to one decimal each, as the
    published numbers do; a precision without any prediction is 0 there. Source: Stanovsky et al. 2019.
    """

    better: Better = "nearer"
    neutral = 0.0
    bounds = (-1.0, 1.0)
    spans = "gold"

    def __init__(self, *, published: bool = False) -> None:
        self.name = "dG_published" if published else "dG"
        self._published = published

    def formula(self, totals: Floats) -> Floats:
        if not self._published:
            return self.smooth(totals)
        return (_rounded_f_score(totals, "male") - _rounded_f_score(totals, "female")) / 100

    def smooth(self, totals: Floats) -> Floats:
        """Without the steps of the rounding."""
        return f_score(totals, "male") - f_score(totals, "female")


def _rounded_f_score(totals: Floats, gender: str) -> Floats:
    matrix, which = _matrix(totals), GOLD.index(gender)
    right = matrix[..., which, which]
    precision = np.round(100 * np.nan_to_num(ratio(right, matrix[..., :, which].sum(axis=-1))), 1)
    recall = np.round(100 * np.nan_to_num(ratio(right, matrix[..., which, :].sum(axis=-1))), 1)
    score: Floats = np.nan_to_num(ratio(2 * precision * recall, precision + recall))
    return score.round(1)


class StereotypeGap(Counted):
    """dS = accuracy on pro-stereotypical minus accuracy on anti-stereotypical probes (column `stereotype`: pro, anti).

    Between -1 and 1; 0 means stereotypes do not help or hurt, positive that the system is right more often when the
    stereotype holds; nearer to 0 is better. Probes of neither kind are left out; NaN when one kind is missing.
    `published=True` (name dS_published) rounds both accuracies in percent to one decimal first, as the published
    numbers do. Source: Stanovsky et al. 2019.
    """

    better: Better = "nearer"
    neutral = 0.0
    bounds = (-1.0, 1.0)
    needs = ("gender", "gold", "stereotype")

    def __init__(self, *, published: bool = False) -> None:
        self.name = "dS_published" if published else "dS"
        self._published = published

    def cells(self) -> dict[str, pl.Expr]:
        right = (pl.col("gold").cast(pl.String) == pl.col("gender").cast(pl.String)).fill_null(value=False)
        cells: dict[str, pl.Expr] = {}
        for kind in ("pro", "anti"):
            asked = (pl.col("stereotype") == kind) & pl.col("gold").is_not_null()
            cells |= {f"{kind}:right": asked & right, f"{kind}:wrong": asked & ~right}
        return cells

    def formula(self, totals: Floats) -> Floats:
        pro, anti = self._accuracies(totals)
        if self._published:
            return (np.round(100 * pro, 1) - np.round(100 * anti, 1)) / 100
        return pro - anti

    def smooth(self, totals: Floats) -> Floats:
        """Without the steps of the rounding."""
        pro, anti = self._accuracies(totals)
        return pro - anti

    def _accuracies(self, totals: Floats) -> tuple[Floats, Floats]:
        pro = ratio(totals[..., 0], totals[..., 0] + totals[..., 1])
        return pro, ratio(totals[..., 2], totals[..., 2] + totals[..., 3])
