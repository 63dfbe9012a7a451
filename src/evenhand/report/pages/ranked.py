"""The ranking of a comparison as a page shows it: one group of rows per measure, each value with its interval."""

from collections.abc import Mapping, Sequence

import polars as pl

from evenhand.measures.decisions.ranking import ranks_of
from evenhand.report.words.vocabulary import show, span, wording

FEW = 4  # names that are quickly read


def rankings(ranking: pl.DataFrame, *, order: Sequence[str], lead: str | None) -> list[dict[str, object]]:
    """Each measure with its systems, the best first: the leading measure, others that rank, the rest."""
    numbers = {measure: number for number, measure in enumerate(order)}
    directed = set(ranking.drop_nulls("rank")["measure"])
    measures = sorted(
        ranking["measure"].unique(maintain_order=True),
        key=lambda measure: (measure not in directed, measure != lead, numbers.get(measure, len(numbers))),
    )
    made = []
    for measure in measures:
        rows, words = ranking.filter(measure=measure).to_dicts(), wording(measure)
        systems = [row["system"] for row in rows]
        shown = [_ranked(row, systems, words.unit) for row in rows]
        made.append({"measure": measure, "title": words.title, "explanation": words.explanation, "rows": shown})
    return made


def _ranked(row: Mapping[str, object], systems: Sequence[str], unit: str) -> dict[str, object]:
    """One system's place by one measure, ready to print; value and interval are of the sentences that all have."""
    n, system = row["n"], str(row["system"])
    return {
        "rank": ranks_of(row, "–"),
        "system": system,
        "shown": show(row["value"], unit),
        "interval": span(row["low"], row["high"], unit) if row["low"] is not None else "",
        "covered": (
            "–" if row["n_valid"] is None else f"{row['n_valid']:,} of {n:,}",
            f"{row['n_decided']:,} of {n:,}",
        ),
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
