"""Which reference is a system nearest to? Paired over the occupations that all references have."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import polars as pl

from evenhand.measures.contrasts import corrected
from evenhand.measures.definitions.counts import Counted, encode, ratio
from evenhand.measures.definitions.optimal import by_occupation
from evenhand.measures.rows import EstimateRow, as_estimates, columns
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Better, Floats, Job


class WrongCommon(Counted):
    """Mean share of wrong pronouns over the occupations that all references have, against one of them (its column).

    Between 0 and 1, lower is better. Wrong pronouns are compared, not B, which divides by the minority share, so that
    one occupation with few men would decide. Source: after Farkas & Nemeth 2022.
    """

    name = "wrong_common"
    better: Better = "lower"
    neutral = 0.0
    bounds = (0.0, 1.0)

    def __init__(self, reference: str) -> None:
        self.needs = (reference,)

    def cells(self) -> dict[str, pl.Expr]:
        wrong = pl.col(self.needs[0])
        return {"wrong": wrong, "right": 1 - wrong}

    def formula(self, totals: Floats) -> Floats:
        return ratio(totals[..., 0], totals.sum(axis=-1))


def nearest(
    tables: Mapping[str, pl.DataFrame], *, occupation: str = "concept", seed: int, resamples: int, level: float
) -> pl.DataFrame:
    """Estimates of wrong_common (group "references"): each reference, the nearest first, and each pair's difference.

    `tables`: the same renderings joined with each reference's share_women. Tests of the differences are paired by
    occupation and corrected over the pairs (Holm).
    """
    wrong = [
        by_occupation(table, occupation).select(occupation, pl.col("wrong").alias(name)).drop_nulls()
        for name, table in tables.items()
    ]
    common = wrong[0]
    for further in wrong[1:]:
        common = common.join(further, on=occupation, how="inner", maintain_order="left")
    if not common.height:
        return as_estimates([])
    coded, axes = encode(common, (occupation,))
    sampler = Sampler(axes, [common.height], (occupation,), seed, resamples, level)
    parts = {
        name: sampler.estimate(Job(measure, measure.statistics(coded, axes)))
        for name, measure in zip(tables, map(WrongCommon, tables), strict=True)
    }
    shared: EstimateRow = {"measure": WrongCommon.name, "group": "references", "variant": "raw"}
    shared |= dict.fromkeys(("n", "n_decided", "n_clusters"), common.height)
    rows: list[EstimateRow] = []
    for name in sorted(tables, key=lambda name: parts[name].interval.value):
        note = None if rows else "nearest on the occupations all references have"
        rows.append(shared | columns(parts[name].interval) | {"level": name, "reference": name, "note": note})
    pairs: list[EstimateRow] = []
    for first, second in combinations(tables, 2):
        gap = sampler.difference(parts[first], parts[second])
        pairs.append(
            shared
            | columns(gap.interval())
            | {"level": f"{first} - {second}", "p": gap.p, "family": "references (Holm)"}
        )
    return as_estimates([*rows, *corrected(pairs)])
