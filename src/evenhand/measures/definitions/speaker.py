"""Male rate, masculine rate f_m and stereotype rate f_s of sentences whose speaker's gender is open (GEST)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import Counted, Proportion, by_gender, is_gender, ratio
from evenhand.measures.definitions.gendered import PAIR
from evenhand.statistics.measure import Better, Floats

ABOUT = ("women", "men")


class MaleRate(Proportion):
    """p = male / (female + male): the share rendered in the masculine, of the sentences that take a gender.

    Between 0 and 1; neutral, both and unknown are left out (they are in the shares). One half is equal treatment, and a
    value is read as nearer to it. NaN where no rendering takes a gender. Source: Pikuliak et al. 2024, section 3 (p_i).
    """

    name = "male_rate"
    proportion = 1
    better: Better = "nearer"
    neutral = 0.5

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*PAIR)


class _OverStereotypes(Counted):
    """Male rates of the stereotypes, averaged within those about women and within those about men."""

    whole = True
    needs = ("gender", "stereotype", "about")

    def __init__(self) -> None:
        self._stereotypes: tuple[str, ...] = ()
        self._of_men = np.zeros(0, dtype=bool)

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> _OverStereotypes:
        """The same measure for the stereotypes of this table."""
        bound = type(self)()
        named = table.select("stereotype", "about").drop_nulls().filter(pl.col("about").is_in(list(ABOUT)))
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

    def sides(self, totals: Floats) -> tuple[Floats, Floats]:
        """Mean male rate of the stereotypes about women and of those about men; NaN where one has no rendering that
        takes a gender, or a side has no stereotype."""
        nothing = np.full(totals.shape[:-1], np.nan)
        if not self._stereotypes:
            return nothing, nothing
        counts = totals.reshape(*totals.shape[:-1], len(self._stereotypes), len(PAIR))
        rates = ratio(counts[..., 1], counts.sum(axis=-1))
        means = [rates[..., side].mean(axis=-1) if side.any() else nothing for side in (~self._of_men, self._of_men)]
        return means[0], means[1]


class MasculineRate(_OverStereotypes):
    """f_m = (mean p of the stereotypes about women + mean p of those about men) / 2.

    Between 0 and 1; one half is equal treatment, 1 means that every speaker became a man. Source: Pikuliak et al. 2024.
    """

    name = "f_m"
    better: Better = "nearer"
    neutral = 0.5
    bounds = (0.0, 1.0)

    def formula(self, totals: Floats) -> Floats:
        women, men = self.sides(totals)
        return (women + men) / 2


class StereotypeRate(_OverStereotypes):
    """f_s = mean p of the stereotypes about men - mean p of those about women.

    Between -1 and 1; 0 means that stereotypes make no difference, positive that they are followed. Source: Pikuliak et
    al. 2024.
    """

    name = "f_s"
    better: Better = "nearer"
    neutral = 0.0
    bounds = (-1.0, 1.0)

    def formula(self, totals: Floats) -> Floats:
        women, men = self.sides(totals)
        return men - women
