"""Confirmatory and exploratory results, distinguished by a plan that was made before any translation was sent.

What the plan names is confirmatory, and all its tests together are one family (Holm 1979, Scandinavian Journal of
Statistics 6); everything else is exploratory and keeps the correction of its own family. Only the first kind can
support a claim at the level planned (Wagenmakers et al. 2012, Perspectives on Psychological Science 7).
"""

from collections.abc import Collection

import numpy as np
import polars as pl

from evenhand.statistics.classical import adjust

PLANNED = "planned"  # a column of estimates, and of differences between systems, where there is a plan
CONFIRMATORY, EXPLORATORY = "confirmatory", "exploratory"


def marked(estimates: pl.DataFrame, planned: Collection[tuple[str, str]]) -> pl.DataFrame:
    """Estimates with the column `planned`; `planned` are (measure, group), group "all" for the whole run. The p-values
    of confirmatory rows are corrected over all of them, and only them."""
    keys = [f"{measure}\t{group}" for measure, group in planned]
    raw = pl.col("variant").fill_null("raw") == "raw"
    chosen = pl.concat_str("measure", "group", separator="\t").is_in(keys) & raw
    kind = pl.when(chosen).then(pl.lit(CONFIRMATORY)).otherwise(pl.lit(EXPLORATORY))
    table = estimates.with_columns(kind.alias(PLANNED))
    p = table.select(pl.when(chosen).then("p").fill_nan(None).alias("p"))["p"]
    tests = len(p.drop_nulls())
    if not tests:
        return table
    adjusted = adjust(p.fill_null(np.nan).to_numpy(), "holm")
    tested, family = p.is_not_null(), f"{CONFIRMATORY} ({tests} {'test' if tests == 1 else 'tests'}, Holm)"
    return table.with_columns(
        pl.when(tested).then(pl.Series(adjusted)).otherwise("p_adjusted").alias("p_adjusted"),
        pl.when(tested).then(pl.lit(family)).otherwise("family").alias("family"),
    )
