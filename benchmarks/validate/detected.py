"""A detector that misses more of the women in one group: alarms where the groups are equal in truth."""

from __future__ import annotations

import numpy as np
import polars as pl
from benchmarks.validate import layouts
from benchmarks.validate.layouts import Generator

from evenhand.measures.calibration import calibrate
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

ALPHA = 0.05
RESAMPLES = 500


def missed(
    rng: Generator, *, count: int, each: int, share: float, icc: float, misses: tuple[float, float], labels: int
) -> dict[str, bool]:
    """Two groups of occupations with one share of women, labels drawn by verdict as `evenhand review` draws them."""
    occupation = np.repeat(np.arange(2 * count), each)
    group = (occupation >= count).astype(np.int64)
    woman = rng.random(len(occupation)) < layouts.beta(rng, share, icc, 2 * count)[occupation]
    seen = woman & (rng.random(len(occupation)) >= np.array(misses)[group])
    kind = np.array(["a", "b"])[group]
    told = np.where(woman, "female", "male")
    table = layouts.table(occupation, (~seen).astype(np.int64), kind=kind, label=told)
    by_group = estimate(
        table.drop("label"),
        clusters=("occupation",),
        groupings=(Grouping("kind", column="kind"),),
        measures=("TFG",),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
        calibration=calibrate(sheet(rng, table, labels), language="de", kind="nouns"),
        language="de",
        kind="nouns",
    )
    corrected = by_group.filter(level="a - b", variant="corrected")
    return {"TFG by kind, corrected by group": bool((corrected["p_adjusted"] < ALPHA).any())}


def sheet(rng: Generator, table: pl.DataFrame, labels: int) -> pl.DataFrame:
    """Labelled renderings in equal numbers by verdict, with what each stands for and its group."""
    parts: list[pl.DataFrame] = []
    for verdict in ("female", "male"):
        stratum = table.filter(pl.col("gender") == verdict)
        picked = rng.choice(stratum.height, min(labels // 2, stratum.height), replace=False)
        parts.append(stratum[picked.tolist()].with_columns(weight=pl.lit(stratum.height / len(picked))))
    return pl.concat(parts).rename({"kind": "by_kind"})
