"""What changed between two suites: probes added, left out, and said in other words."""

from __future__ import annotations

import polars as pl

from evenhand.suites.suite import Suite


def diff(first: Suite, second: Suite) -> pl.DataFrame:
    """One row a probe that differs: id, change (added, left out, changed), old and new source; in the second's order.

    Probes are matched by id. Probes with the same sentence are not listed, even where another column differs.
    """
    old = first.probes.select("id", old="source")
    new = second.probes.select("id", new="source")
    matched = new.join(old, on="id", how="left", maintain_order="left").filter(pl.col("new").ne_missing(pl.col("old")))
    gone = old.join(new, on="id", how="anti", maintain_order="left").with_columns(new=pl.lit(None, dtype=pl.String))
    change = (
        pl.when(pl.col("old").is_null())
        .then(pl.lit("added"))
        .when(pl.col("new").is_null())
        .then(pl.lit("left out"))
        .otherwise(pl.lit("changed"))
    )
    return pl.concat([matched, gone], how="diagonal").select("id", change.alias("change"), "old", "new")
