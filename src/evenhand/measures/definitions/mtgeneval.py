"""Gender accuracy against two references, the right one and its opposite (MT-GenEval, Currey et al. 2022).

Lower-case, ASCII punctuation to blanks, bags of words: an output is wrong if it has a word that only the other-gender
reference has. An output that shares no gendered word with either reference counts as right, as published: a system
that answers something unrelated scores well, so read it beside translation quality (quality.py). What is no rendering
at all (an echo, a refusal) counts as wrong, though the published script would call it right.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from evenhand.detect.contrastive import is_right
from evenhand.measures.definitions.counts import Proportion, count_by_cluster
from evenhand.statistics.measure import Better, Statistics


class ReferenceAccuracy(Proportion):
    """Share of renderings without a word that only the other-gender reference has (contextual accuracy).

    Between 0 and 1, higher is better. Columns rendering, reference, reference_other, and valid where it is known: an
    answer that is no rendering has no wrong word but translates nothing. It counts as wrong here (the published script
    would call it right). Source: Currey et al. 2022, section 4.
    """

    name = "reference_accuracy"
    better: Better = "higher"
    neutral = 1.0
    needs: tuple[str, ...] = ("rendering", "reference", "reference_other")

    def cells(self) -> dict[str, pl.Expr]:
        return {"right": pl.col("_right"), "wrong": ~pl.col("_right")}

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        return count_by_cluster(judged(table).drop("gender", strict=False), clusters, self.cells())


class CounterfactualAccuracy(ReferenceAccuracy):
    """Share of pairs whose feminine and masculine rendering are both right (column `pair` joins them).

    Between 0 and 1, higher is better; a system that always writes the masculine is near 0. A pair with one half
    missing is left out. Source: Currey et al. 2022, section 4.
    """

    name = "counterfactual_accuracy"
    needs = ("rendering", "reference", "reference_other", "pair")
    whole = True  # a group that holds one half of each pair has no value

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        pairs = judged(table).drop("gender", strict=False)
        keys = ["pair"] + (["sample"] if "sample" in table.columns else [])
        whole = [pl.col(c).all().over(keys) for c in ("_right", "valid") if c in pairs.columns]
        pairs = pairs.with_columns(*whole, pl.len().over(keys).alias("_size"))
        first = pairs.filter((pl.col("_size") > 1) & pl.struct(keys).is_first_distinct())
        return count_by_cluster(first, clusters, self.cells())


def judged(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a column `_right`; what is empty or no rendering at all is wrong."""
    columns = (table[c].fill_null("").to_list() for c in ("rendering", "reference", "reference_other"))
    rows = zip(*columns, strict=True)
    right = [bool(output.strip()) and is_right(output, reference, other) for output, reference, other in rows]
    valid = table["valid"].fill_null(value=True).to_numpy() if "valid" in table.columns else True
    return table.with_columns(pl.Series("_right", np.array(right, dtype=bool) & valid))
