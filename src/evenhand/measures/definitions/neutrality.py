"""P_S and the TGBI (Cho et al. 2019, section 3.2)."""

from collections.abc import Mapping
from typing import Self

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import DECIDED
from evenhand.measures.definitions.counts import Rate, by_gender, is_gender, ratio
from evenhand.statistics.measure import Floats


def neutrality(totals: Floats) -> Floats:
    """P_S = sqrt(p_w * p_m + p_n) of counts (... x female, male, neutral, both); the root is over the whole sum."""
    female, male = totals[..., 0], totals[..., 1]
    n = totals.sum(axis=-1)
    return np.sqrt(ratio(female, n) * ratio(male, n) + ratio(totals[..., 2] + totals[..., 3], n))


class Neutrality(Rate):
    """How far a set of sentences keeps gender open: P_S = sqrt(p_w * p_m + p_n). 1 when every rendering is neutral, 0.5
    at best when every rendering takes a gender (half and half), 0 when all take the same one. Higher is better. `both`
    counts as neutral; unknown renderings are left out and reported as coverage. An empty set is NaN. Source: Cho et al.
    2019, section 3.2."""

    name = "P_S"

    def cells(self) -> dict[str, pl.Expr]:
        return by_gender(*DECIDED)

    def formula(self, totals: Floats) -> Floats:
        return neutrality(totals)

    def smooth(self, totals: Floats) -> Floats:
        """P_S squared: equal where P_S is, without the root's infinite slope where all renderings are alike."""
        return neutrality(totals) ** 2

    def unsmooth(self, values: Floats) -> Floats:
        return np.sqrt(np.maximum(values, 0.0))


class Tgbi(Rate):
    """Translation gender bias index: the unweighted mean of P_S over the sets of a suite.

    Between 0 and 1, higher is better, 1 when everything is neutral, 0.5 at best without neutral renderings. Sets may
    overlap (each sentence of the study is in three of the seven); the sentences are resampled once for all sets, so
    the interval knows about the overlap. A set without a decided rendering makes the index NaN.
    Source: Cho et al. 2019, section 3.2.
    """

    name = "TGBI"
    whole = True  # one value for a suite, none per group
    _conditions: tuple[pl.Expr, ...] = ()
    _patterns: Floats = np.zeros((0, 0))

    def bind(self, table: pl.DataFrame, sets: Mapping[str, pl.Expr]) -> Self:
        """The same index for this table: one cell per combination of sets that occurs, so that cells never overlap."""
        if not sets:
            raise BadInput("TGBI needs the sets of a suite (a grouping named 'sets'); this suite declares none")
        bound = type(self)()
        bound._conditions = tuple(e.fill_null(value=False) for e in sets.values())
        member = table.select([e.alias(f"set{i}") for i, e in enumerate(bound._conditions)])
        bound._patterns = member.unique().sort(member.columns).to_numpy().astype(np.float64)
        return bound

    def cells(self) -> dict[str, pl.Expr]:
        cells: dict[str, pl.Expr] = {}
        for number, pattern in enumerate(self._patterns):
            sides = [e if member else ~e for e, member in zip(self._conditions, pattern, strict=True)]
            cells |= {f"{number}:{g}": pl.all_horizontal(sides) & is_gender(g) for g in DECIDED}
        return cells

    def formula(self, totals: Floats) -> Floats:
        by_pattern = totals.reshape(*totals.shape[:-1], len(self._patterns), len(DECIDED))
        by_set: Floats = np.einsum("...pg,ps->...sg", by_pattern, self._patterns)
        return np.asarray(neutrality(by_set).mean(axis=-1))
