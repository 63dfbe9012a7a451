"""A ranking of words as findings: the table of scores, and its agreement with an outside statistic as estimates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.embeddings.study_estimates import estimate
from evenhand.embeddings.wordscore import Agreement, Scores
from evenhand.level import LEVEL
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.storage.tables import ALL, ESTIMATES

KIND = "word-scores"


def score_findings(
    scores: Scores,
    sources: Mapping[str, str],
    *,
    agreement: Agreement | None = None,
    reference: str = "reference",
    warnings: Sequence[str] = (),
    level: float = LEVEL,
) -> Findings:
    """What `evenhand embeddings score` saves and shows; `sources` are the signature's parts for what was read."""
    notes = list(warnings)
    if scores.unranked:
        notes.append(f"without a vector: {', '.join(scores.unranked)}")
    if scores.partial:
        notes.append(f"averaged over fewer columns: {', '.join(scores.partial)}")
    manifest = FindingsManifest(
        kind=KIND,
        title="Words from feminine to masculine",
        measured=f"{len(scores.words)} of {scores.asked} words ranked over {len(scores.columns)} columns",
        parts=sources,
        level=level,
        notes=tuple(map(Note, notes)),
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )
    seen = [scores.columns[: n + 1].count(name) for n, name in enumerate(scores.columns)]  # two files of one name
    names = [f"{name} #{times}" if times > 1 else name for name, times in zip(scores.columns, seen, strict=True)]
    columns = {"word": scores.words, "score": scores.total, **dict(zip(names, scores.table, strict=True))}
    table = pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
    estimates = []
    if agreement is not None:
        known = dict(zip(agreement.words, agreement.values.tolist(), strict=True))
        table = table.with_columns(pl.Series("reference", [known.get(word) for word in scores.words], pl.Float64))
        for measure, interval, p in (
            ("Pearson", agreement.pearson, agreement.pearson_p),
            ("Spearman", agreement.spearman, agreement.spearman_p),
        ):
            row = estimate(measure, "", interval, group=ALL, n=len(scores.words), reference=reference)
            estimates.append({**row, "p": p if np.isfinite(p) else None})
    return Findings(manifest, pl.DataFrame(estimates, schema=ESTIMATES), {"scores": table})
