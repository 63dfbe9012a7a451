"""Which reference is a system nearest to? Paired over the occupations that all references have."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl

from evenhand.measures.optimal import by_occupation
from evenhand.statistics.classical import adjust

DRAWS = 5_000


def nearest(
    tables: Mapping[str, pl.DataFrame], *, occupation: str = "concept", seed: int = 0
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Mean share of wrong pronouns against each reference on the common occupations, and the paired differences.

    `tables`: the same renderings joined with each reference's share_women. Wrong pronouns are compared, not B, which
    divides by the minority share, so that one occupation with few men would decide. Differences have a bootstrap
    interval over occupations and a sign-flip test, Holm-corrected. First table: reference, wrong, n. Second: first,
    second, difference, low, high, p, p_adjusted.
    """
    wrong = [
        by_occupation(table, occupation).select(occupation, pl.col("wrong").alias(name)).drop_nulls()
        for name, table in tables.items()
    ]
    common = wrong[0]
    for further in wrong[1:]:
        common = common.join(further, on=occupation, how="inner")
    n = common.height
    means = pl.DataFrame(
        {"reference": list(tables), "wrong": [common[name].mean() for name in tables], "n": [n] * len(tables)}
    ).sort("wrong")
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0x6EA5]))
    rows = []
    for first, second in combinations(tables, 2):
        gaps = (common[first] - common[second]).to_numpy()
        if not n:
            continue
        drawn = gaps[rng.integers(0, n, size=(DRAWS, n))].mean(axis=1)
        flipped = (rng.choice((-1.0, 1.0), size=(DRAWS, n)) * gaps).mean(axis=1)
        hits = int((np.abs(flipped) >= abs(gaps.mean()) - 1e-12).sum())
        low, high = np.quantile(drawn, [0.025, 0.975])
        rows.append(
            {
                "first": first,
                "second": second,
                "difference": float(gaps.mean()),
                "low": float(low),
                "high": float(high),
                "p": (1 + hits) / (1 + DRAWS),
            }
        )
    pairs = pl.DataFrame(rows, infer_schema_length=None)
    if pairs.height:
        pairs = pairs.with_columns(p_adjusted=pl.Series(adjust(pairs["p"].to_list(), "holm")))
    return means, pairs
