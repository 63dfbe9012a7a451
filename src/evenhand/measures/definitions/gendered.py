"""Measures over renderings that take a gender: %TFG, %TCG, masculine : feminine ratio, male default."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import Counted, Proportion, by_gender, is_gender
from evenhand.statistics.measure import Better, Floats

PAIR = ("female", "male")


class FeminineShare(Proportion):
    """%TFG, the share translated to feminine gender: female / (female + male), as a share.

    Between 0 and 1; neutral, both and unknown are left out. Equal treatment is one half, and a value is read as
    nearer to 0.5; comparisons between groups (feminine against masculine verbs) are read as nearer to no difference.
    NaN where no rendering takes a gender. Source: Troles & Schmid 2021, section 4.
    """

    name = "TFG"
    better: Better = "nearer"
    neutral = 0.5

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*PAIR)


class MasculineShare(FeminineShare):
    """The share of masculine among gendered renderings of a word (Gonen & Webster 2020, Table 3)."""

    name = "share_masculine"
    better: Better = "none"
    neutral = math.nan
    proportion = 1


class CorrectShare(Proportion):
    """%TCG, the share translated to the correct gender: correct / (correct + incorrect), as a share.

    Over sentences whose source gives a gender (gold female or male) and whose rendering takes one; a neutral or
    undecided rendering is neither. Between 0 and 1, higher is better. `TCG_female` and `TCG_male` look at one gold
    pronoun only. NaN where nothing is left. Source: Troles & Schmid 2021, Table 3.
    """

    better: Better = "higher"
    neutral = 1.0
    needs = ("gender", "gold")

    def __init__(self, gold: Literal["female", "male"] | None = None) -> None:
        self.name = "TCG" if gold is None else f"TCG_{gold}"
        self._gold = PAIR if gold is None else (gold,)

    def cells(self) -> dict[str, pl.Expr]:
        asked = pl.col("gold").cast(pl.String).is_in(list(self._gold)) & is_gender(*PAIR)
        right = pl.col("gold").cast(pl.String) == pl.col("gender").cast(pl.String)
        return {"correct": asked & right, "incorrect": asked & ~right}


class LogRatio(Counted):
    """Masculine : feminine ratio as ln((male + 0.5) / (female + 0.5)).

    0 when both are equally frequent, positive when masculine prevails; nearer to 0 is better. The 0.5 keeps a word
    that was never feminine (or never masculine) finite; group by a word column for a ratio per word. Without any
    gendered rendering the value is NaN, not 0. exp(value) is the ratio. Source: Gonen & Webster 2020, with the
    correction of zero counts.
    """

    name = "log_ratio"
    better: Better = "nearer"
    neutral = 0.0
    bounds = (-math.inf, math.inf)

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*PAIR)

    def formula(self, totals: Floats) -> Floats:
        value = np.log((totals[..., 1] + 0.5) / (totals[..., 0] + 0.5))
        return np.where(totals.sum(axis=-1) > 0, value, np.nan)


class MaleDefault(Proportion):
    """VBias, the male default by volume: male / (female + male) minus one half.

    Between -0.5 (every gendered rendering female) and 0.5 (every one male); 0 is balance, nearer to 0 is better.
    Neutral, both and unknown are left out. NaN where no rendering takes a gender. Source: Cho et al. 2019, section
    5 (bias by volume), over all sentences.
    """

    name = "VBias"
    proportion = 1
    better: Better = "nearer"
    neutral = 0.0
    bounds = (-0.5, 0.5)

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*PAIR)

    def formula(self, totals: Floats) -> Floats:
        return super().formula(totals) - 0.5
