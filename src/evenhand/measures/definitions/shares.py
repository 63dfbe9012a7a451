"""Shares of the genders among decided renderings."""

from __future__ import annotations

import math

import polars as pl

from evenhand.gender import DECIDED, Gender
from evenhand.measures.definitions.counts import Proportion, by_gender
from evenhand.statistics.measure import Better


class Share(Proportion):
    """Share of decided renderings that are `gender`: share_female (p_w), share_male (p_m), share_neutral, share_both.

    Between 0 and 1, over female + male + neutral + both; unknown is left out and shown as coverage. The four shares
    add up to 1. None has a good direction by itself: fewer male renderings may mean more female or more neutral ones,
    and neutral is right where the source leaves gender open, wrong where it states one. No decided rendering: NaN.
    Source: Cho et al. 2019, section 3.2 (p_w, p_m, p_n; the paper has no `both`).
    """

    better: Better = "none"
    neutral = math.nan

    def __init__(self, gender: Gender) -> None:
        self.name = f"share_{gender.value}"
        self.proportion = DECIDED.index(gender.value)

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*DECIDED)


class StereotypeBias(Share):
    """SBias of a concept group: its share of female renderings minus the system's own base rate over the whole run.

    Between -1 and 1; 0 is no difference from the base rate, positive means the group is rendered female more often;
    nearer to 0 is better. Decided renderings only. It exists for groups, not for the whole run (there it is 0 by
    definition); each group comes with a test, corrected over the groups of its grouping. Source: Cho et al. 2019,
    section 5 (bias by stereotype).
    """

    against_base = True  # estimate() subtracts the value over the whole run
    bounds = (-1.0, 1.0)
    better: Better = "nearer"
    neutral = 0.0

    def __init__(self) -> None:
        super().__init__(Gender.FEMALE)
        self.name = "SBias"
