"""Translation quality by gender: chrF and BLEU through sacrebleu, for suites with reference translations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from evenhand.errors import BadInput, require
from evenhand.measures.rows import Row, as_estimates
from evenhand.statistics.bootstrap import draws

Found = tuple[float, np.ndarray, int]  # score, resampled scores, number of sentences


def quality(
    outputs: Sequence[str],
    references: Sequence[str],
    genders: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 1_000,
) -> pl.DataFrame:
    """Corpus chrF and BLEU (0 to 100, higher is better) for each gender, and the gap, in the ESTIMATES schema.

    Intervals resample sentences. The gap ("female - male") is 0 when both are translated equally well, and its
    interval resamples the n-th sentence of both genders together where they are equally many (the two halves of
    minimal pairs in the same order), each gender by itself otherwise. sacrebleu's own defaults; its signature stands
    in `note`. Source: Currey et al. 2022; Post 2018 (sacrebleu).
    """
    if not len(outputs) == len(references) == len(genders):
        raise BadInput(f"{len(outputs)} outputs, {len(references)} references and {len(genders)} genders do not match")
    sacrebleu = require("sacrebleu.metrics", purpose="chrF and BLEU", extra="quality")
    rows: list[Row] = []
    levels = list(dict.fromkeys(genders))
    for name, metric in (("chrF", sacrebleu.CHRF()), ("BLEU", sacrebleu.BLEU())):
        scores: dict[str, Found] = {}
        for number, level in enumerate(levels):
            chosen = [i for i, g in enumerate(genders) if g == level]
            spawned = seed if _paired(levels, genders) else seed + number
            # statistics per sentence add up: the corpus score of a resample needs no second look at the text
            statistics = np.array(
                metric._extract_corpus_statistics([outputs[i] for i in chosen], [[references[i] for i in chosen]]),
                dtype=np.float64,
            )
            score = _scorer(metric)
            drawn = np.array(
                [
                    score(w @ statistics)
                    for (block,) in draws([len(chosen)], seed=spawned, resamples=resamples)
                    for w in block
                ]
            )
            scores[level] = score(statistics.sum(axis=0)), drawn, len(chosen)
        signature = str(metric.get_signature())
        rows += [_row(name, level, found, signature) for level, found in scores.items()]
        if {"female", "male"} <= scores.keys():
            (first, one, n), (second, two, m) = scores["female"], scores["male"]
            rows.append(_row(name, "female - male", (first - second, one - two, n + m), signature))
    return as_estimates(rows)


def _paired(levels: Sequence[str], genders: Sequence[str]) -> bool:
    return len({sum(g == level for g in genders) for level in levels}) == 1


def _scorer(metric: object):  # type: ignore[no-untyped-def]
    compute = metric._compute_score_from_stats  # type: ignore[attr-defined]
    return lambda sums: float(compute([int(s) for s in sums]).score)


def _row(name: str, level: str, found: Found, signature: str) -> Row:
    value, drawn, n = found
    varied = float(np.ptp(drawn)) > 0
    low, high = np.quantile(drawn, [0.025, 0.975]) if varied else (np.nan, np.nan)
    return {
        "measure": name,
        "group": "gold",
        "level": level,
        "variant": "raw",
        "value": value,
        "low": float(low),
        "high": float(high),
        "interval": f"bootstrap over sentences ({len(drawn):,} resamples)" if varied else "none: all sentences alike",
        "n": n,
        "n_decided": n,
        "n_clusters": n,
        "note": signature,
    }
