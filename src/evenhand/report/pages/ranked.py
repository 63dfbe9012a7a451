"""The ranking of a comparison as a page shows it: one group of rows a measure, each value with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose

import polars as pl

from evenhand.measures.decisions.ranking import ranks_of
from evenhand.report.words.vocabulary import show, span, wording

FEW = 4  # names that are quickly read


def rankings(
    ranking: pl.DataFrame, overall: pl.DataFrame, *, order: Sequence[str], lead: str | None
) -> list[dict[str, object]]:
    """Each measure (its words) with its systems, the best first: measures that rank first, in the given order, the
    leading one before all.

    `overall` are the runs' own estimates, with the system as `level`: where sentences were left out of the comparison
    the compared value is another, and has no interval here.
    """
    numbers = {measure: number for number, measure in enumerate(order)}
    directed = set(ranking.drop_nulls("rank")["measure"])
    estimated = {
        (row["measure"], row["level"]): row
        for row in overall.filter(pl.col("reference").is_null()).iter_rows(named=True)
    }
    measures = sorted(
        ranking["measure"].unique(maintain_order=True),
        key=lambda measure: (measure not in directed, measure != lead, numbers.get(measure, len(numbers))),
    )
    made = []
    for measure in measures:
        rows, words = ranking.filter(measure=measure).to_dicts(), wording(measure)
        systems = [row["system"] for row in rows]
        shown = [_ranked(row, systems, estimated.get((measure, row["system"])), words.unit) for row in rows]
        made.append({"measure": measure, "title": words.title, "explanation": words.explanation, "rows": shown})
    return made


def _ranked(
    row: Mapping[str, object], systems: Sequence[str], estimate: Mapping[str, object] | None, unit: str
) -> dict[str, str]:
    """One system's place by one measure, ready to print; `interval` is empty where the run has none for this value."""
    value, own = row["value"], (estimate or {}).get("value")
    same = isinstance(value, float) and isinstance(own, float) and isclose(value, own, abs_tol=1e-9)
    n, system = row["n"], str(row["system"])
    return {
        "rank": ranks_of(row, "–"),
        "system": system,
        "shown": show(value, unit),
        "interval": span(estimate["low"], estimate["high"], unit) if estimate and same else "",
        "valid": "–" if row["n_valid"] is None else f"{row['n_valid']:,} of {n:,}",
        "decided": f"{row['n_decided']:,} of {n:,}",
        "tied": tied_words(str(row["tied_with"]), [name for name in systems if name != system]),
    }


def tied_words(tied_with: str, others: Sequence[str]) -> str:
    """With whom a system is tied, in few words: many names are said by those that are missing, or only counted."""
    tied = [name for name in others if f", {name}, " in f", {tied_with}, "]  # a name may have a comma of its own
    if len(tied) <= FEW:
        return tied_with
    missing = [name for name in others if name not in tied]
    if not missing:
        return "all others"
    if len(missing) <= FEW:
        return f"all but {', '.join(missing)}"
    return ", ".join(tied) if len(tied) <= 2 * FEW else f"{len(tied)} of {len(others)} others"
