"""Probes for lm-evaluation-harness, and what it makes of a model's answers: the gender Evenhand's detector finds.

Shares are over all renderings, unknown included; accuracy is over the sentences that state a gender, undecided is
wrong.
"""

from __future__ import annotations

from math import isnan

import datasets
import polars as pl

import evenhand

FOCUS = ("focus", "focus_start", "focus_end")


def probes(suite: str, target: str, limit: int = 0, **_: object) -> dict[str, datasets.Dataset]:
    """The first `limit` probes of a suite (all, if 0) as the split `test`."""
    asked = evenhand.load_suite(suite)
    some = asked.probes.head(limit) if limit else asked.probes
    plain = some.with_columns(pl.col(pl.Enum, pl.Categorical).cast(pl.String))
    rows = [row | {"target_lang": target, "kind_": asked.kind, "gold": row.get("gold")} for row in plain.to_dicts()]
    return {"test": datasets.Dataset.from_list(rows)}


def judged(doc: dict[str, object], results: list[str]) -> dict[str, float]:
    """1 for the gender that the rendering gives the person, 0 for the others; NaN accuracy where none is stated."""
    pair = {"id": doc["id"], "source": doc["source"], "rendering": results[0].strip()}
    pair |= {name: doc[name] for name in FOCUS if doc.get(name) is not None}
    options = {"target": str(doc["target_lang"]), "source": str(doc["source_lang"]), "kind": str(doc["kind_"])}
    given = evenhand.detect(pl.DataFrame([pair]), **options)["gender"].cast(pl.String)[0] or "unknown"
    scores = {str(gender): float(gender == given) for gender in evenhand.Gender}
    return scores | {"accuracy": float(given == doc["gold"]) if doc["gold"] else float("nan")}


def mean_known(values: list[float]) -> float:
    """The mean of what is not NaN; NaN of nothing."""
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else float("nan")
