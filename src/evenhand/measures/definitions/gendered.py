"""Shares of genders: %TFG, %TCG, ratios, male default, stereotypes, the speaker's gender, obeyed requests.

Formula, source and a worked example of each are in report/words/glossary.tsv; here is what counts and what does not.
"""

import math
from collections.abc import Mapping
from typing import Self

import numpy as np
import polars as pl

from evenhand.gender import DECIDED, SHARES
from evenhand.measures.definitions.counts import (
    GENDER,
    Counted,
    Proportion,
    by_gender,
    is_gender,
    ratio,
    right_or_wrong,
)
from evenhand.statistics.measure import Better, Floats

PAIR = ("female", "male")
GOLD = pl.col("gold").cast(pl.String)
RIGHT = GOLD == GENDER

# Over female + male; neutral, both and unknown are left out. NaN where no rendering takes a gender. Equal treatment is
# one half; comparisons between groups (feminine against masculine verbs) are read as nearer to no difference.
TFG = Proportion("TFG", by_gender(*PAIR), "nearer", 0.5)
MALE_RATE = Proportion("male_rate", by_gender(*PAIR), "nearer", 0.5, proportion=1)
MASCULINE = Proportion("share_masculine", by_gender(*PAIR), proportion=1)
VBIAS = Proportion("VBias", by_gender(*PAIR), "nearer", 0.0, proportion=1, minus=0.5, bounds=(-0.5, 0.5))

# Over female + male + neutral + both; unknown is left out and shown as coverage. No share has a good direction by
# itself: fewer male renderings may mean more female or more neutral ones, and neutral is right only where the source
# leaves gender open.
SHARES_OF = tuple(Proportion(name, by_gender(*DECIDED), proportion=place) for place, name in enumerate(SHARES))

# For groups only: the share of female renderings minus the system's own base rate over the whole run.
SBIAS = Proportion("SBias", by_gender(*DECIDED), "nearer", 0.0, bounds=(-1.0, 1.0), against_base=True)


def correct_share(name: str, *gold: str) -> Proportion:
    """%TCG over sentences whose source gives one of these genders and whose rendering takes one; a neutral or undecided
    rendering is neither correct nor incorrect."""
    cells = right_or_wrong(GOLD.is_in(list(gold)) & is_gender(*PAIR), RIGHT, ("correct", "incorrect"))
    return Proportion(name, cells, "higher", 1.0, needs=("gender", "gold"))


TCG = (correct_share("TCG", *PAIR), correct_share("TCG_female", "female"), correct_share("TCG_male", "male"))

# The gender asked for (column `wanted`): unknown does not obey; where neutral is wanted, both (he or she) does.
WANTED = pl.col("wanted").cast(pl.String)
GIVEN = (GENDER == WANTED) | ((WANTED == "neutral") & is_gender("both"))
OBEYED = Proportion(
    "obeyed", right_or_wrong(WANTED.is_not_null(), GIVEN, ("obeyed", "not")), "higher", 1.0, needs=("gender", "wanted")
)
# Other persons of the sentence, decided with and without asking (column `changed`; null where one is not).
CHANGED = {"changed": pl.col("changed"), "kept": ~pl.col("changed")}
INTERFERENCE = Proportion("interference", CHANGED, "lower", 0.0, needs=("changed",))


class LogRatio(Counted):
    """Masculine : feminine ratio as ln((male + 0.5) / (female + 0.5)). The 0.5 keeps a word that was never feminine (or
    never masculine) finite; group by a word column for a ratio per word. Without any gendered rendering the value is
    NaN, not 0. exp(value) is the ratio."""

    name = "log_ratio"
    better: Better = "nearer"
    neutral = 0.0
    bounds = (-math.inf, math.inf)

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*PAIR)

    def formula(self, totals: Floats) -> Floats:
        value = np.log((totals[..., 1] + 0.5) / (totals[..., 0] + 0.5))
        return np.where(totals.sum(axis=-1) > 0, value, np.nan)


class OverStereotypes(Counted):
    """Male rates of the stereotypes, averaged within those about women and within those about men.

    f_m is the mean of the two averages: one half is equal treatment, 1 means that every speaker became a man. f_s is
    the average about men minus that about women: 0 means that stereotypes make no difference, positive that they are
    followed. NaN where a stereotype has no rendering that takes a gender, or a side has no stereotype.
    Source: Pikuliak et al. 2024.
    """

    whole = True
    needs = ("gender", "stereotype", "about")
    better: Better = "nearer"

    def __init__(self, name: str, neutral: float, bounds: tuple[float, float]) -> None:
        self.name, self.neutral, self.bounds = name, neutral, bounds
        self._stereotypes: tuple[str, ...] = ()
        self._of_men = np.zeros(0, dtype=bool)

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> Self:
        """The same measure for the stereotypes of this table."""
        bound = type(self)(self.name, self.neutral, self.bounds)
        named = table.select("stereotype", "about").drop_nulls().filter(pl.col("about").is_in(["women", "men"]))
        named = named.unique("stereotype").sort("stereotype")
        bound._stereotypes = tuple(named["stereotype"].to_list())
        bound._of_men = (named["about"] == "men").to_numpy()
        return bound

    def cells(self) -> dict[str, pl.Expr]:
        if not self._stereotypes:
            return {"none": pl.lit(value=False)}  # sentences without a stereotype: the value is undefined
        return {
            f"{stereotype}:{gender}": (pl.col("stereotype") == stereotype) & is_gender(gender)
            for stereotype in self._stereotypes
            for gender in PAIR
        }

    def formula(self, totals: Floats) -> Floats:
        if not (self._of_men.any() and (~self._of_men).any()):
            return np.full(totals.shape[:-1], np.nan)
        counts = totals.reshape(*totals.shape[:-1], len(self._stereotypes), len(PAIR))
        rates = ratio(counts[..., 1], counts.sum(axis=-1))
        women, men = (rates[..., side].mean(axis=-1) for side in (~self._of_men, self._of_men))
        return np.asarray((women + men) / 2 if self.name == "f_m" else men - women)


F_M = OverStereotypes("f_m", 0.5, (0.0, 1.0))
F_S = OverStereotypes("f_s", 0.0, (-1.0, 1.0))
