"""The sentences a report opens with: typical ones, drawn by rule and seed, never the most striking.

Every outcome gets as many places as its share asks for (Sainte-Lague, the method of parliaments: divisors 1, 3, 5),
so that an outcome of less than about a tenth has none. Who takes a place is drawn at random, no two of one cluster
where that can be had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.gender import Gender
from evenhand.report.composition import first_answers
from evenhand.report.sentences import Example, example
from evenhand.results.runs import Run

PLACES = 5
ALIKE = 3  # places where one outcome has them all


@dataclass(frozen=True)
class Typical:
    """Drawn sentences, and in `rule` how they were drawn."""

    rule: str
    examples: list[Example]
    title: str = "Typical sentences"


def typical(run: Run) -> Typical:
    """The typical sentences of a run; outcomes are the verdict, by stated gender where the source states one."""
    table = first_answers(run.table)
    info = run.manifest
    cluster = next((c for c in info.suite.clusters if c in table.columns), None)
    outcome = _outcome(table)
    rows = draw(outcome, table[cluster] if cluster else None, seed=info.seed)
    by = "stated and rendered gender" if "gold" in table.columns else "gender"
    return Typical(
        rule=drawn_words(table.height, "renderings", by, cluster, info.seed),
        examples=[example(row) for row in table[rows].iter_rows(named=True)],
    )


def drawn_words(total: int, what: str, by: str, cluster: str | None, seed: int) -> str:
    """How sentences were drawn, in one sentence."""
    apart = f", no two with the same {cluster.replace('_', ' ')}" if cluster else ""
    return (
        f"Typical, not the most striking: drawn at random (seed {seed}) from all {total:,} {what}, as many of each "
        f"{by} as its share asks for{apart}."
    )


def draw(outcome: pl.Series, cluster: pl.Series | None, *, seed: int) -> list[int]:
    """Row numbers of typical rows, the most frequent outcome first."""
    counted = outcome.value_counts(name="count").sort(["count", outcome.name], descending=[True, False])
    outcomes: dict[str, int] = dict(counted.iter_rows())
    places = allot(outcomes, PLACES)
    if len(places) == 1:
        places = {name: min(ALIKE, number) for name, number in places.items()}
    taken: set[object] = set()
    rows: list[int] = []
    for turn, (name, number) in enumerate(places.items()):
        candidates = np.random.default_rng([seed, turn]).permutation((outcome == name).arg_true().to_numpy())
        rows += _apart(candidates.tolist(), cluster, number, taken)
    return rows


def allot(outcomes: Mapping[str, int], places: int) -> dict[str, int]:
    """Places of each outcome by its count (Sainte-Lague); those without one are left out. Ties go to the first."""
    held = dict.fromkeys(outcomes, 0)
    for _ in range(min(places, sum(outcomes.values()))):
        free = [name for name in outcomes if held[name] < outcomes[name]]
        held[max(free, key=lambda name: outcomes[name] / (2 * held[name] + 1))] += 1
    return {name: number for name, number in held.items() if number}


def _apart(candidates: Sequence[int], cluster: pl.Series | None, number: int, taken: set[object]) -> list[int]:
    """The first candidates of clusters not taken yet; where these run out, the first of all."""
    if cluster is None:
        return list(candidates[:number])
    chosen: list[int] = []
    for row in candidates:
        if len(chosen) == number:
            return chosen
        if cluster[row] not in taken:
            taken.add(cluster[row])
            chosen.append(row)
    return chosen + [row for row in candidates if row not in chosen][: number - len(chosen)]


def _outcome(table: pl.DataFrame) -> pl.Series:
    """What came out of each row: the verdict, after the stated gender where there is one."""
    verdict = pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value)
    if "gold" not in table.columns:
        return table.select(outcome=verdict).to_series()
    return table.select(
        outcome=pl.concat_str(pl.col("gold").cast(pl.String).fill_null(""), verdict, separator=" ")
    ).to_series()
