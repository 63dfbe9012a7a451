"""Whether a system did what it was asked: the wanted gender given, and nobody else's changed."""

from __future__ import annotations

import polars as pl

from evenhand.measures.definitions.counts import Proportion, is_gender
from evenhand.statistics.measure import Better


class Obeyed(Proportion):
    """Share of probes whose focus has the gender that was asked for (column `wanted`).

    Between 0 and 1, higher is better. Probes for which nothing was asked are left out; unknown is not obeyed. Where
    neutral is wanted, both (he or she) obeys too. NaN where nothing was asked. Source: none, Evenhand's own.
    """

    name = "obeyed"
    better: Better = "higher"
    neutral = 1.0
    needs = ("gender", "wanted")

    def cells(self) -> dict[str, pl.Expr]:
        asked = pl.col("wanted").is_not_null()
        given = pl.col("gender").cast(pl.String) == pl.col("wanted").cast(pl.String)
        open_ = (pl.col("wanted").cast(pl.String) == "neutral") & is_gender("both")
        right = (given | open_).fill_null(value=False)
        return {"obeyed": asked & right, "not": asked & ~right}


class Interference(Proportion):
    """Share of other persons, whom nobody asked about, whose gender is not the one they had without asking.

    Between 0 and 1, lower is better. Over persons whose gender is decided in both renderings (column `changed`, true or
    false; null where it is not). NaN where there is no such person. Source: none, Evenhand's own.
    """

    name = "interference"
    better: Better = "lower"
    neutral = 0.0
    needs = ("changed",)

    def cells(self) -> dict[str, pl.Expr]:
        return {"changed": pl.col("changed"), "kept": ~pl.col("changed")}
